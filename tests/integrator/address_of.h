#pragma once

#include <cstdint>
#include <vector>

namespace aureole {

/// Where the shared functions find an array in host memory.
template <typename T>
std::uint64_t addressOf(const std::vector<T>& values) {
    return reinterpret_cast<std::uint64_t>(values.data());
}

} // namespace aureole
