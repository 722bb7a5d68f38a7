#include "cli/options/bloom_mode_options.h"

#include "cli/options/arguments.h"
#include "core/error.h"

namespace aureole::cli {

void addModeOptions(CLI::App& command, ModeOptions& options) {
    addChoice(command, "--mode", "exact|resampled",
              "The kernel's spectrum: made for the padded image (the default), or for the\nkernel alone and resampled",
              {"exact", "resampled"},
              [&options](std::size_t index) { options.mode = index == 1 ? KernelMode::Resampled : KernelMode::Exact; });
    addChoice(
        command, "--resample", "bilinear|kaiser",
        "With --mode resampled: between two frequencies, which leaves ghosts of the\nkernel, or by a Kaiser-Bessel "
        "window over six (the default)",
        {"bilinear", "kaiser"}, [&options](std::size_t index) {
            options.filter = index == 0 ? ResampleFilter::Bilinear : ResampleFilter::Kaiser;
        });
}

void checkModeOptions(const ModeOptions& options) {
    if (options.filter && !options.resampled()) {
        fail(ExitCode::Usage, "--resample: found it with --mode exact, expected it with --mode resampled");
    }
}

} // namespace aureole::cli
