#include "cli/bloom_mode_options.h"

#include <array>
#include <string>

#include "cli/arguments.h"
#include "core/error.h"

namespace aureole::cli {

void addModeOptions(CLI::App& command, ModeOptions& options) {
    addValue(command, "--mode", "exact|resampled",
             "The kernel's spectrum: made for the padded image (the default), or for the\nkernel alone and resampled",
             [&options](const std::string& text) {
                 static const std::array<std::string, 2> kModes = {"exact", "resampled"};
                 options.mode =
                     parseChoice("--mode", text, kModes) == "resampled" ? KernelMode::Resampled : KernelMode::Exact;
             });
    addValue(
        command, "--resample", "bilinear|kaiser",
        "With --mode resampled: between two frequencies, which leaves ghosts of the\nkernel, or by a Kaiser-Bessel "
        "window over six (the default)",
        [&options](const std::string& text) {
            static const std::array<std::string, 2> kFilters = {"bilinear", "kaiser"};
            options.filter = parseChoice("--resample", text, kFilters) == "bilinear" ? ResampleFilter::Bilinear
                                                                                     : ResampleFilter::Kaiser;
        });
}

void checkModeOptions(const ModeOptions& options) {
    if (options.filter && !options.resampled()) {
        fail(ExitCode::Usage, "--resample: found it with --mode exact, expected it with --mode resampled");
    }
}

} // namespace aureole::cli
