#include "sky/hosek_data.h"

#include <algorithm>
#include <span>
#include <vector>

#include "sky/mitsuba_tensors.h"
#include "sky/spectrum.h"

namespace aureole::sky {

namespace {

using LimbDarkening = std::array<double, kLimbDarkeningFigures>;

/// Over the disc: a power k of the cosine has the mean 2 / (k + 2).
double meanOf(const LimbDarkening& figures) {
    double mean = 0.0;
    for (std::size_t k = 0; k < figures.size(); ++k) {
        mean += figures[k] * 2.0 / (static_cast<double>(k) + 2.0);
    }
    return mean;
}

/// What each band's cubics count for, in linear Rec. 709.
std::array<glm::dvec3, kSunBands> bandWeights(const std::array<double, kSunBands>& darkening) {
    constexpr int kFirst = 360;
    constexpr int kLast = 720;
    std::array<glm::dvec3, kSunBands> weights{};
    for (int wavelength = kFirst; wavelength <= kLast; ++wavelength) {
        const double place = (wavelength - kFirstSunBand) / kSunBandStep;
        const std::size_t low = std::min(static_cast<std::size_t>(place), kSunBands - 2);
        const double share = place - static_cast<double>(low);
        const glm::dvec3 light = rec709Of(wavelength) * glm::mix(darkening[low], darkening[low + 1], share);
        weights[low] += (1.0 - share) * light;
        weights[low + 1] += share * light;
    }
    return weights;
}

/// The sun as its figures are published: for each band of wavelength.
struct SunBands {
    std::array<SunFigures, kSunBands> cubics{};
    std::array<LimbDarkening, kSunBands> limbs{};
};

/// [turbidity][albedo][control point][channel], with `inner` numbers each, to channels of [albedo][turbidity][control
/// point].
void spreadSky(std::span<const double> tensor, std::size_t inner, std::size_t channel, std::span<double> figures) {
    auto out = figures.begin();
    for (std::size_t albedo = 0; albedo < 2; ++albedo) {
        for (std::size_t turbidity = 0; turbidity < kTurbidities; ++turbidity) {
            for (std::size_t control = 0; control < kElevationControls; ++control) {
                const std::size_t row = (turbidity * 2 + albedo) * kElevationControls + control;
                const std::span<const double> from = tensor.subspan((row * 3 + channel) * inner, inner);
                out = std::copy(from.begin(), from.end(), out);
            }
        }
    }
}

std::array<SkyFigures, 3> readSkyTensors(const MitsubaTensors& file) {
    std::vector<double> distributions(2 * kTurbidities * kElevationControls * 3 * kDistributionFigures);
    std::vector<double> means(2 * kTurbidities * kElevationControls * 3);
    file.read("sky_params_rgb", {kTurbidities, 2, kElevationControls, 3, kDistributionFigures}, distributions);
    file.read("sky_rad_rgb", {kTurbidities, 2, kElevationControls, 3}, means);
    std::array<SkyFigures, 3> sky;
    for (std::size_t channel = 0; channel < sky.size(); ++channel) {
        spreadSky(distributions, kDistributionFigures, channel, sky[channel].distribution);
        spreadSky(means, 1, channel, sky[channel].mean);
    }
    return sky;
}

SunBands readSunTensors(const MitsubaTensors& file) {
    constexpr std::size_t kRows = kTurbidities * kSunPieces;
    std::vector<double> cubics(kRows * kSunBands * kSunCoefficients);
    std::vector<double> limbs(kSunBands * kLimbDarkeningFigures);
    file.read("sun_rad_spec", {kTurbidities, kSunPieces, kSunBands, kSunCoefficients}, cubics);
    file.read("sun_ld_spec", {kSunBands, kLimbDarkeningFigures}, limbs);
    SunBands bands;
    for (std::size_t band = 0; band < kSunBands; ++band) {
        for (std::size_t row = 0; row < kRows; ++row) {
            const std::span<const double> cubic =
                std::span(cubics).subspan((row * kSunBands + band) * kSunCoefficients, kSunCoefficients);
            // Lowest power first there, highest first here.
            std::reverse_copy(cubic.begin(), cubic.end(), &bands.cubics[band][row * kSunCoefficients]);
        }
        std::copy_n(&limbs[band * kLimbDarkeningFigures], kLimbDarkeningFigures, bands.limbs[band].begin());
    }
    return bands;
}

std::array<SunFigures, 3> toColours(const SunBands& bands) {
    std::array<double, kSunBands> darkening{};
    std::transform(bands.limbs.begin(), bands.limbs.end(), darkening.begin(), meanOf);
    const std::array<glm::dvec3, kSunBands> weights = bandWeights(darkening);
    std::array<SunFigures, 3> sun{};
    for (std::size_t band = 0; band < kSunBands; ++band) {
        const SunFigures& cubics = bands.cubics[band];
        for (std::size_t i = 0; i < cubics.size(); ++i) {
            sun[0][i] += weights[band].x * cubics[i];
            sun[1][i] += weights[band].y * cubics[i];
            sun[2][i] += weights[band].z * cubics[i];
        }
    }
    return sun;
}

} // namespace

HosekData readHosekData(const std::filesystem::path& file) {
    const MitsubaTensors tensors(file);
    return {readSkyTensors(tensors), toColours(readSunTensors(tensors))};
}

} // namespace aureole::sky
