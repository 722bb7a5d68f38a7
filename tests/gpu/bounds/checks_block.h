#pragma once

// The memory that checked shaders and the host share. Internal to these checks.
//
// A page of addresses belongs to at most one buffer (gpu/allocation.cpp sees to it), so that a shader finds a buffer by
// two look-ups: the part of the address above kRangeShift gives a range, the page within the range gives the buffer. No
// loop: lavapipe ends the loops of a subgroup after a number of turns in total.

#include <cstdint>

#include "gpu/memory_checks.h"

namespace aureole::gpu {

inline constexpr std::uint32_t kPageShift = 16;
inline constexpr std::uint64_t kPageBytes = std::uint64_t{1} << kPageShift;
static_assert(kPageBytes == MemoryChecks::kPageBytes);
inline constexpr std::uint32_t kRangeShift = 32;
inline constexpr std::uint64_t kPagesPerRange = std::uint64_t{1} << (kRangeShift - kPageShift);
inline constexpr std::uint64_t kRanges = 1U << 16U;  ///< addresses have 48 bits
inline constexpr std::uint64_t kUsedRanges = 32;     ///< with buffers, at most; the first stays empty
inline constexpr std::uint64_t kReports = 1024;      ///< the last one of those sites whose id has the same remainder
inline constexpr std::uint64_t kNowhereBytes = 4096; ///< the longest access

/// A buffer, or none: 0 bytes.
struct PageEntry {
    std::uint64_t begin;
    std::uint64_t bytes;
};

struct BoundsReport {
    std::uint64_t site;  ///< 0: none
    std::uint64_t value; ///< the address, or the index
    std::uint64_t base;  ///< the address that the shader started from, or the length of the array
};

/// Where everything is, in bytes from the start of the block.
struct ChecksBlock {
    static constexpr std::uint64_t kReadsFrom = 0; ///< what reads outside of buffers read instead: zeros
    static constexpr std::uint64_t kWritesTo = kNowhereBytes;
    static constexpr std::uint64_t kReportsAt = 2 * kNowhereBytes;
    static constexpr std::uint64_t kRangesAt = kReportsAt + kReports * sizeof(BoundsReport);
    static constexpr std::uint64_t kPagesAt = kRangesAt + kRanges * sizeof(std::uint32_t);
    static constexpr std::uint64_t kBytes = kPagesAt + kUsedRanges * kPagesPerRange * sizeof(PageEntry);
};

} // namespace aureole::gpu
