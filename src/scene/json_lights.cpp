// "lights": KHR_lights_punctual.

#include "scene/scene_draft.h"

namespace aureole {

namespace {

void readDirection(ObjectReader& in, glm::dvec3& direction) {
    const auto value = in.require("direction");
    if (!value || !value->read(direction)) {
        return;
    }
    if (glm::length(direction) < 1e-12) {
        value->expected("a direction of a length above 0");
        return;
    }
    direction = glm::normalize(direction);
}

void readPosition(ObjectReader& in, glm::dvec3& position) {
    if (const auto value = in.require("position")) {
        value->read(position);
    }
}

void readCone(ObjectReader& in, PunctualLight& light) {
    in.number("innerConeAngle", light.innerConeAngle, {0.0, 90.0});
    in.number("outerConeAngle", light.outerConeAngle, {0.0, 90.0});
    if (light.innerConeAngle >= light.outerConeAngle) {
        in.problem("found 'innerConeAngle' not below 'outerConeAngle'");
    }
}

PunctualLight readLight(const std::string& name, ObjectReader& in) {
    PunctualLight light;
    light.name = name;
    in.require("type");
    const bool known = in.choice<LightType>(
        "type", light.type,
        {{"point", LightType::Point}, {"spot", LightType::Spot}, {"directional", LightType::Directional}});
    in.colour("intensity", light.intensity);
    // What an unknown type would need is anyone's guess: ask for everything, so that only the type is blamed.
    if (!known) {
        for (const char* key : {"position", "direction", "innerConeAngle", "outerConeAngle"}) {
            in.find(key);
        }
        return light;
    }
    if (light.type != LightType::Directional) {
        readPosition(in, light.position);
    }
    if (light.type != LightType::Point) {
        readDirection(in, light.direction);
    }
    if (light.type == LightType::Spot) {
        readCone(in, light);
    }
    return light;
}

} // namespace

void readLights(ObjectReader& root, SceneDraft& draft) {
    root.named("lights",
               [&](const std::string& name, ObjectReader& in) { draft.scene.lights.push_back(readLight(name, in)); });
}

} // namespace aureole
