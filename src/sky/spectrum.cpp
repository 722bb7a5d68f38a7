#include "sky/spectrum.h"

#include "image/colour/cie.h"

namespace aureole::sky {

namespace {

std::array<glm::dvec3, kBands> makeWeights() {
    std::array<glm::dvec3, kBands> weights;
    for (std::size_t i = 0; i < kBands; ++i) {
        // Within a band the functions bend more than the spectra do.
        constexpr int kSteps = 10;
        glm::dvec3 sum(0.0);
        for (int s = 0; s < kSteps; ++s) {
            sum += colourMatching(wavelengthOf(i) + kBandWidth * ((s + 0.5) / kSteps - 0.5));
        }
        weights[i] = rec709FromXyz(sum / double{kSteps} * kBandWidth);
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
    return rec709FromXyz(colourMatching(wavelength));
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
