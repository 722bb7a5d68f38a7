#include "bloom/psf/airy.h"

#include <cmath>

#include "bloom/psf/radial.h"
#include "bloom/psf/spectrum.h"
#include "core/error.h"
#include "core/math.h"

namespace aureole {

void checkApertureDiameter(double millimetres) {
    constexpr double kLeast = 0.001;
    constexpr double kMost = 10000.0;
    if (!(millimetres >= kLeast && millimetres <= kMost)) {
        fail(ExitCode::BadInput, "bloom kernel: an aperture of {} mm; expected {} to {} mm", millimetres, kLeast,
             kMost);
    }
}

double airyTail(double radius) {
    const double v = kPi * radius;
    const double b0 = ::j0(v);
    const double b1 = ::j1(v);
    return b0 * b0 + b1 * b1;
}

BloomKernel airyKernel(const PsfFrame& frame, double diameterMillimetres) {
    constexpr std::uint32_t kBands = 200; // so many that the rings of single ones merge before they get as fine
    frame.check();
    checkApertureDiameter(diameterMillimetres);
    const std::vector<SpectralBand> bands = spectralBands(kBands);
    const double diameterNanometres = diameterMillimetres * 1e6;
    const auto tail = [&](double degrees) {
        const double radius = degrees * kPi / 180.0 * diameterNanometres;
        PsfColour sum{};
        for (const SpectralBand& band : bands) {
            const double beyond = airyTail(radius / std::sqrt(band.from * band.to));
            for (std::size_t c = 0; c < 3; ++c) {
                sum.at(c) += band.weights.at(c) * beyond;
            }
        }
        return sum;
    };
    const double ring = kShortestWavelength / diameterNanometres * 180.0 / kPi;
    return radialPsf(frame, TailTable(tail, 0.01 * ring, frame.radius())).toKernel();
}

} // namespace aureole
