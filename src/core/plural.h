#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace aureole {

/// "1 part", "2 parts": a count with its noun, whose plural ends in s.
inline std::string countOf(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace aureole
