#include "image/finish/interference.h"

#include <algorithm>
#include <cmath>

#include "image/colour/cie.h"

namespace aureole {

namespace {

constexpr double kThicknessStep = 2.0; ///< nanometres of thickness; colours turn over some 200
constexpr double kFirstLight = 380.0;
constexpr double kLightStep = 4.0;
constexpr int kLightSteps = 100; ///< to 780 nm

/// Over the most that it reflects of any wavelength. `surface` is what one of its faces reflects.
double reflectance(double surface, double index, double thickness, double wavelength) {
    const double half = 2.0 * kPi * index * thickness / wavelength; // of the phase between neighbouring reflections
    const double wave = std::pow(std::sin(half), 2.0);
    const double most = 4.0 * surface / std::pow(1.0 + surface, 2.0);
    return 4.0 * surface * wave / (std::pow(1.0 - surface, 2.0) + 4.0 * surface * wave) / most;
}

glm::dvec3 colourOf(double surface, double index, double thickness) {
    glm::dvec3 film(0.0);
    glm::dvec3 white(0.0);
    for (int i = 0; i <= kLightSteps; ++i) {
        const double wavelength = kFirstLight + i * kLightStep;
        const glm::dvec3 light = rec709FromXyz(colourMatching(wavelength));
        white += light;
        film += light * reflectance(surface, index, thickness, wavelength);
    }
    return glm::max(film / white, glm::dvec3(0.0));
}

} // namespace

InterferenceColours::InterferenceColours(double index, double thickest) {
    const double surface = std::pow((index - 1.0) / (index + 1.0), 2.0);
    const auto steps = static_cast<std::size_t>(std::ceil(thickest / kThicknessStep)) + 1;
    table_.reserve(steps + 1);
    for (std::size_t i = 0; i <= steps; ++i) {
        table_.push_back(colourOf(surface, index, kThicknessStep * static_cast<double>(i)));
    }
}

glm::dvec3 InterferenceColours::at(double thickness) const {
    const double place = std::clamp(thickness / kThicknessStep, 0.0, static_cast<double>(table_.size() - 1));
    const auto first = static_cast<std::size_t>(place);
    const std::size_t second = std::min(first + 1, table_.size() - 1);
    return glm::mix(table_[first], table_[second], place - std::floor(place));
}

} // namespace aureole
