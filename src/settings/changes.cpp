#include "settings/changes.h"

#include <algorithm>

#include "settings/fields.h"

namespace aureole {

namespace {

template <typename Is>
std::optional<SettingChange> findIn(const std::vector<SettingChange>& changes, const Is& is) {
    const auto found = std::find_if(changes.begin(), changes.end(), is);
    return found == changes.end() ? std::nullopt : std::optional(*found);
}

} // namespace

std::optional<SettingChange> SettingsChanges::find(const Setting& setting) const {
    return findIn(settings, [&](const SettingChange& change) { return change.setting == &setting; });
}

std::optional<SettingChange> SettingsChanges::find(std::string_view pointer) const {
    return findIn(settings, [&](const SettingChange& change) { return pointerOf(*change.setting) == pointer; });
}

std::string SettingsChanges::optionAt(std::string_view pointer) const {
    if (aovs && pointer == "/film/aovs") {
        return "--aov";
    }
    if (size && pointer == "/film/size") {
        return "--size";
    }
    const std::optional<SettingChange> change = find(pointer);
    return change ? std::string(change->setting->option) : "";
}

} // namespace aureole
