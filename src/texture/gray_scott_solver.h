#pragma once

// The Gray-Scott model on the device. The state ping-pongs between two buffers; a workgroup loads a tile and its halo
// once and takes several steps before it stores the tile's middle.

#include <array>
#include <cstdint>
#include <string>

#include "gpu/device.h"
#include "texture/gray_scott.h"

namespace aureole::texture {

/// How a cell's two values are stored between dispatches; they are computed in fp32.
enum class Storage { Float, Half };

/// How the plane is cut. An invocation keeps 4 x rows cells.
struct GrayScottTiling {
    std::uint32_t lanesX = 16; ///< invocations of a workgroup along rows
    std::uint32_t lanesY = 8;  ///< invocations of a workgroup across rows
    std::uint32_t rows = 8;    ///< 1, 2, 4, 8 or 16
    std::uint32_t fused = 8;   ///< the most steps of a dispatch
    bool tiled = true;         ///< else an invocation loads the nine cells about its one, for one step

    std::uint32_t tileWidth() const { return 4 * lanesX; }
    std::uint32_t tileHeight() const { return rows * lanesY; }
    /// Columns on each side of a tile that are loaded for the sake of others: whole blocks.
    std::uint32_t haloColumns() const { return (fused + 3) / 4 * 4; }
    std::uint32_t workgroupBytes() const { return (2 * rows + 4) * lanesX * lanesY * 8; }
};

/// A good tiling for a device.
GrayScottTiling tilingFor(const gpu::DeviceInfo& device);

/// Why a device cannot run a tiling, with what was found and expected; empty where it can.
std::string whyNoTiling(const gpu::DeviceInfo& device, const GrayScottTiling& tiling);

/// Must live until the commands it recorded have ended.
class GrayScottSolver {
public:
    /// Throws Error (BadInput) as checkModel does and for a tiling that the device cannot run, (OutOfMemory).
    GrayScottSolver(gpu::Device device, GrayScott model, Storage storage, const GrayScottTiling& tiling);

    /// The state from which steps count. Throws Error (BadInput) as checkState does.
    void setState(const Concentrations& state);
    Concentrations state() const;
    /// The state at another size, as sampled() of gray_scott_sample.h has it, but made on the device.
    Concentrations sampled(std::uint32_t width, std::uint32_t height) const;

    /// Records so many steps, with the barriers between them and after them.
    void record(gpu::CommandEncoder& commands, std::uint32_t steps);
    /// Records as above in submissions of a bounded number of dispatches, and waits.
    void run(std::uint32_t steps);

    /// Bytes that one step has to move at least: each cell read and written once.
    std::uint64_t bytesOfStep() const;

private:
    std::uint64_t cellBytes() const { return storage_ == Storage::Half ? 4 : 8; }
    void createPipeline();
    void uploadRates();
    void uploadWarp();
    void recordWarp(gpu::CommandEncoder& commands);

    gpu::Device device_;
    GrayScott model_;
    Storage storage_;
    GrayScottTiling tiling_;
    std::uint32_t pitch_ = 0; ///< cells from row to row
    std::array<gpu::Buffer, 2> states_;
    std::uint32_t current_ = 0; ///< of states_
    std::uint32_t done_ = 0;    ///< steps since the state was set
    gpu::Buffer rates_;
    gpu::Buffer times_;
    gpu::Buffer offsets_;
    gpu::Pipeline pipeline_;
    gpu::Pipeline warp_;
};

} // namespace aureole::texture
