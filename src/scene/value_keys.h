#pragma once

// Numbers that change from frame to frame: of bloom and finish, and the frames of models that instances show.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "settings/look.h"

namespace aureole {

struct Scene;

/// A number, and what it is at some frames: on straight lines between them, and even beyond.
struct ValueKeys {
    std::string pointer;                                ///< "/bloom/sharpen", "/instances/dancer/frame"
    std::vector<std::pair<std::uint32_t, double>> keys; ///< at least one, the frames ascending
};

/// The row of the number at a pointer; null where the look has none there. Words and switches are no numbers.
const Setting* numberAt(const Look& look, const std::string& pointer);
/// Its value. Empty where there is none.
std::optional<double> valueAt(const Look& look, const std::string& pointer);
/// A setting that is a number.
double numberOf(const SettingValue& value);

/// What keys give at a frame.
double valueAtFrame(const ValueKeys& value, std::uint32_t frame);

/// The scene's own bloom and finish.
Look lookOf(const Scene& scene);

/// Those at a frame of its animation, if it has one. Whole numbers are rounded.
Look lookAtFrame(const Scene& scene, std::uint32_t frame);

/// Whether instances show other frames of their models, or these stand otherwise, at one frame of the scene than at
/// another.
bool showsOthers(const Scene& scene, std::uint32_t frame, std::uint32_t other);

/// Whether a number changes whose pointer begins so, but for the one at `but`.
bool changesWithin(const Scene& scene, std::string_view beginning, std::string_view but = {});

} // namespace aureole
