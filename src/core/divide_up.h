#pragma once

#include <cstdint>

namespace aureole {

/// How many pieces of b hold a: the quotient, rounded up. It fits 32 bits, and a + b fits 64.
constexpr std::uint32_t divideUp(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

/// The least multiple of `step` that is no less than `value`; their sum fits 64 bits.
constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t step) {
    return (value + step - 1) / step * step;
}

} // namespace aureole
