#include "settings/changes.h"

namespace aureole {

const SettingChange* SettingsChanges::find(std::string_view pointer) const {
    for (const SettingChange& change : settings) {
        if (change.pointer == pointer) {
            return &change;
        }
    }
    return nullptr;
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
