#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "render/device_octree.h"
#include "shared/stream/ray_work.h"

namespace aureole {

/// Casts given rays through an octree on the device, for tests and benchmarks.
class RayCaster {
public:
    /// A caster for octrees of one encoding.
    explicit RayCaster(gpu::Device device, OctreeEncoding encoding = OctreeEncoding::Tree);

    /// The first voxel that each ray hits, or meets the surface in. A dispatch takes at most `stepsPerDispatch` steps a
    /// ray; dispatches repeat until the count of finished rays equals that of the given ones.
    std::vector<shared::RayHit> cast(const DeviceOctree& octree, std::span<const shared::GridRay> rays,
                                     std::uint32_t stepsPerDispatch = 4096) const;

private:
    gpu::Device device_;
    OctreeEncoding encoding_;
    gpu::Pipeline pipeline_;
};

/// Casts rays on the CPU, by the same traversal function.
std::vector<shared::RayHit> castOnCpu(const Octree& octree, std::span<const shared::GridRay> rays);

/// A ray as the traversal takes it, from a point of the grid (in voxels) along a direction; the first cell is the one
/// that holds the point.
shared::GridRay makeGridRay(const Octree& octree, const glm::dvec3& point, const glm::dvec3& direction);

} // namespace aureole
