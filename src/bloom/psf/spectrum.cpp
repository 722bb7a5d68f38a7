#include "bloom/psf/spectrum.h"

#include <cmath>

#include "image/colour/cie.h"

namespace aureole {

namespace {

/// Linear Rec. 709 of a wavelength, negative components clipped.
PsfColour inGamut(double nanometres) {
    const glm::dvec3 colour = glm::max(rec709FromXyz(colourMatching(nanometres)), 0.0);
    return {colour.x, colour.y, colour.z};
}

} // namespace

std::vector<SpectralBand> spectralBands(std::uint32_t count) {
    constexpr int kSteps = 16; // of the midpoint rule in a band
    std::vector<SpectralBand> bands(count);
    const double ratio = std::log(kLongestWavelength / kShortestWavelength) / count;
    PsfColour sums{};
    for (std::uint32_t band = 0; band < count; ++band) {
        bands[band].from = kShortestWavelength * std::exp(ratio * band);
        bands[band].to = kShortestWavelength * std::exp(ratio * (band + 1));
        const double step = (bands[band].to - bands[band].from) / kSteps;
        for (int i = 0; i < kSteps; ++i) {
            const PsfColour colour = inGamut(bands[band].from + (i + 0.5) * step);
            for (std::size_t c = 0; c < 3; ++c) {
                bands[band].weights.at(c) += colour.at(c) * step;
                sums.at(c) += colour.at(c) * step;
            }
        }
    }
    for (SpectralBand& band : bands) {
        for (std::size_t c = 0; c < 3; ++c) {
            band.weights.at(c) /= sums.at(c);
        }
    }
    return bands;
}

} // namespace aureole
