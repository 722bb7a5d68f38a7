#pragma once

// The largest and smallest values that a scene may ask for, by its file or by an option of the command line.

#include <cstdint>

#include "image/limits.h"

namespace aureole {

inline constexpr std::uint32_t kMaximumFilmSide = kMaximumImageSide;
inline constexpr std::uint64_t kMaximumFilmPixels = std::uint64_t{1} << 28U;
/// Stops, up and down.
inline constexpr double kMaximumExposure = 64.0;
/// Pixels along a side of a generated bloom kernel: 3 GiB.
inline constexpr std::uint32_t kMaximumKernelSize = 16384;

inline constexpr std::uint32_t kMinimumResolution = 16;
inline constexpr std::uint32_t kMaximumResolution = 16384;

inline constexpr std::uint32_t kMaximumSamplesPerPixel = std::uint32_t{1} << 30U;
inline constexpr std::uint32_t kMaximumDepth = 65535;

/// Lengths, coordinates and radiances are at most this, far inside float.
inline constexpr double kMaximumNumber = 1e12;

} // namespace aureole
