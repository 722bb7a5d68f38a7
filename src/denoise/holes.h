#pragma once

// Pixels that tell nothing, of which denoisers must not see any.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aureole {

/// Brighter colours count as infinite: their squares would be.
inline constexpr float kBrightest = 1e15F;

/// Fills the pixels at which one of the planes, of 3 floats a pixel, has a value that is no number or not below
/// kBrightest; in all planes, ring by ring, with the mean of those of the 8 pixels around that are known. All are 0
/// where none is known. Returns how many pixels there were.
std::size_t fillHoles(std::uint32_t width, const std::vector<std::span<float>>& planes);

/// Makes such values 0.
void zeroHoles(std::span<float> values);

} // namespace aureole
