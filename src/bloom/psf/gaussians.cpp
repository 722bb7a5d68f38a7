#include "bloom/psf/gaussians.h"

#include <cmath>
#include <cstdlib>

#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr double kMost = 1e12;

void check(const std::vector<GaussianLobe>& lobes) {
    if (lobes.empty()) {
        fail(ExitCode::BadInput, "bloom kernel: found no Gaussians, expected at least one");
    }
    PsfColour light{};
    for (std::size_t i = 0; i < lobes.size(); ++i) {
        const GaussianLobe& lobe = lobes[i];
        if (!(lobe.weight > 0 && lobe.weight <= kMost) || !(lobe.sigma > 0 && lobe.sigma <= 180)) {
            fail(ExitCode::BadInput,
                 "bloom kernel: Gaussian {} has a weight of {} and a sigma of {} degrees; expected both above 0, at "
                 "most {} and 180",
                 i, lobe.weight, lobe.sigma, kMost);
        }
        for (std::size_t c = 0; c < 3; ++c) {
            if (!(lobe.colour.at(c) >= 0 && lobe.colour.at(c) <= kMost)) {
                fail(ExitCode::BadInput, "bloom kernel: Gaussian {} has a colour component of {}; expected 0 to {}", i,
                     lobe.colour.at(c), kMost);
            }
            light.at(c) += lobe.weight * lobe.colour.at(c);
        }
    }
    if (!(light[0] > 0 && light[1] > 0 && light[2] > 0)) {
        fail(ExitCode::BadInput,
             "bloom kernel: the Gaussians give ({}, {}, {}) of red, green and blue; expected some of each", light[0],
             light[1], light[2]);
    }
}

/// The share of a Gaussian in each texel along an axis, from the centre outwards.
std::vector<double> axisShares(double sigma, double pixel, std::int64_t reach) {
    std::vector<double> shares(static_cast<std::size_t>(reach + 1));
    // Differences of the complement keep their precision far out.
    const double scale = pixel / (sigma * std::sqrt(2.0));
    const auto beyond = [&](double texels) { return 0.5 * std::erfc(texels * scale); };
    shares[0] = 1.0 - 2.0 * beyond(0.5);
    for (std::int64_t i = 1; i <= reach; ++i) {
        shares[static_cast<std::size_t>(i)] =
            beyond(static_cast<double>(i) - 0.5) - beyond(static_cast<double>(i) + 0.5);
    }
    return shares;
}

} // namespace

BloomKernel gaussianKernel(const PsfFrame& frame, const std::vector<GaussianLobe>& lobes) {
    check(lobes);
    HalfPsf psf(frame);
    for (const GaussianLobe& lobe : lobes) {
        const std::vector<double> columns = axisShares(lobe.sigma, frame.degreesPerPixel, frame.reachX());
        const std::vector<double> rows = axisShares(lobe.sigma, frame.degreesPerPixel, frame.reachY());
        parallelFor(psf.rows(), 16, [&](std::int64_t y) {
            for (std::int64_t x = -frame.reachX(); x <= frame.reachX(); ++x) {
                const double share =
                    lobe.weight * rows[static_cast<std::size_t>(y)] * columns[static_cast<std::size_t>(std::abs(x))];
                for (std::size_t c = 0; c < 3; ++c) {
                    psf.at(x, y).at(c) += share * lobe.colour.at(c);
                }
            }
        });
    }
    return psf.toKernel();
}

} // namespace aureole
