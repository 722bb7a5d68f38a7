// "cameras" and "camera".

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scene/json/scene_draft.h"

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

/// Notes keys that another projection has.
void checkProjection(const ObjectReader& in, const Camera& camera) {
    const auto only = [&](const char* key, Projection projection, const char* name) {
        if (in.has(key) && camera.projection != projection) {
            in.problem(key, fmt::format("found '{}', expected it with the projection '{}' only", key, name));
        }
    };
    only("verticalFov", Projection::Perspective, "perspective");
    only("height", Projection::Orthographic, "orthographic");
    if (camera.projection != Projection::Equirectangular) {
        only("sensorHeight", Projection::Perspective, "perspective");
        return;
    }
    for (const char* key : {"apertureRadius", "focusDistance", "blades", "bladeRotation", "sensorHeight"}) {
        if (in.has(key)) {
            in.problem(key, fmt::format("found '{}', expected none: a picture of the whole sphere has no lens", key));
        }
    }
}

/// Notes keys that change nothing without others. An aperture of radius 0 counts as one, so that a scene can be tried
/// without its blur.
void checkLensKeys(const ObjectReader& in, const Camera& camera) {
    const bool perspective = camera.projection == Projection::Perspective;
    const bool hasRadius = in.has("apertureRadius");
    const bool hasLens = hasRadius || (perspective && in.has("fNumber"));
    for (const char* key : {"focusDistance", "blades", "bladeRotation"}) {
        if (in.has(key) && !hasLens && camera.projection != Projection::Equirectangular) {
            in.problem(key, fmt::format("found '{}' of a pinhole, expected {} beside it", key,
                                        perspective ? "'apertureRadius' or 'fNumber'" : "'apertureRadius'"));
        } else if (in.has(key) && hasLens && std::string_view(key) == "bladeRotation" && !in.has("blades")) {
            in.problem(key, "found 'bladeRotation' of a round iris, expected 'blades' beside it");
        }
    }
    if (perspective && in.has("sensorHeight") && (hasRadius || !in.has("fNumber"))) {
        in.problem("sensorHeight", hasRadius ? "found 'sensorHeight' beside 'apertureRadius', expected one of them: it "
                                               "turns 'fNumber' into a radius"
                                             : "found 'sensorHeight' without 'fNumber', which it turns into a radius");
    }
    if (in.has("fNumber") && (hasRadius || !perspective) && !in.has("shutter") && !in.has("iso")) {
        in.problem("fNumber", fmt::format("found 'fNumber' {}, expected 'shutter' beside it, with which it exposes",
                                          hasRadius ? "beside 'apertureRadius', which makes the blur"
                                                    : "of a projection that has no focal length to get a radius from"));
    }
}

/// The aperture: its radius, or the f-number (0: none) of a lens with this field of view before a sensor of that
/// height.
void readLens(ObjectReader& in, double fNumber, Camera& camera) {
    double sensorHeight = 24.0; // mm
    in.number("sensorHeight", sensorHeight, {kMinimumSensorHeight, kMaximumSensorHeight});
    const bool hasRadius = in.number("apertureRadius", camera.apertureRadius, kNotNegative);
    if (fNumber > 0.0 && !hasRadius && camera.projection == Projection::Perspective) {
        const double focalLength = 0.5e-3 * sensorHeight / std::tan(0.5 * glm::radians(camera.verticalFov));
        camera.apertureRadius = 0.5 * focalLength / fNumber;
    }
    in.number("focusDistance", camera.focusDistance, kNotNegative);
    if (const auto blades = in.find("blades")) {
        readCountOrZero(*blades, camera.blades, kMinimumBlades, kMaximumCameraBlades);
    }
    in.number("bladeRotation", camera.bladeRotation, {-360.0, 360.0});
}

void readExposure(ObjectReader& in, double fNumber, Camera& camera) {
    double stops = 0.0;
    if (in.number("exposure", stops, {-kMaximumExposure, kMaximumExposure})) {
        camera.exposure = stops;
    }
    Exposure photograph;
    const bool hasIso = in.number("iso", photograph.iso, {kMinimumIso, kMaximumIso});
    const bool hasShutter = in.number("shutter", photograph.shutter, {kMinimumShutter, kMaximumShutter});
    if (!hasIso && !hasShutter) {
        return;
    }
    if (!hasShutter || !in.has("fNumber")) {
        in.problem(fmt::format("found '{}' without '{}', expected 'fNumber' and 'shutter' for a photograph's exposure",
                               hasIso ? "iso" : "shutter", hasShutter ? "fNumber" : "shutter"));
        return;
    }
    photograph.fNumber = fNumber > 0.0 ? fNumber : photograph.fNumber;
    camera.photograph = photograph;
}

Camera readCamera(const std::string& name, ObjectReader& in) {
    Camera camera;
    camera.name = name;
    in.choice<Projection>("projection", camera.projection,
                          {{"perspective", Projection::Perspective},
                           {"orthographic", Projection::Orthographic},
                           {"equirectangular", Projection::Equirectangular}});
    const auto position = in.require("position");
    const auto target = in.require("target");
    bool placed = position && position->read(camera.position);
    placed = target && target->read(camera.target) && placed;
    const auto up = in.find("up");
    placed = (!up || up->read(camera.up)) && placed;
    if (placed) {
        checkOrientation(in, camera);
    }
    in.number("verticalFov", camera.verticalFov, {kMinimumFov, kMaximumFov});
    if (!in.number("height", camera.height, kPositive) && camera.projection == Projection::Orthographic) {
        in.require("height");
    }
    checkProjection(in, camera);
    checkLensKeys(in, camera);
    double fNumber = 0.0;
    in.number("fNumber", fNumber, {kMinimumFNumber, kMaximumFNumber});
    readLens(in, fNumber, camera);
    readExposure(in, fNumber, camera);
    return camera;
}

} // namespace

void readCameras(ObjectReader& root, SceneDraft& draft) {
    std::vector<Camera>& cameras = draft.scene.cameras;
    Names names;
    const auto value = root.require("cameras");
    root.named("cameras", [&](const std::string& name, ObjectReader& in) {
        names.add(name);
        cameras.push_back(readCamera(name, in));
    });
    if (value && value->json().is_object() && value->json().empty()) {
        value->expected("at least one camera");
    }
    const auto chosen = root.find("camera");
    draft.scene.hasDefaultCamera = chosen || names.list().size() < 2;
    if (!chosen || !value) {
        return;
    }
    if (const auto index = readReference(*chosen, "camera", names)) {
        std::rotate(cameras.begin(), cameras.begin() + static_cast<std::ptrdiff_t>(*index),
                    cameras.begin() + static_cast<std::ptrdiff_t>(*index) + 1);
    }
}

} // namespace aureole
