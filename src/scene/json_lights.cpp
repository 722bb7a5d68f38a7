// "lights": KHR_lights_punctual.

#include <fmt/format.h>

#include "scene/photometry.h"
#include "scene/scene_draft.h"

namespace aureole {

namespace {

void readPosition(ObjectReader& in, glm::dvec3& position) {
    if (const auto value = in.require("position")) {
        value->read(position);
    }
}

void readCone(ObjectReader& in, PunctualLight& light) {
    in.number("innerConeAngle", light.innerConeAngle, {0.0, 90.0});
    in.number("outerConeAngle", light.outerConeAngle, {0.0, 90.0});
    if (light.innerConeAngle >= light.outerConeAngle) {
        in.problem(in.has("innerConeAngle") ? "innerConeAngle" : "outerConeAngle",
                   fmt::format("found an 'innerConeAngle' of {}{} and an 'outerConeAngle' of {}{}, expected the inner "
                               "one below the outer one",
                               light.innerConeAngle, in.has("innerConeAngle") ? "" : " (by default)",
                               light.outerConeAngle, in.has("outerConeAngle") ? "" : " (by default)"));
    }
}

/// What the intensity is counted in, of those units that the type has.
void readUnit(ObjectReader& in, PunctualLight& light) {
    LightUnit unit = LightUnit::Radiometric;
    if (light.type == LightType::Directional) {
        in.choice<LightUnit>("unit", unit, {{"W/m2", LightUnit::Radiometric}, {"lux", LightUnit::Lux}});
    } else {
        in.choice<LightUnit>("unit", unit,
                             {{"W/sr", LightUnit::Radiometric}, {"cd", LightUnit::Candela}, {"lm", LightUnit::Lumen}});
    }
    light.intensity *= static_cast<float>(intensityPerUnit(unit, light));
}

PunctualLight readLight(const std::string& name, ObjectReader& in, SceneDraft& draft) {
    PunctualLight light;
    light.name = name;
    in.require("type");
    const bool known = in.choice<LightType>(
        "type", light.type,
        {{"point", LightType::Point}, {"spot", LightType::Spot}, {"directional", LightType::Directional}});
    in.colour("intensity", light.intensity);
    light.lightGroup = readLightGroup(in, draft);
    // What an unknown type would need is anyone's guess: ask for everything, so that only the type is blamed.
    if (!known) {
        for (const char* key : {"position", "direction", "innerConeAngle", "outerConeAngle", "unit"}) {
            in.find(key);
        }
        return light;
    }
    if (light.type != LightType::Directional) {
        readPosition(in, light.position);
    }
    if (light.type != LightType::Point) {
        if (const auto direction = in.require("direction")) {
            readDirection(*direction, light.direction);
        }
    }
    if (light.type == LightType::Spot) {
        readCone(in, light);
    }
    readUnit(in, light);
    return light;
}

} // namespace

void readLights(ObjectReader& root, SceneDraft& draft) {
    root.named("lights", [&](const std::string& name, ObjectReader& in) {
        draft.scene.lights.push_back(readLight(name, in, draft));
    });
}

} // namespace aureole
