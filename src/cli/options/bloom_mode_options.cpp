#include "cli/options/bloom_mode_options.h"

#include "cli/options/setting_options.h"
#include "core/error.h"

namespace aureole::cli {

void addModeOptions(CLI::App& command, ModeOptions& options) {
    addSetting(command, fieldOf(kBloomFields, "mode"), [&options](const SettingValue& value) {
        options.mode = static_cast<BloomMode>(std::get<std::uint32_t>(value));
    });
    addSetting(command, fieldOf(kBloomFields, "resample"), [&options](const SettingValue& value) {
        options.filter = static_cast<BloomResampling>(std::get<std::uint32_t>(value));
    });
}

void checkModeOptions(const ModeOptions& options) {
    if (options.filter && !options.resampled()) {
        fail(ExitCode::Usage, "--resample: found it with --mode exact, expected it with --mode resampled");
    }
}

} // namespace aureole::cli
