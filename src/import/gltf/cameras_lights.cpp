#include "import/gltf/cameras_lights.h"

#include <cmath>

#include "core/error.h"
#include "core/log.h"
#include "model/photometry.h"
#include "settings/limits.h"

namespace aureole::gltf {

namespace {

/// A direction of the node's own axes in the world; unit length.
glm::dvec3 worldDirection(const PlacedNode& node, const glm::dvec3& local) {
    const glm::dvec3 direction = glm::dmat3(node.world) * local;
    const double length = glm::length(direction);
    return length > 0.0 ? direction / length : local;
}

std::string nameOf(const PlacedNode& node, const JsonValue& object) {
    const std::string name = node.json.nameOr("");
    return name.empty() ? object.nameOr("") : name;
}

double within(const JsonValue& object, const char* key, double otherwise, double least, double most) {
    const double value = object.numberOr(key, otherwise);
    if (!(value >= least && value <= most)) {
        fail(ExitCode::BadInput, "{}/{}: found {}, expected {} to {}", object.place(), key, value, least, most);
    }
    return value;
}

} // namespace

std::optional<Camera> readCamera(const Document& document, const PlacedNode& node) {
    const std::optional<JsonValue> reference = node.json.find("camera");
    if (!reference) {
        return std::nullopt;
    }
    const JsonValue json = document.follow(*reference, "cameras", "camera");
    const std::string type = json["type"].text();
    Camera camera;
    camera.name = nameOf(node, json);
    if (type == "perspective") {
        const JsonValue lens = json["perspective"];
        lens["yfov"].number();
        camera.verticalFov = glm::degrees(within(lens, "yfov", 0.0, 1e-4, kPi - 1e-4));
    } else if (type == "orthographic") {
        // The picture's width follows its own shape, whatever xmag is.
        const JsonValue lens = json["orthographic"];
        lens["ymag"].number();
        camera.projection = Projection::Orthographic;
        camera.height = 2.0 * std::abs(within(lens, "ymag", 1.0, -kMaximumNumber / 2.0, kMaximumNumber / 2.0));
        if (camera.height == 0.0) {
            fail(ExitCode::BadInput, "{}/ymag: found 0, expected another number", lens.place());
        }
    } else {
        logWarning("{}: found a camera of type '{}', only perspective and orthographic ones are used", json.place(),
                   type);
        return std::nullopt;
    }
    camera.position = glm::dvec3(node.world[3]);
    camera.target = camera.position + worldDirection(node, {0.0, 0.0, -1.0});
    camera.up = worldDirection(node, {0.0, 1.0, 0.0});
    return camera;
}

std::optional<PunctualLight> readLight(const Document& document, const PlacedNode& node) {
    const std::optional<JsonValue> holder = node.json.extension("KHR_lights_punctual");
    if (!holder) {
        return std::nullopt;
    }
    const std::optional<JsonValue> all = document.root().extension("KHR_lights_punctual");
    if (!all) {
        fail(ExitCode::BadInput, "{}: the document has no /extensions/KHR_lights_punctual", holder->place());
    }
    const JsonValue lights = (*all)["lights"];
    const JsonValue json = lights.at((*holder)["light"].index(lights.size(), "light"));
    PunctualLight light;
    light.name = nameOf(node, json);
    const std::string type = json["type"].text();
    if (type == "spot") {
        light.type = LightType::Spot;
    } else if (type == "directional") {
        light.type = LightType::Directional;
    } else if (type != "point") {
        fail(ExitCode::BadInput, "{}/type: found '{}', expected point, spot or directional", json.place(), type);
    }
    const std::optional<JsonValue> colour = json.find("color");
    // Candela, or lux of directional lights. Their range is a hint for renderers that cut light off: here it goes on.
    light.intensity = glm::vec3((colour ? colour->vec3() : glm::dvec3(1.0)) *
                                within(json, "intensity", 1.0, 0.0, kMaximumNumber) / kLumensPerWatt);
    light.position = glm::dvec3(node.world[3]);
    light.direction = worldDirection(node, {0.0, 0.0, -1.0});
    if (light.type == LightType::Spot) {
        const JsonValue spot = json["spot"];
        light.outerConeAngle = glm::degrees(within(spot, "outerConeAngle", kPi / 4.0, 0.0, kPi / 2.0 + 1e-6));
        light.innerConeAngle =
            glm::degrees(within(spot, "innerConeAngle", 0.0, 0.0, glm::radians(light.outerConeAngle)));
    }
    return light;
}

} // namespace aureole::gltf
