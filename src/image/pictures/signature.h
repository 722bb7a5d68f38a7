#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace aureole {

/// Whether the bytes of a file start with those of `signature`.
inline bool startsWith(std::span<const std::byte> bytes, std::string_view signature) {
    return bytes.size() >= signature.size() &&
           std::equal(signature.begin(), signature.end(), bytes.begin(),
                      [](char a, std::byte b) { return static_cast<std::byte>(a) == b; });
}

} // namespace aureole
