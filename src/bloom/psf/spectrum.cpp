#include "bloom/psf/spectrum.h"

#include <algorithm>
#include <cmath>

namespace aureole {

namespace {

/// A lobe of the fit: a Gaussian of another width on each side of its peak.
double lobe(double nanometres, double height, double peak, double inverseWidthBelow, double inverseWidthAbove) {
    const double t = (nanometres - peak) * (nanometres < peak ? inverseWidthBelow : inverseWidthAbove);
    return height * std::exp(-0.5 * t * t);
}

/// Rec. 709 from XYZ (ITU-R BT.709-6, D65), negative components clipped.
PsfColour inGamut(const PsfColour& xyz) {
    const auto [x, y, z] = xyz;
    return {std::max(0.0, 3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
            std::max(0.0, -0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
            std::max(0.0, 0.0556434 * x - 0.2040259 * y + 1.0572252 * z)};
}

} // namespace

PsfColour colourMatching(double nanometres) {
    return {lobe(nanometres, 0.362, 442.0, 0.0624, 0.0374) + lobe(nanometres, 1.056, 599.8, 0.0264, 0.0323) +
                lobe(nanometres, -0.065, 501.1, 0.0490, 0.0382),
            lobe(nanometres, 0.821, 568.8, 0.0213, 0.0247) + lobe(nanometres, 0.286, 530.9, 0.0613, 0.0322),
            lobe(nanometres, 1.217, 437.0, 0.0845, 0.0278) + lobe(nanometres, 0.681, 459.0, 0.0385, 0.0725)};
}

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
            const PsfColour colour = inGamut(colourMatching(bands[band].from + (i + 0.5) * step));
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
