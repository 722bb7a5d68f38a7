#pragma once

// A stable radix sort on the device: 64-bit keys, alone or with a 32-bit value each, least significant digit first,
// eight bits a pass. The portable form waits for nobody: a pass counts the digits of each tile, scans the counts, and
// moves keys and values (Satish, Harris and Garland 2009). The onesweep form (Adinets and Merrill 2022) counts the
// digits of all passes once, and has passes of one read and one write that look back over the tiles before.

#include <cstdint>
#include <string>

#include "scan/count_and_move.h"
#include "scan/onesweep.h"
#include "scan/scan_plan.h"
#include "scan/sort_run.h"

namespace aureole::scan {

enum class SortMethod {
    Fastest,      ///< onesweep where the device lets waiting workgroups wait
    CountAndMove, ///< the portable form: reads the keys twice in each pass
    Onesweep,     ///< reads them once
};

struct SortOptions {
    std::uint64_t maximumCount = 0; ///< the most keys that will be sorted at a time, up to kMostItems
    /// The bits of the key that count, beginBit to endBit - 1; the others travel with it.
    std::uint32_t beginBit = 0;
    std::uint32_t endBit = 64;
    bool values = true;              ///< false: keys alone; addresses of values are not looked at
    std::uint32_t workgroupSize = 0; ///< a multiple of the subgroup size; 0: the device's best
    /// How many an invocation has: 4, 8 or 16, for onesweep 4, 8, 12, 16, 20 or 24; 0: the device's best.
    std::uint32_t keys = 0;
    Subgroups subgroups = Subgroups::Emulated;
    SortMethod method = SortMethod::Fastest;
    /// Onesweep: tiles that an invocation looks back over at a time, 1 to 8; 0: the device's best.
    std::uint32_t lookBack = 0;
    /// Onesweep: how often an invocation asks in vain for other tiles' counts, in a pass, before it counts itself. At
    /// most DeviceDefaults::mostPatience.
    std::uint32_t patience = 1U << 12;
};

/// A sort made ready for a device. Must live until the commands it was executed in have ended.
class SortPlan {
public:
    /// Records the sort of `count` keys from `input` into `output`, ascending; equal ones keep their order. Input and
    /// output may be the same arrays (an odd number of passes then takes one more); else they must not overlap, and the
    /// input is left as it is. The caller sets barriers around it, two executions of one plan included. Throws Error
    /// (Internal) for more keys than the plan was made for, for addresses that are not aligned, and for arrays that
    /// overlap.
    void execute(gpu::CommandEncoder& commands, SortArrays input, SortArrays output, std::uint64_t count);

    /// Device memory that the plan holds: 12 bytes a key (8 without values), 1024 a tile (onesweep: 2048), and the
    /// passes' and its scan's.
    std::uint64_t scratchBytes() const;
    /// Keys of a tile, what a workgroup sorts at a time.
    std::uint32_t tileKeys() const { return tileKeys_; }
    std::uint32_t workgroupSize() const { return workgroupSize_; }
    /// Passes of a sort into other arrays; onesweep leaves out those that change nothing.
    std::uint32_t passes() const;
    std::uint32_t lookBack() const { return lookBack_; }
    bool onesweep() const { return usesOnesweep_; }

private:
    friend SortPlan planSort(const gpu::Device& device, const SortOptions& options);

    SortOptions options_;
    std::uint32_t workgroupSize_ = 0;
    std::uint32_t tileKeys_ = 0;
    std::uint32_t lookBack_ = 0;
    bool usesOnesweep_ = false;
    CountAndMove countAndMove_; ///< one of the two is made
    Onesweep onesweep_;
    gpu::Buffer keys_; ///< where every other pass goes
    gpu::Buffer values_;
};

/// Why the device cannot sort in tiles of these options; empty where it can.
std::string whyNoTile(const gpu::DeviceInfo& info, const SortOptions& options);

/// Throws Error (Internal) for options outside the ranges above, and what the device throws.
SortPlan planSort(const gpu::Device& device, const SortOptions& options);

} // namespace aureole::scan
