#pragma once

// The memory of one side of a transform, and what must not be asked of it.

#include <array>
#include <cstdint>
#include <string_view>

#include "fft/buffer_bytes.h"

namespace aureole::fft {

struct MemoryRegion {
    std::string_view name; ///< in messages
    std::uint64_t address = 0;
    std::uint32_t elementBytes = 0;
    std::array<Extent, 3> layout; ///< values of a line first

    /// From the first value to the end of the last. Throws Error (OutOfMemory) where that is no number of 64 bits.
    std::uint64_t bytes() const { return bytesOf({layout[0], layout[1], layout[2]}, elementBytes); }
};

/// Throws Error (BadInput) for addresses that are no multiples of an element's bytes, memory that reaches past 2^64,
/// target values that share memory, and a target that overlaps the source other than in place: complex values in
/// themselves, real lines where each one (and each row, and image) has the same bytes on both sides. Memory reaches
/// from the first value to the last: layouts that interleave count as overlapping.
void checkRegions(const MemoryRegion& target, const MemoryRegion& source);

/// Throws Error (BadInput) where two regions overlap at all.
void checkSeparate(const MemoryRegion& a, const MemoryRegion& b);

} // namespace aureole::fft
