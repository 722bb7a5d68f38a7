// "animation".

#include <fmt/format.h>

#include "scene/scene_draft.h"

namespace aureole {

namespace {

void readTurntable(ObjectReader& in, const Camera& camera, Animation& animation) {
    animation.kind = AnimationKind::Turntable;
    if (in.require("frames")) {
        in.integer("frames", animation.frames, 1, kMaximumFrames);
    }
    animation.centre = camera.target;
    in.vector("centre", animation.centre);
    if (in.vector("axis", animation.axis)) {
        if (glm::length(animation.axis) == 0.0) {
            in.find("axis")->expected("a direction of length above 0");
            return;
        }
        animation.axis = glm::normalize(animation.axis);
    }
    in.number("degrees", animation.degrees, {-360000.0, 360000.0});
}

CameraKey readKey(ObjectReader& in, const Camera& camera) {
    CameraKey key{
        0, camera.position, camera.target, camera.up, camera.verticalFov, camera.height, camera.focusDistance};
    if (in.require("frame")) {
        in.integer("frame", key.frame, 0, kMaximumFrames - 1);
    }
    in.vector("position", key.position);
    in.vector("target", key.target);
    in.vector("up", key.up);
    in.number("verticalFov", key.verticalFov, {kMinimumFov, kMaximumFov});
    in.number("height", key.height, kPositive);
    in.number("focusDistance", key.focusDistance, kNotNegative);
    return key;
}

void readPath(ObjectReader& in, const Camera& camera, Animation& animation) {
    animation.kind = AnimationKind::Path;
    in.choice<bool>("interpolation", animation.smooth, {{"catmull-rom", true}, {"linear", false}});
    const auto keys = in.require("keys");
    if (!keys) {
        return;
    }
    const bool read = keys->readArray([&](const ValueReader& element) {
        element.readObject([&](ObjectReader& object) {
            const CameraKey key = readKey(object, camera);
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
        std::vector<std::string> names;
        for (const Camera& camera : cameras) {
            names.push_back(camera.name);
        }
        if (const auto name = in.find("camera")) {
            if (const auto index = readReference(*name, "camera", names)) {
                animation.camera = static_cast<std::uint32_t>(*index);
            }
        }
        const Camera camera = cameras.empty() ? Camera{} : cameras[animation.camera];
        const bool turns = in.object("turntable", [&](ObjectReader& body) { readTurntable(body, camera, animation); });
        const bool moves = in.object("path", [&](ObjectReader& body) { readPath(body, camera, animation); });
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
