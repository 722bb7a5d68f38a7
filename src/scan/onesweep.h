#pragma once

// The onesweep form of the radix sort (Adinets and Merrill 2022). Internal to the module.

#include <cstdint>

#include "gpu/device.h"
#include "scan/sort_run.h"
#include "scan/tile_shape.h"

namespace aureole::scan {

struct OnesweepTuning {
    std::uint32_t keys = 0; ///< of an invocation, one of those there are
    bool values = true;     ///< whether keys have them
    bool native = false;
    std::uint32_t lookBack = 0;   ///< as in SortOptions
    std::uint32_t patience = 0;   ///< as in SortOptions
    std::uint32_t workgroups = 0; ///< that share the counting
};

/// The digits of all passes are counted in one read of the keys; then each pass reads and writes keys and values once,
/// its workgroups waiting for those before (shaders/scan/onesweep_pass.comp). Passes whose digit is the same for all
/// keys are left out.
class Onesweep {
public:
    Onesweep() = default;
    /// The device has room for the tile. Throws Error (Internal) for tiles too small for so many keys.
    Onesweep(const gpu::Device& device, const TileShape& shape, const OnesweepTuning& tuning,
             std::uint64_t maximumCount);

    /// Bytes of workgroup memory that a tile takes at least, on a device with `room`.
    static std::uint32_t tileBytes(const TileShape& shape, std::uint32_t keys, std::uint32_t room);
    static bool hasKeys(std::uint32_t keys);

    /// Records a sort of at least one key. The caller sets barriers around it.
    void execute(gpu::CommandEncoder& commands, const SortRun& run) const;

    std::uint64_t scratchBytes() const { return work_.size() + status_.size(); }

private:
    void createPipelines(const gpu::Device& device, const TileShape& shape, const OnesweepTuning& tuning);

    std::uint32_t workgroupSize_ = 0;
    std::uint32_t tileKeys_ = 0;
    std::uint32_t workgroups_ = 0;
    gpu::Pipeline count_;
    gpu::Pipeline plan_;
    gpu::Pipeline pass_;
    gpu::Buffer work_;
    gpu::Buffer status_;
};

} // namespace aureole::scan
