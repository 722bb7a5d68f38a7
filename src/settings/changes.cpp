#include "settings/changes.h"

#include <algorithm>

#include "settings/fields.h"

namespace aureole {

namespace {

template <typename Is>
const SettingChange* findIn(const std::vector<SettingChange>& changes, const Is& is) {
    const auto found = std::find_if(changes.begin(), changes.end(), is);
    return found == changes.end() ? nullptr : &*found;
}

} // namespace

const SettingChange* SettingsChanges::find(const Setting& setting) const {
    return findIn(settings, [&](const SettingChange& change) { return change.setting == &setting; });
}

const SettingChange* SettingsChanges::find(std::string_view pointer) const {
    return findIn(settings, [&](const SettingChange& change) { return pointerOf(*change.setting) == pointer; });
}

std::string SettingsChanges::optionAt(std::string_view pointer) const {
    if (aovs && pointer == "/film/aovs") {
        return "--aov";
    }
    if (size && pointer == "/film/size") {
        return "--size";
    }
    const SettingChange* const change = find(pointer);
    return change == nullptr ? "" : std::string(change->setting->option);
}

} // namespace aureole
