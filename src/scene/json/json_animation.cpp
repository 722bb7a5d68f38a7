// "animation".

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

void readTurntable(ObjectReader& in, const Camera& camera, Animation& animation) {
    animation.kind = AnimationKind::Turntable;
    if (in.require("frames")) {
        in.integer("frames", animation.frames, 1, kMaximumFrames);
    }
    animation.centre = camera.target;
    in.vector("centre", animation.centre);
    if (const auto axis = in.find("axis")) {
        readDirection(*axis, animation.axis);
    }
    in.number("degrees", animation.degrees, {-360000.0, 360000.0});
}

/// A camera and whether it has an aperture to focus, be it of radius 0.
struct Moved {
    Camera camera;
    bool hasLens = true;
};

Moved movedCamera(const ObjectReader& root, const std::vector<Camera>& cameras, std::uint32_t index) {
    if (cameras.empty()) {
        return {};
    }
    const Camera& camera = cameras[index];
    const Json& keys = root.value().json()["cameras"][camera.name];
    const bool perspective = camera.projection == Projection::Perspective;
    return {camera, keys.contains("apertureRadius") || (perspective && keys.contains("fNumber"))};
}

/// Notes what a camera of this kind does not have.
void checkKey(const ObjectReader& in, const Moved& moved) {
    const Camera& camera = moved.camera;
    const auto refuse = [&](const char* key, bool used, const char* user) {
        if (in.has(key) && !used) {
            in.problem(key, fmt::format("found '{}' for the camera '{}', which has none; expected it for {}", key,
                                        camera.name, user));
        }
    };
    refuse("verticalFov", camera.projection == Projection::Perspective, "one of the projection 'perspective'");
    refuse("height", camera.projection == Projection::Orthographic, "one of the projection 'orthographic'");
    refuse("focusDistance", moved.hasLens, "one with 'apertureRadius' or 'fNumber'");
}

CameraKey readKey(ObjectReader& in, const Moved& moved) {
    const Camera& camera = moved.camera;
    CameraKey key{
        0, camera.position, camera.target, camera.up, camera.verticalFov, camera.height, camera.focusDistance};
    if (in.require("frame")) {
        in.integer("frame", key.frame, 0, kMaximumFrames - 1);
    }
    in.vector("position", key.position);
    in.vector("target", key.target);
    in.vector("up", key.up);
    checkKey(in, moved);
    in.number("verticalFov", key.verticalFov, {kMinimumFov, kMaximumFov});
    in.number("height", key.height, kPositive);
    in.number("focusDistance", key.focusDistance, kNotNegative);
    return key;
}

void readPath(ObjectReader& in, const Moved& moved, Animation& animation) {
    animation.kind = AnimationKind::Path;
    in.choice<bool>("interpolation", animation.smooth, {{"catmull-rom", true}, {"linear", false}});
    const auto keys = in.require("keys");
    if (!keys) {
        return;
    }
    const bool read = keys->readArray([&](const ValueReader& element) {
        element.readObject([&](ObjectReader& object) {
            const CameraKey key = readKey(object, moved);
            if (!animation.keys.empty() && key.frame <= animation.keys.back().frame) {
                object.problem(fmt::format("found frame {} after frame {}, expected ascending frames", key.frame,
                                           animation.keys.back().frame));
            }
            animation.keys.push_back(key);
        });
    });
    if (read && animation.keys.empty()) {
        keys->expected("at least one key");
    }
    animation.frames = animation.keys.empty() ? 1 : animation.keys.back().frame + 1;
}

} // namespace

void readAnimation(ObjectReader& root, SceneDraft& draft) {
    const std::vector<Camera>& cameras = draft.scene.cameras;
    root.object("animation", [&](ObjectReader& in) {
        Animation animation;
        Names names;
        for (const Camera& camera : cameras) {
            names.add(camera.name);
        }
        if (const auto name = in.find("camera")) {
            if (const auto index = readReference(*name, "camera", names)) {
                animation.camera = static_cast<std::uint32_t>(*index);
            }
        }
        if (!in.has("camera") && !draft.scene.hasDefaultCamera) {
            in.problem(fmt::format("expected the key 'camera', which says what camera moves: '{}'",
                                   fmt::join(names.list(), "', '")));
        }
        const Moved moved = movedCamera(root, cameras, animation.camera);
        const bool turns =
            in.object("turntable", [&](ObjectReader& body) { readTurntable(body, moved.camera, animation); });
        const bool moves = in.object("path", [&](ObjectReader& body) { readPath(body, moved, animation); });
        if (in.has("turntable") == in.has("path")) {
            in.problem(fmt::format("found {} of 'turntable' and 'path', expected exactly one",
                                   in.has("path") ? "both" : "none"));
        }
        if (turns || moves) {
            draft.scene.animation = animation;
        }
    });
}

} // namespace aureole
