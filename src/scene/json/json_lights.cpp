// "lights": KHR_lights_punctual.

#include <fmt/format.h>

#include "model/photometry.h"
#include "scene/json/scene_draft.h"

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
    if (light.innerConeAngle > light.outerConeAngle || light.outerConeAngle == 0.0) {
        in.problem(in.has("innerConeAngle") ? "innerConeAngle" : "outerConeAngle",
                   fmt::format("found an 'innerConeAngle' of {}{} and an 'outerConeAngle' of {}{}, expected the outer "
                               "one above 0 and not below the inner one",
                               light.innerConeAngle, in.has("innerConeAngle") ? "" : " (by default)",
                               light.outerConeAngle, in.has("outerConeAngle") ? "" : " (by default)"));
    }
}

using Units = std::vector<std::pair<std::string, LightUnit>>;

/// The unit of `units` that another spelling stands for, or that a light of this type has in place of it.
std::string unitMeant(const std::string& text, const Units& units) {
    static const std::vector<std::pair<std::string, std::string>> kMeant = {
        {"lumen", "lm"},  {"lumens", "lm"}, {"candela", "cd"}, {"candelas", "cd"}, {"lx", "lux"},     {"lm/m2", "lux"},
        {"lm", "lux"},    {"lux", "lm"},    {"cd", "lux"},     {"lm/sr", "cd"},    {"W/m^2", "W/m2"}, {"W/m²", "W/m2"},
        {"W/sr", "W/m2"}, {"W/m2", "W/sr"}, {"watt", "W/sr"},  {"Watt", "W/sr"},   {"W", "W/sr"},     {"W", "W/m2"}};
    for (const auto& [said, meant] : kMeant) {
        for (const auto& [unit, unused] : units) {
            if (text == said && unit == meant) {
                return unit;
            }
        }
    }
    return {};
}

/// What the intensity is counted in, of those units that the type has.
void readUnit(ObjectReader& in, PunctualLight& light) {
    LightUnit unit = LightUnit::Radiometric;
    const Units units =
        light.type == LightType::Directional
            ? Units{{"W/m2", LightUnit::Radiometric}, {"lux", LightUnit::Lux}}
            : Units{{"W/sr", LightUnit::Radiometric}, {"cd", LightUnit::Candela}, {"lm", LightUnit::Lumen}};
    const auto value = in.find("unit");
    const std::string meant =
        value && value->json().is_string() ? unitMeant(value->json().get<std::string>(), units) : std::string();
    if (meant.empty()) {
        in.choice<LightUnit>("unit", unit, units);
    } else {
        const char* const known = light.type == LightType::Directional ? "'W/m2', 'lux'" : "'W/sr', 'cd', 'lm'";
        value->expected(fmt::format("{} for a {} light (did you mean '{}'?)", known,
                                    light.type == LightType::Directional ? "directional" : "point or spot", meant));
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
