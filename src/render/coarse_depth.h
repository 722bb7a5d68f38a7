#pragma once

// Where primary rays may start: coarse cells of the octree drawn into a picture of tiles (shared/coarse_depth.h).

#include <cstdint>

#include "gpu/device.h"
#include "render/stream_tracer.h"
#include "shared/camera.h"
#include "voxel/octree.h"

namespace aureole {

class CoarseDepth {
public:
    /// The cells of `octree`, made once for all cameras, and the picture of tiles for one of `size` pixels.
    CoarseDepth(const gpu::Device& device, const Octree& octree, const glm::uvec2& size);

    /// Whether rays of the camera all come from one point, which is what this is for.
    static bool suits(const shared::CameraParams& camera);

    /// Draws the cells as `camera`, in grid units and at that address on the device as well, sees them. `margin` is how
    /// far its rays may leave their pixel's square, in pixels. Ends with a barrier.
    void record(gpu::CommandEncoder& commands, std::uint64_t camera, float margin) const;

    /// The stream of the camera's rays in their places, started at these depths.
    RayStream start(RayStream stream, const shared::CameraParams& camera) const;

private:
    gpu::Pipeline pipeline_;
    gpu::Buffer cells_;
    gpu::Buffer depths_;
    std::uint32_t count_ = 0;
    float voxel_ = 0.0F;
};

} // namespace aureole
