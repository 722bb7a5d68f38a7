#pragma once

// Kinds of values that are packed.

#include <cstddef>
#include <type_traits>

#include "core/math.h"

namespace aureole::sandbox {

/// To be specialised for every enumeration that is packed: its last enumerator; they count from 0.
template <typename Enum>
inline constexpr Enum kLastOf = Enum{};

template <typename T>
inline constexpr bool kIsVector = false;
template <glm::length_t L, typename T>
inline constexpr bool kIsVector<glm::vec<L, T>> = true;
template <glm::length_t C, glm::length_t R, typename T>
inline constexpr bool kIsVector<glm::mat<C, R, T>> = true;

/// Elements that arrays have as bare bytes. Theirs may hold any bits.
template <typename T>
inline constexpr bool
    kIsBare = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, std::byte> || kIsVector<T>;

} // namespace aureole::sandbox
