#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace aureole {

/// The whole text as a number, whatever the locale; none where it is none, has more behind it, or is one that the type
/// has no room for. No sign '+', no blanks.
template <typename Number>
std::optional<Number> toNumber(std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && next == end ? std::optional(value) : std::nullopt;
}

} // namespace aureole
