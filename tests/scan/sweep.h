#pragma once

// The exhaustive sweeps run where the environment variable AUREOLE_FULL is 1.

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace aureole::scan {

inline bool fullSweep() {
    const char* value = std::getenv("AUREOLE_FULL"); // NOLINT(concurrency-mt-unsafe): tests set none while others read
    return value != nullptr && std::string_view(value) == "1";
}

/// The size of a test's largest array.
inline std::size_t largestSweep(std::size_t quick, std::size_t full) {
    return fullSweep() ? full : quick;
}

} // namespace aureole::scan
