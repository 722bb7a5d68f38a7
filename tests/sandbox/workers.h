#pragma once

// Where the tests' workers are: as built, or in the libexec of a bundle.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "sandbox/settings.h"

namespace aureole::test {

inline std::filesystem::path workerAt(const std::filesystem::path& built) {
    if (std::filesystem::exists(built)) {
        return built;
    }
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../libexec/aureole" / built.filename();
}

/// Limits that nothing sound meets.
inline sandbox::Settings strictSettings(const std::filesystem::path& worker, std::uint64_t memory) {
    return {.isolation = sandbox::Isolation::Strict,
            .memory = memory,
            .seconds = 60.0,
            .files = 10,
            .worker = workerAt(worker)};
}

/// What is said of a reader that crashed. Sanitizers turn a crash into an exit.
#ifdef __SANITIZE_ADDRESS__
inline constexpr const char* kCrash = "its reader ended with exit code 1";
inline constexpr const char* kSegmentationFault = kCrash;
#else
inline constexpr const char* kCrash = "its reader died of signal";
inline constexpr const char* kSegmentationFault = "its reader died of signal 11 (Segmentation fault)";
#endif

} // namespace aureole::test
