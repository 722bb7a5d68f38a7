#pragma once

// A stable radix sort on the device: 64-bit keys with a 32-bit value each, least significant digit first, eight bits a
// pass. A pass counts the digits of each tile, scans the counts, and moves keys and values (Satish, Harris and Garland
// 2009; the ranking within a tile is that of Adinets and Merrill 2022). It waits for nobody.

#include <cstdint>

#include "scan/scan_plan.h"

namespace aureole::scan {

struct SortOptions {
    std::uint64_t maximumCount = 0; ///< the most keys that will be sorted at a time, up to kMostItems
    /// The bits of the key that count, beginBit to endBit - 1; the others travel with it.
    std::uint32_t beginBit = 0;
    std::uint32_t endBit = 64;
    std::uint32_t workgroupSize = 0; ///< a multiple of the subgroup size; 0: the device's best
    std::uint32_t keys = 0;          ///< of an invocation: 4, 8 or 16; 0: the device's best
    Subgroups subgroups = Subgroups::Fastest;
};

/// Device addresses of keys (u64) and their values (u32), multiples of 8 and of 4.
struct SortArrays {
    std::uint64_t keys = 0;
    std::uint64_t values = 0;
};

/// A sort made ready for a device. Must live until the commands it was executed in have ended.
class SortPlan {
public:
    /// Records the sort of `count` keys from `input` into `output`, ascending; equal ones keep their order. Input and
    /// output may be the same arrays (an odd number of passes then takes one more); else they must not overlap, and the
    /// input is left as it is. The caller sets barriers around it, two executions of one plan included. Throws Error
    /// (Internal) for more keys than the plan was made for, and for addresses that are not aligned.
    void execute(gpu::CommandEncoder& commands, const SortArrays& input, const SortArrays& output, std::uint64_t count);

    /// Device memory that the plan holds: 12 bytes a key, 1024 a tile, and its scan's.
    std::uint64_t scratchBytes() const;
    /// Keys of a tile, what a workgroup sorts at a time.
    std::uint32_t tileKeys() const { return tileKeys_; }
    /// Passes of a sort into other arrays.
    std::uint32_t passes() const;

private:
    friend SortPlan planSort(const gpu::Device& device, const SortOptions& options);
    void recordPass(gpu::CommandEncoder& commands, const SortArrays& from, const SortArrays& to, std::uint64_t count,
                    std::uint32_t shift, std::uint32_t bits);

    SortOptions options_;
    std::uint32_t tileKeys_ = 0;
    gpu::Pipeline count_;
    gpu::Pipeline scatter_;
    ScanPlan scan_;
    gpu::Buffer counts_;
    gpu::Buffer keys_; ///< where every other pass goes
    gpu::Buffer values_;
};

/// Throws Error (Internal) for options outside the ranges above, and what the device throws.
SortPlan planSort(const gpu::Device& device, const SortOptions& options);

} // namespace aureole::scan
