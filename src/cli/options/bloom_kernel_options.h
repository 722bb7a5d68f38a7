#pragma once

// The options of "aureole bloom" that choose and shape the kernel.

#include <optional>
#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"
#include "scene/scene.h"

namespace aureole::cli {

struct KernelOptions {
    BloomSettings settings;
    std::optional<double> fieldOfView; ///< vertical, in degrees
    /// The options given that only some kernels have, with those kernels.
    std::vector<std::pair<std::string, std::vector<std::string>>> limited;
};

/// Adds the options. `options` must outlive the command.
void addKernelOptions(CLI::App& command, KernelOptions& options);

/// Throws Error (Usage) for a kernel that is neither known nor a file, and for options that it does not have.
void checkKernelOptions(const KernelOptions& options);

} // namespace aureole::cli
