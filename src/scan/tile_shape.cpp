#include "scan/tile_shape.h"

#include <algorithm>

#include "core/error.h"
#include "shared/scan.h"
#include "shared/specialization.h"

namespace aureole::scan {

void checkShape(const TileShape& shape, const gpu::DeviceInfo& info) {
    if (shape.items < 1 || shape.items > 4) {
        fail(ExitCode::Internal, "scan: {} items an invocation, expected 1 to 4", shape.items);
    }
    if (shape.rows < 1 || shape.rows > SCAN_MOST_ROWS) {
        fail(ExitCode::Internal, "scan: {} rows, expected 1 to {}", shape.rows, SCAN_MOST_ROWS);
    }
    if (shape.workgroupSize < shape.subgroupSize || shape.workgroupSize % shape.subgroupSize != 0 ||
        shape.workgroupSize > info.maxWorkgroupInvocations) {
        fail(ExitCode::Internal, "scan: workgroups of {} invocations, expected a multiple of {} up to {} on '{}'",
             shape.workgroupSize, shape.subgroupSize, info.maxWorkgroupInvocations, info.name);
    }
}

Chunks cutIntoChunks(std::uint64_t count, std::uint32_t tileItems, std::uint32_t most) {
    const std::uint64_t tiles = std::max<std::uint64_t>(1, (count + tileItems - 1) / tileItems);
    const std::uint64_t tilesOfChunk = (tiles + most - 1) / most;
    Chunks chunks;
    chunks.items = tilesOfChunk * tileItems;
    chunks.count = static_cast<std::uint32_t>((tiles + tilesOfChunk - 1) / tilesOfChunk);
    return chunks;
}

gpu::Pipeline createTilePipeline(const gpu::Device& device, const std::string& name, const gpu::Shader& shader,
                                 const TileShape& shape, bool native, std::uint32_t pushConstantBytes,
                                 const std::vector<gpu::Specialization>& extra) {
    gpu::PipelineOptions options;
    options.name = name;
    options.shader = shader;
    options.pushConstantBytes = pushConstantBytes;
    options.requiredSubgroupSize = shape.subgroupSize;
    options.specialization = {{SPEC_SCAN_WORKGROUP_SIZE, shape.workgroupSize},
                              {SPEC_SCAN_SUBGROUP_SIZE, shape.subgroupSize},
                              {SPEC_SCAN_SUBGROUPS, shape.subgroups()},
                              {SPEC_SCAN_NATIVE, native ? 1U : 0U},
                              {SPEC_SCAN_LOCKSTEP, device.info().isCpu ? 1U : 0U},
                              {SPEC_SCAN_ITEMS, shape.items},
                              {SPEC_SCAN_ROWS, shape.rows}};
    options.specialization.insert(options.specialization.end(), extra.begin(), extra.end());
    return device.createPipeline(options);
}

} // namespace aureole::scan
