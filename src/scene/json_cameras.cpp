// "cameras" and "camera".

#include <algorithm>

#include "scene/scene_draft.h"

namespace aureole {

namespace {

/// Notes a problem where a camera has no view axis or no horizon.
void checkOrientation(const ObjectReader& in, const Camera& camera) {
    const glm::dvec3 axis = camera.target - camera.position;
    const double sine = glm::length(glm::cross(axis, camera.up));
    if (glm::length(axis) == 0.0) {
        in.problem("found 'target' equal to 'position', expected it apart");
    } else if (sine <= 1e-9 * glm::length(axis) * glm::length(camera.up)) {
        in.problem("found 'up' zero or parallel to the view axis, expected it to point aside");
    }
}

Camera readCamera(const std::string& name, ObjectReader& in) {
    Camera camera;
    camera.name = name;
    const auto position = in.require("position");
    const auto target = in.require("target");
    bool placed = position && position->read(camera.position);
    placed = target && target->read(camera.target) && placed;
    const auto up = in.find("up");
    placed = (!up || up->read(camera.up)) && placed;
    if (placed) {
        checkOrientation(in, camera);
    }
    in.number("verticalFov", camera.verticalFov, {0.1, 179.0});
    in.number("apertureRadius", camera.apertureRadius, kNotNegative);
    in.number("focusDistance", camera.focusDistance, kNotNegative);
    return camera;
}

} // namespace

void readCameras(ObjectReader& root, SceneDraft& draft) {
    std::vector<Camera>& cameras = draft.scene.cameras;
    std::vector<std::string> names;
    const auto value = root.require("cameras");
    root.named("cameras", [&](const std::string& name, ObjectReader& in) {
        names.push_back(name);
        cameras.push_back(readCamera(name, in));
    });
    if (value && value->json().is_object() && value->json().empty()) {
        value->expected("at least one camera");
    }
    const auto chosen = names.size() > 1 ? root.require("camera") : root.find("camera");
    if (!chosen || !value) {
        return;
    }
    if (const auto index = readReference(*chosen, "camera", names)) {
        std::rotate(cameras.begin(), cameras.begin() + static_cast<std::ptrdiff_t>(*index),
                    cameras.begin() + static_cast<std::ptrdiff_t>(*index) + 1);
    }
}

} // namespace aureole
