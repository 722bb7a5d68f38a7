#include "bloom/kernel.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/math.h"
#include "core/parallel.h"

namespace aureole {

namespace {

// Shares of the scattered light. Spencer et al. give the eye's as 0.478 : 0.138 (skirt : veil) of all light; the
// streaks are a lens's, not an eye's.
constexpr double kSkirtShare = 0.64;
constexpr double kVeilShare = 0.30;
constexpr double kStreakShare = 0.06;
// Spencer's radii where the falloffs set in, and the width of the core, in degrees.
constexpr double kSkirtRadius = 0.02;
constexpr double kVeilRadius = 0.02;
constexpr double kCoreRadius = 0.02;
constexpr double kVeilEdge = 20.0; ///< the veil is normalised up to this angle, where its power law ends
constexpr double kStreakRadius = 0.6;
constexpr double kStreakWidth = 0.02;
constexpr double kStreakSpread = 0.006; ///< a streak's width grows by this much a degree

// Wavelengths of the primaries of Rec. 709 in nanometres, as in Spencer et al., relative to the eye's peak. The square
// root keeps the colours of the rim slight.
const std::array<double, 3> kSpread = {std::sqrt(611.0 / 568.0), std::sqrt(549.0 / 568.0), std::sqrt(464.0 / 568.0)};

/// Integral of 1 / (r + a)^3 over the disc of radius R.
double skirtInDisc(double radius, double a) {
    const double edge = radius + a;
    return 2 * kPi * (1 / (2 * a) - (2 * radius + a) / (2 * edge * edge));
}

/// Integral of 1 / (r + a)^2 over the disc of radius R.
double veilInDisc(double radius, double a) {
    return 2 * kPi * (std::log((radius + a) / a) + a / (radius + a) - 1);
}

/// Share of a Gaussian exp(-(x / a)^2) that falls on [lower, upper].
double gaussianShare(double lower, double upper, double a) {
    return 0.5 * (std::erf(upper / a) - std::erf(lower / a));
}

/// Radial parts at a distance in degrees, per square degree, for one channel.
double radialDensity(double distance, double spread) {
    const double r = distance / spread;
    const double skirt = 1 / std::pow(r + kSkirtRadius, 3) * (2 * kSkirtRadius / (2 * kPi));
    const double veil = 1 / std::pow(r + kVeilRadius, 2) / veilInDisc(kVeilEdge, kVeilRadius);
    return (kSkirtShare * skirt + kVeilShare * veil) / (spread * spread);
}

/// The radial parts on the middle texel, taken as a disc of the same area.
double radialInCentre(double pixel, double spread) {
    const double radius = pixel / std::sqrt(kPi) / spread;
    const double skirt = skirtInDisc(radius, kSkirtRadius) * (2 * kSkirtRadius / (2 * kPi));
    return kSkirtShare * skirt + kVeilShare * veilInDisc(radius, kVeilRadius) / veilInDisc(kVeilEdge, kVeilRadius);
}

/// Streaks perpendicular to the blades, per square degree, before normalisation.
double streakDensity(double x, double y, double spread, const GlareOptions& options) {
    const double r = std::hypot(x, y) / spread;
    double sum = 0;
    // A blade's edge throws a streak to both of its sides, so an odd number of blades makes twice as many.
    for (std::uint32_t blade = 0; blade < options.blades; ++blade) {
        const double angle = (options.rotationDegrees + 360.0 * blade / options.blades) * kPi / 180.0;
        const double along = std::abs(x * std::cos(angle) + y * std::sin(angle)) / spread;
        const double aside = std::abs(y * std::cos(angle) - x * std::sin(angle)) / spread;
        const double width = kStreakWidth + kStreakSpread * along;
        sum += std::exp(-(aside / width) * (aside / width)) / width;
    }
    return sum / std::pow(r + kStreakRadius, 2);
}

/// Mean of `density(x, y)` over the texel at (x, y), all in degrees.
template <typename Density>
double texelMean(double x, double y, double pixel, const Density& density) {
    constexpr double kNear = 8; // texels from the middle within which the falloff bends inside a texel
    const int samples = std::max(std::abs(x), std::abs(y)) < kNear * pixel ? 8 : 2;
    double sum = 0;
    for (int j = 0; j < samples; ++j) {
        for (int i = 0; i < samples; ++i) {
            sum += density(x + ((i + 0.5) / samples - 0.5) * pixel, y + ((j + 0.5) / samples - 0.5) * pixel);
        }
    }
    return sum / (samples * samples);
}

void normalise(std::vector<double>& values, double sum) {
    double total = 0;
    for (const double value : values) {
        total += value;
    }
    for (double& value : values) {
        value *= total > 0 ? sum / total : 0;
    }
}

/// Fades the glare out towards the kernel's edge, which would otherwise show as a rectangle around a bright light: 1 up
/// to half of the way, then a raised cosine. `offset` is in texels from the middle.
double edgeFade(std::int64_t offset, std::int64_t size) {
    const double reach = std::abs(static_cast<double>(offset)) / (0.5 * static_cast<double>(size));
    return reach <= 0.5 ? 1.0 : 0.5 + 0.5 * std::cos(2.0 * kPi * (reach - 0.5));
}

/// One channel of the glare, summing to one.
std::vector<double> glarePlane(const GlareOptions& options, double spread) {
    const double pixel = options.degreesPerPixel;
    const auto width = static_cast<std::int64_t>(options.width);
    const auto height = static_cast<std::int64_t>(options.height);
    const std::size_t count = std::size_t{options.width} * options.height;
    std::vector<double> glare(count);
    std::vector<double> streaks(count);
    parallelFor(height, 4, [&](std::int64_t row) {
        for (std::int64_t column = 0; column < width; ++column) {
            const auto index = static_cast<std::size_t>(row * width + column);
            const double x = static_cast<double>(column - width / 2) * pixel;
            const double y = static_cast<double>(row - height / 2) * pixel;
            const bool middle = column == width / 2 && row == height / 2;
            const double fade = edgeFade(column - width / 2, width) * edgeFade(row - height / 2, height);
            glare[index] = middle ? radialInCentre(pixel, spread)
                                  : fade * pixel * pixel * texelMean(x, y, pixel, [&](double u, double v) {
                                        return radialDensity(std::hypot(u, v), spread);
                                    });
            streaks[index] =
                fade * texelMean(x, y, pixel, [&](double u, double v) { return streakDensity(u, v, spread, options); });
        }
    });
    normalise(streaks, options.blades > 0 ? kStreakShare : 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        const double x = (static_cast<double>(i % options.width) - static_cast<double>(width / 2)) * pixel;
        const double y = (static_cast<double>(i / options.width) - static_cast<double>(height / 2)) * pixel;
        const double core = gaussianShare(x - pixel / 2, x + pixel / 2, kCoreRadius) *
                            gaussianShare(y - pixel / 2, y + pixel / 2, kCoreRadius);
        glare[i] = (1 - options.scattered) * core + options.scattered * (glare[i] + streaks[i]);
    }
    normalise(glare, 1.0);
    return glare;
}

} // namespace

double degreesPerPixel(double verticalFieldOfView, std::uint32_t height) {
    const double halfHeight = std::tan(0.5 * verticalFieldOfView * kPi / 180.0);
    return std::atan(2 * halfHeight / height) * 180.0 / kPi;
}

BloomKernel glareKernel(const GlareOptions& options) {
    if (options.width == 0 || options.height == 0) {
        fail(ExitCode::BadInput, "bloom kernel: its size is {}x{}; expected at least 1x1", options.width,
             options.height);
    }
    if (!(options.degreesPerPixel > 0) || !(options.degreesPerPixel < 180)) {
        fail(ExitCode::BadInput, "bloom kernel: {} degrees a pixel; expected more than 0 and less than 180",
             options.degreesPerPixel);
    }
    if (!(options.scattered >= 0 && options.scattered <= 1)) {
        fail(ExitCode::BadInput, "bloom kernel: a scattered share of {}; expected 0 to 1", options.scattered);
    }
    BloomKernel kernel{options.width, options.height, {}};
    for (std::size_t c = 0; c < 3; ++c) {
        const std::vector<double> plane = glarePlane(options, kSpread.at(c));
        kernel.planes.at(c).assign(plane.size(), 0.0F);
        std::transform(plane.begin(), plane.end(), kernel.planes.at(c).begin(),
                       [](double value) { return static_cast<float>(value); });
    }
    return kernel;
}

} // namespace aureole
