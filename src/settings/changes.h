#pragma once

// What options change of a scene's settings while the scene is made.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "settings/aov.h"
#include "settings/field.h"
#include "settings/finish.h"
#include "settings/model_show.h"

namespace aureole {

/// A new value of a setting.
struct SettingChange {
    const Setting* setting; ///< its row
    SettingValue value;
};

/// Changes that change samples go where the file's values are, and are in the scene's hash; the others are laid over
/// the settings that were read, and leave the hash alone.
struct SettingsChanges {
    std::vector<SettingChange> settings;
    std::optional<glm::uvec2> size; ///< of the film; changes samples
    /// The frame of the scene's animation whose models are placed; none: the scene as it stands. In no hash but that of
    /// surfaces.
    std::optional<std::uint32_t> frame{};
    ModelShow show{}; ///< of a model that is no scene; changes samples
    // What comes of the scene's layers and of its finish. They change no samples.
    std::function<AovSet(const AovSet&)> aovs{};
    std::function<FinishSettings(const FinishSettings&)> finish{};

    /// The change of a setting, by its row or by its place in the scene (pointerOf); none where there is none.
    std::optional<SettingChange> find(const Setting& setting) const;
    std::optional<SettingChange> find(std::string_view pointer) const;
    bool has(const Setting& setting) const { return find(setting).has_value(); }
    /// The option that changes what is at a pointer; "" where none does.
    std::string optionAt(std::string_view pointer) const;
};

} // namespace aureole
