#include "render/coarse_depth.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/divide_up.h"
#include "gpu/workgroups.h"
#include "render_shaders.h"
#include "voxel/tree/coarse_cells.h"

namespace aureole {

namespace {

constexpr std::uint32_t kCellsPerGroup = 256;
constexpr std::size_t kMostCells = std::size_t{1} << 21U; // of 16 MiB; finer ones cost more than they save

} // namespace

CoarseCells::CoarseCells(const gpu::Device& device, const Octree& octree)
    : voxel(std::ldexp(1.0F, -2 * static_cast<int>(octree.levels))) {
    std::vector<shared::CoarseCell> found = coarseCellsUpTo(octree, kMostCells);
    count = static_cast<std::uint32_t>(found.size());
    found.resize(std::max<std::size_t>(found.size(), 1));
    cells = device.createBufferWith(std::span<const shared::CoarseCell>(found), "coarse cells");
}

CoarseDepth::CoarseDepth(const gpu::Device& device, const CoarseCells& cells, const glm::uvec2& size)
    : cells_(&cells) {
    gpu::PipelineOptions options;
    options.name = "coarse_depth";
    options.shader = shaders::coarse_depth();
    options.pushConstantBytes = sizeof(shared::CoarseDepthPush);
    pipeline_ = device.createPipeline(options);
    depths_ = device.createBuffer(std::uint64_t{shared::coarseWords(size)} * sizeof(std::uint32_t),
                                  gpu::MemoryKind::Device, "coarse depths");
}

bool CoarseDepth::suits(const shared::CameraParams& camera) {
    return camera.projection == CAMERA_PERSPECTIVE;
}

void CoarseDepth::record(gpu::CommandEncoder& commands, std::uint64_t camera, float margin) const {
    commands.fill(depths_, 0, depths_.size(), COARSE_NOTHING);
    commands.barrier();
    if (cells_->count > 0) {
        const shared::CoarseDepthPush push{
            camera, cells_->cells.address(), depths_.address(), cells_->count, cells_->voxel, margin, 0};
        const glm::uvec2 groups = gpu::groupsAlong(divideUp(cells_->count, kCellsPerGroup));
        commands.dispatch(pipeline_, push, groups.x, groups.y);
    }
    commands.barrier();
}

} // namespace aureole
