#pragma once

// The options that choose how the kernel's spectrum is made, of "aureole bloom" and "aureole bench bloom".

#include <optional>

#include "bloom/filter.h"
#include "cli/options/cli11_forward.h"

namespace aureole::cli {

struct ModeOptions {
    BloomMode mode = BloomMode::Exact;
    std::optional<BloomResampling> filter; ///< as given; Kaiser otherwise

    bool resampled() const { return mode == BloomMode::Resampled; }
    BloomResampling chosenFilter() const { return filter.value_or(BloomResampling::Kaiser); }
};

/// Adds --mode and --resample. `options` must outlive the command.
void addModeOptions(CLI::App& command, ModeOptions& options);

/// Throws Error (Usage) for a filter without a mode that has one.
void checkModeOptions(const ModeOptions& options);

} // namespace aureole::cli
