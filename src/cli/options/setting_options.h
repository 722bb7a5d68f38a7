#pragma once

// Options of settings, by their tables (settings/fields.h).

#include <functional>
#include <string>

#include "cli/options/cli11_forward.h"
#include "settings/changes.h"
#include "settings/fields.h"

namespace aureole::cli {

/// Adds the option of a setting, with a help of its own; `read` gets the value.
CLI::Option* addSetting(CLI::App& command, const Setting& setting, const std::string& help,
                        const std::function<void(const SettingValue&)>& read);

/// Adds the option of a setting with the help of its row.
template <typename S>
CLI::Option* addSetting(CLI::App& command, const Field<S>& field,
                        const std::function<void(const SettingValue&)>& read) {
    return addSetting(command, field, settingHelp(field, field.in(S{})), read);
}

/// Adds the option of a setting whose value goes to `settings`, which outlive the command.
template <typename S>
CLI::Option* addSettingOf(CLI::App& command, const Field<S>& field, S& settings) {
    return addSetting(command, field, [&](const SettingValue& value) { field.put(settings, value); });
}

/// Adds the option of a setting whose value becomes a change of the scene's, with a help of its own. `changes` outlive
/// the command.
CLI::Option* addChange(CLI::App& command, const Setting& setting, const std::string& help, SettingsChanges& changes);

/// Adds a change with the help of its row.
template <typename S>
CLI::Option* addChange(CLI::App& command, const Field<S>& field, SettingsChanges& changes) {
    return addChange(command, field, settingHelp(field, field.in(S{})), changes);
}

/// Whether the command has the option of a setting.
bool hasOption(const CLI::App& command, const Setting& setting);

/// addChange for each setting of a table that has an option which the command does not have yet.
template <typename Fields>
void addChanges(CLI::App& command, const Fields& fields, SettingsChanges& changes) {
    for (const auto& field : fields) {
        if (!field.option.empty() && !hasOption(command, field)) {
            addChange(command, field, changes);
        }
    }
}

} // namespace aureole::cli
