#include "cli/options/bloom_mode_options.h"

#include "cli/options/setting_options.h"
#include "core/error.h"

namespace aureole::cli {

void addModeOptions(CLI::App& command, ModeOptions& options) {
    addSetting(command, fieldOf(kBloomFields, "mode"), [&options](const SettingValue& value) {
        const bool isResampled = value == SettingValue(static_cast<std::uint32_t>(BloomMode::Resampled));
        options.mode = isResampled ? KernelMode::Resampled : KernelMode::Exact;
    });
    addSetting(command, fieldOf(kBloomFields, "resample"), [&options](const SettingValue& value) {
        const bool isBilinear = value == SettingValue(static_cast<std::uint32_t>(BloomResampling::Bilinear));
        options.filter = isBilinear ? ResampleFilter::Bilinear : ResampleFilter::Kaiser;
    });
}

void checkModeOptions(const ModeOptions& options) {
    if (options.filter && !options.resampled()) {
        fail(ExitCode::Usage, "--resample: found it with --mode exact, expected it with --mode resampled");
    }
}

} // namespace aureole::cli
