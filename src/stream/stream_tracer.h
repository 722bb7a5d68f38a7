#pragma once

// Traces rays in buffers: what the traversal benchmark measures. Rays and hits are the records of
// shared/stream/ray_stream.h.

#include <cstdint>

#include "gpu/device.h"
#include "render/device_octree.h"
#include "shared/stream/ray_stream.h"

namespace aureole {

struct StreamTracerOptions {
    bool persistent = false;         ///< threads that fetch rays, instead of one thread a ray
    bool coarseStart = false;        ///< one thread a ray starts at the stream's depths
    std::uint32_t refill = 4;        ///< idle lanes of a subgroup that fetch rays together
    std::uint32_t stepsPerRound = 0; ///< between looks, at idle lanes or at the distance; 0: as is fastest
    bool hasReach = false;           ///< rays end at a distance
    bool surfaces = false;           ///< rays end at the surfaces within voxels, where there are some; else at voxels
    bool counting = false;           ///< fills in the counts of StreamCounters
    std::uint32_t workgroupSize = 0; ///< 0 fits the device
    std::uint32_t workgroups = 0;    ///< of persistent threads; 0 fits the device
    /// Rounds of a dispatch. Rays that need more go on in another one.
    std::uint32_t rounds = 0; ///< 0: as many as every driver bears
};

/// Rays in device memory, and where their hits go.
struct RayStream {
    std::uint64_t rays = 0; ///< address of RayRecord
    std::uint64_t hits = 0; ///< address of HitRecord
    std::uint32_t count = 0;
    float reach = 0.0F; ///< in grid units
    /// Where primary rays in their places start (startedAt): the address of coarse depths.
    std::uint64_t depths = 0;
    glm::vec3 eye{0.0F};
    std::uint32_t tilesAcross = 0;
};

/// The stream of a camera's rays in their places, which start at the coarse depths (CoarseDepth) at that address.
RayStream startedAt(std::uint64_t depths, const shared::CameraParams& camera, RayStream stream);

/// Traces streams of rays in one way.
class StreamTracer {
public:
    StreamTracer(const gpu::Device& device, const DeviceOctree& octree, const StreamTracerOptions& options);

    /// Traces all rays: dispatches until none is unfinished, and remembers how many that took. Throws Error (Internal)
    /// where rays never end.
    shared::StreamCounters run(const RayStream& stream);
    /// Records the trace with as many dispatches as the last run() took. Ends with a barrier.
    void record(gpu::CommandEncoder& commands, const RayStream& stream) const;
    /// Whether all rays of a recorded trace that was submitted have ended.
    bool finished(const RayStream& stream) const;

private:
    void recordDispatch(gpu::CommandEncoder& commands, const RayStream& stream, bool fresh) const;

    gpu::Device device_;
    StreamTracerOptions options_;
    std::uint64_t octree_;
    std::uint64_t nodes_; ///< of the octree, the first chunks
    std::uint64_t leaves_;
    std::uint64_t starts_;
    std::uint32_t dispatches_ = 1;
    gpu::Pipeline pipeline_;
    gpu::Buffer counters_;
    gpu::Buffer reachable_; ///< what the workgroups' tables are copied from
    gpu::Buffer lanes_;     ///< of persistent threads
};

} // namespace aureole
