#include "model/photometry.h"

#include <cmath>

namespace aureole {

namespace {

/// The solid angle of a cone of even intensity with the light's flux.
double solidAngleOf(const PunctualLight& light) {
    if (light.type != LightType::Spot) {
        return 4.0 * kPi;
    }
    // Between its angles the light falls off by the square of the way that the cosine has come, a third on the mean.
    // 1 - cos without cancellation.
    const double inner = std::sin(glm::radians(light.innerConeAngle) / 2.0);
    const double outer = std::sin(glm::radians(light.outerConeAngle) / 2.0);
    return 2.0 * kPi * 2.0 * (inner * inner + (outer * outer - inner * inner) / 3.0);
}

} // namespace

double intensityPerUnit(LightUnit unit, const PunctualLight& light) {
    switch (unit) {
    case LightUnit::Radiometric:
        return 1.0;
    case LightUnit::Lumen: {
        const double solidAngle = solidAngleOf(light);
        return solidAngle > 0.0 ? 1.0 / (kLumensPerWatt * solidAngle) : 0.0;
    }
    case LightUnit::Candela:
    case LightUnit::Lux:
        break;
    }
    return 1.0 / kLumensPerWatt;
}

} // namespace aureole
