#pragma once

// Where primary rays may start: coarse cells of the octree drawn into a picture of tiles
// (shared/octree/coarse_depth.h).

#include <cstdint>

#include "gpu/device.h"
#include "shared/path/camera.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Coarse cells of an octree, for all cameras. Empty where a default one stands.
struct CoarseCells {
    CoarseCells() = default;
    CoarseCells(const gpu::Device& device, const Octree& octree);

    gpu::Buffer cells;
    std::uint32_t count = 0;
    float voxel = 0.0F; ///< side of one, in grid units
};

class CoarseDepth {
public:
    /// The picture of tiles for cameras of `size` pixels. The cells outlive this.
    CoarseDepth(const gpu::Device& device, const CoarseCells& cells, const glm::uvec2& size);

    /// Whether rays of the camera all come through one pinhole or lens, which is what this is for.
    static bool suits(const shared::CameraParams& camera);

    /// Draws the cells as `camera`, in grid units and at that address on the device as well, sees them. `margin` is how
    /// far its rays may leave their pixel's square, in pixels. Ends with a barrier.
    void record(gpu::CommandEncoder& commands, std::uint64_t camera, float margin) const;

    /// Address of the depths on the device.
    std::uint64_t address() const { return depths_.address(); }

private:
    const CoarseCells* cells_;
    gpu::Pipeline pipeline_;
    gpu::Buffer depths_;
};

} // namespace aureole
