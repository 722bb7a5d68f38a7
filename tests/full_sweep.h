#pragma once

#include <cstdlib>
#include <string_view>

namespace aureole {

/// Whether the exhaustive sweeps of the tests run: where the environment variable AUREOLE_FULL is 1.
inline bool fullSweep() {
    const char* value = std::getenv("AUREOLE_FULL"); // NOLINT(concurrency-mt-unsafe): tests set none while others read
    return value != nullptr && std::string_view(value) == "1";
}

/// A number of samples or tries that takes seconds, or in exhaustive sweeps the one that takes long.
template <typename T>
T quickOrFull(T quick, T full) {
    return fullSweep() ? full : quick;
}

} // namespace aureole
