#pragma once

// The tile of items that a workgroup takes at a time. Knows shaders/scan/workgroup_scan.glsl.

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/workgroups.h"

namespace aureole::scan {

struct TileShape {
    std::uint32_t subgroupSize = 0;
    std::uint32_t workgroupSize = 0;
    std::uint32_t items = 0; ///< consecutive ones of an invocation, loaded as a vector
    std::uint32_t rows = 0;  ///< vectors of an invocation

    std::uint32_t subgroups() const { return workgroupSize / subgroupSize; }
    std::uint32_t tileItems() const { return workgroupSize * items * rows; }
};

/// Checks a shape against a device. Throws Error (Internal) telling what was asked for and what is possible.
void checkShape(const TileShape& shape, const gpu::DeviceInfo& info);

/// Items cut into chunks of whole tiles, the last one's end aside.
struct Chunks {
    std::uint64_t items = 0; ///< of a chunk
    std::uint32_t count = 0;
};

/// At most `most` chunks of equal size that cover `count` items; one where there are no items.
Chunks cutIntoChunks(std::uint64_t count, std::uint32_t tileItems, std::uint32_t most);

/// The pipeline of a scan shader for a shape. `extra` are the constants of the shader itself
/// (shared/specialization.h).
gpu::Pipeline createTilePipeline(const gpu::Device& device, const std::string& name, const gpu::Shader& shader,
                                 const TileShape& shape, bool native, std::uint32_t pushConstantBytes,
                                 const std::vector<gpu::Specialization>& extra = {});

/// Records a dispatch of `groups` workgroups, numbered along x, then y.
template <typename Push>
void dispatchMany(gpu::CommandEncoder& commands, const gpu::Pipeline& pipeline, const Push& push,
                  std::uint32_t groups) {
    const glm::uvec2 grid = gpu::groupsAlong(groups);
    commands.dispatch(pipeline, push, grid.x, grid.y);
}

} // namespace aureole::scan
