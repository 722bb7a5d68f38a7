// "frame" of instances: which frame of its asset each shows.

#include <cmath>

#include <fmt/format.h>

#include "scene/json/scene_draft.h"
#include "scene/value_keys.h"

namespace aureole {

namespace {

/// The keys that an animation has for what is at a pointer; none where they are not as they should be, of which
/// whoever reads the animation tells.
std::optional<ValueKeys> keysOf(const Json& document, const std::string& pointer) {
    const Json::json_pointer place(childPointer("/animation/values", pointer));
    if (!document.contains(place) || !document.at(place).is_array()) {
        return std::nullopt;
    }
    ValueKeys keys{pointer, {}};
    for (const Json& key : document.at(place)) {
        const bool isKey = key.is_array() && key.size() == 2 && key[0].is_number_unsigned() &&
                           key[0].get<std::uint64_t>() < kMaximumFrames && key[1].is_number_unsigned() &&
                           (keys.keys.empty() || key[0].get<std::uint32_t>() > keys.keys.back().first);
        if (!isKey) {
            return std::nullopt;
        }
        keys.keys.emplace_back(key[0].get<std::uint32_t>(), key[1].get<double>());
    }
    return keys.keys.empty() ? std::nullopt : std::optional(std::move(keys));
}

/// What an animation has at the draft's frame for the "frame" at a pointer; none where it says nothing of that.
std::optional<double> keyedFrame(const Json& document, const std::string& pointer, const SceneDraft& draft) {
    const auto keys = draft.frame ? keysOf(document, pointer) : std::nullopt;
    return keys ? std::optional(std::round(valueAtFrame(*keys, *draft.frame))) : std::nullopt;
}

} // namespace

void noteFrames(const Json& document, SceneDraft& draft) {
    const auto instances = document.find("instances");
    if (instances == document.end() || !instances->is_object()) {
        return;
    }
    for (const auto& [name, instance] : instances->items()) {
        if (!instance.is_object() || !instance.contains("asset") || !instance["asset"].is_string()) {
            continue;
        }
        const auto given = instance.find("frame");
        const bool isGiven = given != instance.end() && given->is_number_unsigned();
        const double frame = keyedFrame(document, childPointer(childPointer("/instances", name), "frame"), draft)
                                 .value_or(isGiven ? given->get<double>() : 0.0);
        if (frame >= 1.0 && frame < kMaximumFrames) {
            draft.framesOfAssets[instance["asset"].get<std::string>()].insert(static_cast<std::uint32_t>(frame));
        }
    }
}

std::uint32_t readFrame(const std::string& name, ObjectReader& in, const PlacedAsset* asset, const Json& document,
                        SceneDraft& draft) {
    std::uint32_t frame = 0;
    const bool isGiven = in.integer("frame", frame, 0, kMaximumFrames - 1);
    // Noted first: what is wrong here is no fault of its keys, of which any may be right where the asset is not known.
    const std::string pointer = childPointer(in.pointer(), "frame");
    ShownFrame& shown = draft.shownFrames[pointer] = {name, 0, asset == nullptr ? kMaximumFrames : asset->frames};
    if (asset == nullptr) {
        return 0;
    }
    if (isGiven && frame >= asset->frames) {
        in.find("frame")->expected(asset->frames == 1
                                       ? std::string("0, as the asset has one frame only")
                                       : fmt::format("0 to {}, the frames of the asset", asset->frames - 1));
        return 0;
    }
    if (const auto keyed = keyedFrame(document, pointer, draft)) {
        frame = *keyed < asset->frames ? static_cast<std::uint32_t>(*keyed) : 0; // it is told when the keys are read
    }
    shown.frame = frame;
    return frame;
}

} // namespace aureole
