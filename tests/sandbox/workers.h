#pragma once

// How tests have files read by workers.

#include <cstdint>

#include "sandbox/settings.h"
#include "test_files.h"

namespace aureole::test {

/// Limits that nothing sound meets, for the worker that the build knows at `worker`.
inline sandbox::Settings strictSettings(const char* worker, std::uint64_t memory) {
    return {.isolation = sandbox::Isolation::Strict,
            .memory = memory,
            .seconds = 60.0,
            .files = 10,
            .worker = testFile(worker)};
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
