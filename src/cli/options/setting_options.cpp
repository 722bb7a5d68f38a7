#include "cli/options/setting_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/arguments.h"

namespace aureole::cli {

CLI::Option* addSetting(CLI::App& command, const Setting& setting, const std::string& help,
                        const std::function<void(const SettingValue&)>& read) {
    const std::string name(setting.option);
    const std::string unit(setting.unit);
    if (std::holds_alternative<Switch>(setting.domain)) {
        return command.add_flag_callback(
            name, [=] { read(true); }, help);
    }
    if (const auto* const words = std::get_if<Words>(&setting.domain)) {
        CLI::Option* const option = addChoice(command, name, unit, help, words->names(),
                                              [=](std::size_t place) { read(static_cast<std::uint32_t>(place)); });
        if (!setting.optionAlone.empty()) {
            mayStandAlone(command, option, std::string(setting.optionAlone));
        }
        return option;
    }
    // Rows live as long as the program.
    return addValue(command, name, unit, help,
                    [=, &setting](const std::string& text) { read(parseSetting(setting, text)); });
}

CLI::Option* addChange(CLI::App& command, const Setting& setting, const std::string& help, SettingsChanges& changes) {
    return addSetting(command, setting, help, [&setting, &changes](const SettingValue& value) {
        changes.settings.push_back({&setting, value});
    });
}

bool hasOption(const CLI::App& command, const Setting& setting) {
    return command.get_option_no_throw(std::string(setting.option)) != nullptr;
}

} // namespace aureole::cli
