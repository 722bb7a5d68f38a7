#pragma once

// The portable form of the radix sort (Satish, Harris and Garland 2009; the ranking within a tile is that of Adinets
// and Merrill 2022). Internal to the module.

#include <cstdint>

#include "gpu/device.h"
#include "scan/scan_plan.h"
#include "scan/sort_run.h"
#include "scan/tile_shape.h"

namespace aureole::scan {

/// A pass counts the digits of each tile, scans the counts, and moves keys and values. It waits for nobody.
class CountAndMove {
public:
    CountAndMove() = default;
    /// `keys` of an invocation, one of those there are, with `values` or alone, in a tile that the device has room for.
    /// Throws Error (Internal) for tiles too small for so many keys.
    CountAndMove(const gpu::Device& device, const TileShape& shape, std::uint32_t keys, bool values, bool native,
                 std::uint64_t maximumCount);

    /// Bytes of workgroup memory that a tile takes.
    static std::uint32_t tileBytes(const TileShape& shape, std::uint32_t keys);
    static bool hasKeys(std::uint32_t keys);

    /// Records a sort of at least one key. The caller sets barriers around it.
    void execute(gpu::CommandEncoder& commands, const SortRun& run);

    std::uint64_t scratchBytes() const { return counts_.size() + scan_.scratchBytes(); }

private:
    void recordPass(gpu::CommandEncoder& commands, const SortArrays& from, const SortArrays& to, std::uint32_t count,
                    std::uint32_t shift, std::uint32_t bits);

    std::uint32_t tileKeys_ = 0;
    gpu::Pipeline count_;
    gpu::Pipeline scatter_;
    ScanPlan scan_;
    gpu::Buffer counts_;
};

} // namespace aureole::scan
