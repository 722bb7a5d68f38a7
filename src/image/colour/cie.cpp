#include "image/colour/cie.h"

#include <cmath>

namespace aureole {

namespace {

/// A lobe of the fit: a Gaussian of another width on each side of its peak.
double lobe(double nanometres, double height, double peak, double inverseWidthBelow, double inverseWidthAbove) {
    const double t = (nanometres - peak) * (nanometres < peak ? inverseWidthBelow : inverseWidthAbove);
    return height * std::exp(-0.5 * t * t);
}

} // namespace

glm::dvec3 colourMatching(double nanometres) {
    return {lobe(nanometres, 0.362, 442.0, 0.0624, 0.0374) + lobe(nanometres, 1.056, 599.8, 0.0264, 0.0323) +
                lobe(nanometres, -0.065, 501.1, 0.0490, 0.0382),
            lobe(nanometres, 0.821, 568.8, 0.0213, 0.0247) + lobe(nanometres, 0.286, 530.9, 0.0613, 0.0322),
            lobe(nanometres, 1.217, 437.0, 0.0845, 0.0278) + lobe(nanometres, 0.681, 459.0, 0.0385, 0.0725)};
}

glm::dvec3 rec709FromXyz(const glm::dvec3& xyz) {
    return {3.2404542 * xyz.x - 1.5371385 * xyz.y - 0.4985314 * xyz.z,
            -0.9692660 * xyz.x + 1.8760108 * xyz.y + 0.0415560 * xyz.z,
            0.0556434 * xyz.x - 0.2040259 * xyz.y + 1.0572252 * xyz.z};
}

} // namespace aureole
