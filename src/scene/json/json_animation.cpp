// "animation".

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/suggest.h"
#include "scene/json/json_fields.h"
#include "scene/json/scene_draft.h"
#include "scene/value_keys.h"

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

/// Reads a key of a path. `lastFrame` is that of the last one whose frame was read, and becomes this one's.
CameraKey readKey(ObjectReader& in, const Moved& moved, std::optional<std::uint32_t>& lastFrame) {
    const Camera& camera = moved.camera;
    CameraKey key{
        0, camera.position, camera.target, camera.up, camera.verticalFov, camera.height, camera.focusDistance};
    if (in.require("frame") && in.integer("frame", key.frame, 0, kMaximumFrames - 1)) {
        if (lastFrame && key.frame <= *lastFrame) {
            in.problem(fmt::format("found frame {} after frame {}, expected ascending frames", key.frame, *lastFrame));
        }
        lastFrame = key.frame;
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
    std::optional<std::uint32_t> lastFrame;
    const bool read = keys->readArray([&](const ValueReader& element) {
        element.readObject([&](ObjectReader& object) { animation.keys.push_back(readKey(object, moved, lastFrame)); });
    });
    if (read && animation.keys.empty()) {
        keys->expected("at least one key");
    }
    animation.frames = animation.keys.empty() ? 1 : animation.keys.back().frame + 1;
}

/// [[frame, frame of the model], ...] of an instance.
void readFrameKeys(const ValueReader& in, const ShownFrame& shown, const std::string& pointer, Animation& animation) {
    if (shown.frames == 1) {
        in.log().add(in.pointer(), fmt::format("found frames for the instance '{}', whose asset has one frame only, "
                                               "expected them for one of several (MagicaVoxel)",
                                               shown.instance));
        return;
    }
    ValueKeys value{pointer, {}};
    in.readKeys("frame", kMaximumFrames - 1, [&](std::uint32_t frame, const ValueReader& element) {
        std::uint64_t read = 0;
        if (element.readInteger(read, 0, shown.frames - 1)) {
            value.keys.emplace_back(frame, static_cast<double>(read));
        }
    });
    if (!value.keys.empty()) {
        animation.values.push_back(std::move(value));
    }
}

/// [[frame, value], ...] of the number at `pointer`.
void readValueKeys(const ValueReader& in, const std::string& pointer, bool hasBloom, const SceneDraft& draft,
                   Animation& animation) {
    if (const auto shown = draft.shownFrames.find(pointer); shown != draft.shownFrames.end()) {
        readFrameKeys(in, shown->second, pointer, animation);
        return;
    }
    const Look look = lookOf(draft.scene);
    const Setting* const number = numberAt(look, pointer);
    if (number == nullptr) {
        std::vector<std::string> frames;
        for (const auto& [known, unused] : draft.shownFrames) {
            frames.push_back(known);
        }
        in.log().add(in.pointer(),
                     fmt::format("found the key '{}', expected the JSON pointer of a number of the scene's "
                                 "bloom or finish, such as /bloom/sharpen, or of an instance's frame, such as "
                                 "/instances/NAME/frame{}",
                                 pointer, pointer.starts_with("/instances/") ? didYouMean(pointer, frames) : ""));
        return;
    }
    if (!hasBloom && pointer.starts_with("/bloom/")) {
        in.log().add(in.pointer(), fmt::format("found keys of '{}' in a scene without bloom, expected the object "
                                               "'bloom' beside 'animation'",
                                               pointer));
        return;
    }
    ValueKeys value{pointer, {}};
    in.readKeys("frame", kMaximumFrames - 1, [&](std::uint32_t frame, const ValueReader& element) {
        readSetting(element, *number,
                    [&](const SettingValue& read) { value.keys.emplace_back(frame, numberOf(read)); });
    });
    if (!value.keys.empty()) {
        animation.values.push_back(std::move(value));
    }
}

/// On straight lines between keys, what holds at all keys of some numbers together holds between them.
void checkLooks(const ObjectReader& in, const Scene& scene) {
    std::set<std::uint32_t> frames;
    for (const ValueKeys& value : scene.animation->values) {
        for (const auto& [frame, unused] : value.keys) {
            frames.insert(frame);
        }
    }
    for (const std::uint32_t frame : frames) {
        const FinishSettings finish = lookAtFrame(scene, frame).finish;
        if (finish.distortion && finish.distortion->folds()) {
            in.problem("values",
                       fmt::format("found a distortion that shows some places twice at frame {}, expected one "
                                   "that does not",
                                   frame));
            return;
        }
        if (finish.palette && finish.palette->low >= finish.palette->high) {
            in.problem(
                "values",
                fmt::format("found a palette whose 'low' is not below 'high' at frame {}, expected it to be", frame));
            return;
        }
    }
}

/// True where the key is there.
bool readValues(ObjectReader& in, bool hasBloom, const SceneDraft& draft, Animation& animation) {
    const auto values = in.find("values");
    if (!values) {
        return false;
    }
    if (!values->json().is_object()) {
        values->expected("an object of JSON pointers, such as /bloom/sharpen, each with [[frame, value], ...]");
        return true;
    }
    for (const auto& [pointer, keys] : values->json().items()) {
        std::string key; // as a part of a pointer
        for (const char c : pointer) {
            key += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        }
        readValueKeys({keys, values->pointer() + "/" + key, values->log()}, pointer, hasBloom, draft, animation);
    }
    for (const ValueKeys& value : animation.values) {
        animation.frames = std::max(animation.frames, value.keys.back().first + 1);
    }
    return true;
}

/// Frames up to the last key of all instances and as many as the clips of assets have, at least `frames`.
std::uint32_t framesOfScene(const SceneDraft& draft, std::uint32_t frames) {
    frames = std::max(frames, draft.clipFrames);
    for (const InstanceMotion& motion : draft.scene.motions) {
        frames = std::max(frames, motion.clip ? 1 : motion.keys.back().frame + 1);
    }
    return frames;
}

/// The animation of a scene that has none but its instances' keys and its assets' clips.
void animateInstances(ObjectReader& root, SceneDraft& draft) {
    const bool hasMotions = !draft.scene.motions.empty();
    if ((!hasMotions && draft.clipFrames == 0) || root.has("animation")) {
        return;
    }
    if (!draft.scene.hasDefaultCamera) {
        const std::string mover = draft.clips.empty()
                                      ? fmt::format("keys of the instance '{}'", draft.scene.motions.front().name)
                                      : fmt::format("a clip of the asset '{}'", draft.clips.begin()->first);
        root.problem(fmt::format("found {} and several cameras, expected 'animation' with the key 'camera', which says "
                                 "what camera sees them move",
                                 mover));
        return;
    }
    Animation animation;
    animation.kind = AnimationKind::Path;
    animation.frames = framesOfScene(draft, 1);
    animation.posesModels = !draft.posed.empty();
    draft.scene.animation = animation;
}

} // namespace

void readAnimation(ObjectReader& root, SceneDraft& draft) {
    const std::vector<Camera>& cameras = draft.scene.cameras;
    root.object("animation", [&](ObjectReader& in) {
        Animation animation;
        animation.posesModels = !draft.posed.empty();
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
        if (in.has("turntable") && in.has("path")) {
            in.problem("found both of 'turntable' and 'path', expected one");
        }
        if (!turns && !in.has("path")) {
            animation.kind = AnimationKind::Path; // of a camera that stands
        }
        const std::uint32_t turn = animation.frames;
        animation.frames = framesOfScene(draft, animation.frames);
        const bool changes = readValues(in, root.has("bloom"), draft, animation);
        if (turns) {
            animation.frames = turn;
        }
        const bool movesBeside = !draft.scene.motions.empty() || draft.clipFrames > 0;
        if (!in.has("turntable") && !in.has("path") && !in.has("values") && !movesBeside) {
            in.problem("found none of 'turntable', 'path' and 'values', no keys of instances and no clips of assets, "
                       "expected one");
        }
        if (turns || moves || changes || movesBeside) {
            draft.scene.animation = animation;
            checkLooks(in, draft.scene);
        }
    });
    animateInstances(root, draft);
}

} // namespace aureole
