// "animation" of assets: the animation of a model file that poses it in each frame.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/extension.h"
#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

constexpr double kMostFrames = 1000.0;
constexpr double kMostSeconds = 1e6;

/// The moment that a frame shows; without frames, that of frame 0.
ClipMoment momentOf(const AssetClip& clip, std::optional<std::uint32_t> frame) {
    return {clip.name, clip.start + frame.value_or(0) / clip.framesPerSecond, clip.loops};
}

} // namespace

std::optional<AssetClip> readClip(ObjectReader& in, const ValueReader& file) {
    std::optional<AssetClip> clip;
    in.object("animation", [&](ObjectReader& object) {
        AssetClip read;
        if (const auto name = object.require("clip"); name && name->read(read.name)) {
            if (read.name.empty()) {
                name->expected("the name of an animation of the file");
            } else {
                clip = read;
            }
        }
        object.number("framesPerSecond", read.framesPerSecond, {1.0 / kMostSeconds, kMostFrames});
        object.number("start", read.start, {-kMostSeconds, kMostSeconds});
        object.boolean("loop", read.loops);
        const std::string extension = file.json().is_string() ? lowerExtension(file.json().get<std::string>()) : "";
        if (extension != ".gltf" && extension != ".glb") {
            in.problem("animation", "found an animation, expected none, as only .gltf and .glb files have animations "
                                    "that can be played");
            clip.reset();
        }
        if (clip) {
            *clip = read;
        }
    });
    return clip;
}

std::optional<ClipMoment> momentOf(const Json& animation, std::optional<std::uint32_t> frame) {
    if (!animation.is_object() || !animation.contains("clip") || !animation["clip"].is_string()) {
        return std::nullopt;
    }
    AssetClip clip;
    clip.name = animation["clip"].get<std::string>();
    const auto number = [&](const char* key, double& out) {
        if (animation.contains(key) && animation[key].is_number()) {
            out = animation[key].get<double>();
        }
    };
    number("framesPerSecond", clip.framesPerSecond);
    number("start", clip.start);
    if (animation.contains("loop") && animation["loop"].is_boolean()) {
        clip.loops = animation["loop"].get<bool>();
    }
    return clip.name.empty() || !(clip.framesPerSecond > 0.0) ? std::nullopt : std::optional(momentOf(clip, frame));
}

ClipMoment momentOf(const AssetClip& clip, const SceneDraft& draft) {
    return momentOf(clip, draft.frame);
}

void noteClip(const std::string& asset, AssetClip clip, const ModelClip& found, SceneDraft& draft) {
    const double seconds = found.seconds;
    const ClipMoment moment = momentOf(clip, draft.frame);
    const bool goesRound = moment.loops && seconds > 0.0; // so that each round finds the octrees of the first
    clip.shown = moment.seconds - (goesRound ? seconds * std::floor(moment.seconds / seconds) : 0.0);
    clip.poses = found.poses;
    // One round, behind which the first frame follows, or until the clip stands still.
    const double left = clip.loops ? seconds : seconds - clip.start;
    const double frames = std::round(std::max(left, 0.0) * clip.framesPerSecond) + (clip.loops ? 0.0 : 1.0);
    const auto count = static_cast<std::uint32_t>(std::clamp(frames, 1.0, double{kMaximumFrames}));
    draft.clipFrames = std::max(draft.clipFrames, count);
    draft.clips[asset] = std::move(clip);
}

} // namespace aureole
