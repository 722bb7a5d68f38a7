#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace aureole {

/// The sRGB transfer curve (IEC 61966-2-1) on [0, 1]: linear light to the value stored.
inline double srgbEncode(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

/// The inverse: a stored value in [0, 1] to linear light.
inline double srgbDecode(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

/// A value in [0, 1], or what is nearest to it there, as a byte.
inline std::uint8_t byteOf(double value) {
    return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(value, 0.0, 1.0)));
}

} // namespace aureole
