#include "bloom/psf/eye.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "bloom/psf/flare_lines.h"
#include "bloom/psf/radial.h"
#include "bloom/psf/spectrum.h"
#include "core/error.h"
#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

// Spencer et al., per steradian with angles in degrees: f0 = 2.61e6 exp(-(t / 0.02)^2), f1 = 20.91 / (t + 0.02)^3,
// f2 = 72.37 / (t + 0.02)^2, f3 = 436.9 (568 / w) exp(-19.75 (t - 3 w / 568)^2).
constexpr std::array<double, kEyeComponents> kPeak = {2.61e6, 20.91, 72.37, 436.9};
constexpr double kRadius = 0.02;
constexpr double kHaloRadius = 3.0;
constexpr double kHaloSharpness = 19.75;
constexpr double kSteradian = (180.0 / kPi) * (180.0 / kPi); ///< in square degrees

// Its table of shares; the rows sum to one.
constexpr EyeShares kPhotopic = {0.384, 0.478, 0.138, 0.0};
constexpr EyeShares kMesopic = {0.368, 0.478, 0.138, 0.016};
constexpr EyeShares kScotopic = {0.282, 0.478, 0.207, 0.033};
constexpr double kScotopicTo = 0.005; ///< cd/m^2, CIE 191:2010
constexpr double kPhotopicFrom = 5.0;

constexpr std::uint32_t kMostLines = 10000;

// What each component leaves beyond an angle in the plane, of a total of one.

double sharpTail(double r) {
    return std::exp(-(r / kRadius) * (r / kRadius));
}

double cubeTail(double r) {
    const double share = r / (r + kRadius);
    return 1.0 - share * share;
}

double squareTail(double r) {
    const double scale = kPeak[2] / kSteradian * 2.0 * kPi;
    return 1.0 - scale * (std::log((r + kRadius) / kRadius) - r / (r + kRadius));
}

double haloTail(double r, double nanometres) {
    // The ring is so far from the centre that the Gaussian's tail towards it is nothing.
    const double radius = kHaloRadius * nanometres / kReferenceNanometres;
    const double root = std::sqrt(kHaloSharpness);
    const double t = root * (r - radius);
    const double gaussian = std::exp(-t * t) / (2.0 * kHaloSharpness);
    const double error = radius * std::sqrt(kPi) / (2.0 * root) * std::erfc(t);
    return 2.0 * kPi * kPeak[3] / kSteradian * kReferenceNanometres / nanometres * (gaussian + error);
}

HalfPsf grey(const PsfFrame& frame, const std::function<double(double)>& tail) {
    constexpr double kNearest = 1e-4;
    return radialPsf(frame, TailTable(
                                [&](double r) {
                                    const double value = tail(r);
                                    return PsfColour{value, value, value};
                                },
                                kNearest, frame.radius()));
}

/// The halo of white light; its tail is one at the centre to within the precision of the paper's constants.
HalfPsf halo(const PsfFrame& frame) {
    const std::vector<SpectralBand> bands = spectralBands(96);
    const auto tail = [&](double r) {
        PsfColour sum{};
        for (const SpectralBand& band : bands) {
            const double nanometres = std::sqrt(band.from * band.to);
            const double inside = haloTail(0.0, nanometres) - haloTail(r, nanometres);
            for (std::size_t c = 0; c < 3; ++c) {
                sum.at(c) += band.weights.at(c) * inside;
            }
        }
        return PsfColour{1.0 - sum[0], 1.0 - sum[1], 1.0 - sum[2]};
    };
    constexpr double kNearest = 0.01;
    return radialPsf(frame, TailTable(tail, kNearest, frame.radius()));
}

/// The mean of the flare lines' factor over a texel.
PsfColour texelMean(const FlareLines& lines, double x, double y, double pixel) {
    const double radius = std::hypot(x, y);
    const double wanted = pixel / FlareLines::width(radius);
    const int samples = std::clamp(static_cast<int>(std::ceil(2.0 * wanted)), 1, 4);
    PsfColour mean{};
    for (int j = 0; j < samples; ++j) {
        for (int i = 0; i < samples; ++i) {
            const PsfColour factor =
                lines(x + ((i + 0.5) / samples - 0.5) * pixel, y + ((j + 0.5) / samples - 0.5) * pixel);
            for (std::size_t c = 0; c < 3; ++c) {
                mean.at(c) += factor.at(c) / (samples * samples);
            }
        }
    }
    return mean;
}

/// Gathers light in lines.
void addLines(HalfPsf& scattered, const EyeOptions& options) {
    const PsfFrame& frame = scattered.frame();
    const double pixel = frame.degreesPerPixel;
    // A quarter of a texel is as fine as samples lie; a fifth of that in width blurs as much as averaging would.
    const FlareLines lines(options.flareLines, options.seed, 0.1 * pixel);
    parallelFor(scattered.rows(), 4, [&](std::int64_t row) {
        for (std::int64_t column = -frame.reachX(); column <= frame.reachX(); ++column) {
            const double x = static_cast<double>(column) * pixel;
            const double y = static_cast<double>(row) * pixel;
            if (std::hypot(x, y) < FlareLines::reach() && (row != 0 || column != 0)) {
                const PsfColour factor = texelMean(lines, x, y, pixel);
                for (std::size_t c = 0; c < 3; ++c) {
                    scattered.at(column, row).at(c) *= factor.at(c);
                }
            }
        }
    });
}

} // namespace

EyeShares eyeShares(double adaptation) {
    const double photopic =
        std::clamp(std::log(adaptation / kScotopicTo) / std::log(kPhotopicFrom / kScotopicTo), 0.0, 1.0);
    const EyeShares& low = photopic < 0.5 ? kScotopic : kMesopic;
    const EyeShares& high = photopic < 0.5 ? kMesopic : kPhotopic;
    const double t = photopic < 0.5 ? 2.0 * photopic : 2.0 * photopic - 1.0;
    EyeShares shares{};
    for (std::size_t i = 0; i < kEyeComponents; ++i) {
        shares.at(i) = (1.0 - t) * low.at(i) + t * high.at(i);
    }
    return shares;
}

double eyeDensity(std::size_t component, double degrees, double nanometres) {
    const double scale = kPeak.at(component);
    const double farther = degrees + kRadius;
    switch (component) {
    case 0:
        return scale * std::exp(-(degrees / kRadius) * (degrees / kRadius));
    case 1:
        return scale / (farther * farther * farther);
    case 2:
        return scale / (farther * farther);
    default: {
        const double offset = degrees - kHaloRadius * nanometres / kReferenceNanometres;
        return scale * kReferenceNanometres / nanometres * std::exp(-kHaloSharpness * offset * offset);
    }
    }
}

BloomKernel eyeKernel(const PsfFrame& frame, const EyeOptions& options) {
    frame.check();
    if (!(options.adaptation >= 1e-6 && options.adaptation <= 1e6)) {
        fail(ExitCode::BadInput, "bloom kernel: an eye adapted to {} cd/m^2; expected 1e-6 to 1e6", options.adaptation);
    }
    if (options.flareLines > kMostLines) {
        fail(ExitCode::BadInput, "bloom kernel: {} flare lines; expected at most {}", options.flareLines, kMostLines);
    }
    const EyeShares shares = eyeShares(options.adaptation);
    const HalfPsf sharp = grey(frame, sharpTail);
    // f1 and f2 have the lines in common, and so are one.
    HalfPsf psf = grey(frame, [&](double r) {
        return (shares[1] * cubeTail(r) + shares[2] * squareTail(r)) / (shares[1] + shares[2]);
    });
    addLines(psf, options);
    const HalfPsf ring = halo(frame);
    parallelFor(psf.rows(), 16, [&](std::int64_t y) {
        for (std::int64_t x = -frame.reachX(); x <= frame.reachX(); ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                double& texel = psf.at(x, y).at(c);
                texel = (shares[1] + shares[2]) * texel + shares[3] * ring.at(x, y).at(c) +
                        shares[0] * sharp.at(x, y).at(c);
            }
        }
    });
    return psf.toKernel(&sharp);
}

} // namespace aureole
