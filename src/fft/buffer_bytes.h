#pragma once

// The extent of strided values in memory, counted without overflow.

#include <cstdint>
#include <initializer_list>

namespace aureole::fft {

/// One dimension of a layout.
struct Extent {
    std::uint64_t count = 0;
    std::uint64_t stride = 0; ///< elements
};

/// The elements from the first value of a layout to its last, both included; 0 where a dimension is empty. Throws Error
/// (OutOfMemory) where that is no number of 64 bits.
std::uint64_t elementCount(std::initializer_list<Extent> layout);

/// The bytes of these elements. Throws as elementCount.
std::uint64_t bytesOf(std::initializer_list<Extent> layout, std::uint32_t elementBytes);

} // namespace aureole::fft
