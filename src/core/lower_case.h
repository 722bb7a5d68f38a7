#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace aureole {

/// A text with the ASCII letters A to Z in lower case, and all else as it is, whatever the locale.
inline std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

} // namespace aureole
