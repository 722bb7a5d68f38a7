#include "scene/sky/spectrum.h"

#include <cmath>

namespace aureole::sky {

namespace {

/// A lobe of a colour matching function: a Gaussian with another width on each side.
double lobe(double wavelength, double middle, double below, double above) {
    const double t = (wavelength - middle) / (wavelength < middle ? below : above);
    return std::exp(-0.5 * t * t);
}

glm::dvec3 matchingFunctions(double l) {
    return {1.056 * lobe(l, 599.8, 37.9, 31.0) + 0.362 * lobe(l, 442.0, 16.0, 26.7) -
                0.065 * lobe(l, 501.1, 20.4, 26.2),
            0.821 * lobe(l, 568.8, 46.9, 40.5) + 0.286 * lobe(l, 530.9, 16.3, 31.1),
            1.217 * lobe(l, 437.0, 11.8, 36.0) + 0.681 * lobe(l, 459.0, 26.0, 13.8)};
}

/// XYZ to linear Rec. 709 with its white, D65.
glm::dvec3 rec709(const glm::dvec3& xyz) {
    return {3.2404542 * xyz.x - 1.5371385 * xyz.y - 0.4985314 * xyz.z,
            -0.9692660 * xyz.x + 1.8760108 * xyz.y + 0.0415560 * xyz.z,
            0.0556434 * xyz.x - 0.2040259 * xyz.y + 1.0572252 * xyz.z};
}

std::array<glm::dvec3, kBands> makeWeights() {
    std::array<glm::dvec3, kBands> weights;
    for (std::size_t i = 0; i < kBands; ++i) {
        // Within a band the functions bend more than the spectra do.
        constexpr int kSteps = 10;
        glm::dvec3 sum(0.0);
        for (int s = 0; s < kSteps; ++s) {
            sum += matchingFunctions(wavelengthOf(i) + kBandWidth * ((s + 0.5) / kSteps - 0.5));
        }
        weights[i] = rec709(sum / double{kSteps} * kBandWidth);
    }
    return weights;
}

} // namespace

double wavelengthOf(std::size_t band) {
    return kFirstWavelength + kBandWidth * static_cast<double>(band);
}

glm::vec3 toRec709(const Spectrum& spectrum) {
    static const std::array<glm::dvec3, kBands> kWeights = makeWeights();
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < kBands; ++i) {
        sum += kWeights[i] * double{spectrum[i]};
    }
    return glm::max(glm::vec3(sum), glm::vec3(0.0F));
}

glm::dvec3 rec709Of(double wavelength) {
    return rec709(matchingFunctions(wavelength));
}

double total(const Spectrum& spectrum) {
    double sum = 0.0;
    for (const float value : spectrum) {
        sum += double{value} * kBandWidth;
    }
    return sum;
}

Spectrum reflectanceOf(const glm::vec3& colour) {
    Spectrum result;
    for (std::size_t i = 0; i < kBands; ++i) {
        const auto l = static_cast<float>(wavelengthOf(i));
        const float blueToGreen = glm::smoothstep(475.0F, 515.0F, l);
        const float greenToRed = glm::smoothstep(565.0F, 605.0F, l);
        result[i] = glm::mix(glm::mix(colour.z, colour.y, blueToGreen), colour.x, greenToRed);
    }
    return result;
}

} // namespace aureole::sky
