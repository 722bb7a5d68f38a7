#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/error.h"

namespace aureole {

/// Refuses an octree that came from a file. Throws Error (BadInput).
template <typename... Args>
[[noreturn]] void refuse(const std::filesystem::path& file, fmt::format_string<Args...> format, Args&&... args) {
    fail(ExitCode::BadInput, "{}: the octree is malformed: {}", file.string(),
         fmt::format(format, std::forward<Args>(args)...));
}

inline void checkCount(const std::filesystem::path& file, const char* what, std::uint64_t found,
                       std::uint64_t expected) {
    if (found != expected) {
        refuse(file, "found {} {}, expected {}", found, what, expected);
    }
}

} // namespace aureole
