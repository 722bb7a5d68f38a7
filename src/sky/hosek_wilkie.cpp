#include "sky/hosek_wilkie.h"

#include <algorithm>
#include <cmath>

namespace aureole::sky {

namespace {

/// The two neighbours among the turbidities of the figures, and where between them.
struct Between {
    std::size_t low;
    double share; ///< of the upper one
};

Between betweenTurbidities(double turbidity) {
    const double place = std::clamp(turbidity - 1.0, 0.0, double{kTurbidities - 1});
    const std::size_t low = std::min(static_cast<std::size_t>(place), kTurbidities - 2);
    return {low, place - static_cast<double>(low)};
}

/// Both models put their knots closer where the sun is low: they are even in this, from 0 to 1.
double elevationPlace(double elevation) {
    return std::cbrt(std::clamp(elevation / (0.5 * kPi), 0.0, 1.0));
}

/// Bernstein's polynomials of degree 5.
std::array<double, kElevationControls> bezierWeights(double x) {
    constexpr std::array<double, kElevationControls> kBinomials = {1.0, 5.0, 10.0, 10.0, 5.0, 1.0};
    std::array<double, kElevationControls> weights{};
    double power = 1.0;
    for (std::size_t k = 0; k < kElevationControls; ++k) {
        weights[k] = kBinomials[k] * power;
        power *= x;
    }
    power = 1.0;
    for (std::size_t k = kElevationControls; k-- > 0;) {
        weights[k] *= power;
        power *= 1.0 - x;
    }
    return weights;
}

double cubic(const SunFigures& figures, std::size_t turbidity, std::size_t piece, double x) {
    const double* coefficients = &figures[(turbidity * kSunPieces + piece) * kSunCoefficients];
    double value = 0.0;
    for (std::size_t k = 0; k < kSunCoefficients; ++k) {
        value = value * x + coefficients[k];
    }
    return value;
}

} // namespace

SkyChannel::SkyChannel(const SkyFigures& figures, double turbidity, double albedo, double elevation) {
    const std::array<double, kElevationControls> weights = bezierWeights(elevationPlace(elevation));
    const auto [low, share] = betweenTurbidities(turbidity);
    std::array<double, kDistributionFigures> mixed{};
    mean_ = 0.0;
    for (std::size_t corner = 0; corner < 4; ++corner) {
        const std::size_t bright = corner / 2;
        const std::size_t upper = corner % 2;
        const double weight = (bright == 1 ? albedo : 1.0 - albedo) * (upper == 1 ? share : 1.0 - share);
        const std::size_t first = (bright * kTurbidities + low + upper) * kElevationControls;
        for (std::size_t control = 0; control < kElevationControls; ++control) {
            const double part = weight * weights[control];
            mean_ += part * figures.mean[first + control];
            for (std::size_t i = 0; i < kDistributionFigures; ++i) {
                mixed[i] += part * figures.distribution[(first + control) * kDistributionFigures + i];
            }
        }
    }
    a_ = mixed[0];
    b_ = mixed[1];
    c_ = mixed[2];
    d_ = mixed[3];
    e_ = mixed[4];
    f_ = mixed[5];
    g_ = mixed[6];
    i_ = mixed[7];
    h_ = mixed[8];
}

double SkyChannel::radiance(double up, double sunAngle, double sunCosine) const {
    const double squared = sunCosine * sunCosine;
    // Far above 0, since |H| stays under 0.91, unless the figures are others than those published.
    const double lobe = std::max(1.0 + h_ * h_ - 2.0 * h_ * sunCosine, 1e-6);
    const double mie = (1.0 + squared) / (lobe * std::sqrt(lobe));
    const double towardsHorizon = 1.0 + a_ * std::exp(b_ / (up + 0.01));
    const double aroundSun = c_ + d_ * std::exp(e_ * sunAngle) + f_ * squared + g_ * mie + i_ * std::sqrt(up);
    return mean_ * towardsHorizon * aroundSun;
}

glm::dvec3 solarRadiance(const std::array<SunFigures, 3>& sun, double turbidity, double elevation) {
    const auto [low, share] = betweenTurbidities(turbidity);
    const std::size_t piece =
        std::min(static_cast<std::size_t>(elevationPlace(elevation) * kSunPieces), kSunPieces - 1);
    const double start = static_cast<double>(piece) / kSunPieces;
    const double x = elevation - start * start * start * 0.5 * kPi;
    glm::dvec3 radiance;
    for (int i = 0; i < 3; ++i) {
        const SunFigures& figures = sun[static_cast<std::size_t>(i)];
        radiance[i] = glm::mix(cubic(figures, low, piece, x), cubic(figures, low + 1, piece, x), share);
    }
    return radiance;
}

} // namespace aureole::sky
