#pragma once

// What a file of figures may hold, whatever its form.

#include <cstdint>

namespace aureole::sky {

inline constexpr std::uintmax_t kMaximumFigureBytes = std::uintmax_t{8} << 20;
/// The published cubics of the sun have coefficients past 1e12.
inline constexpr double kLargestFigure = 1e30;

} // namespace aureole::sky
