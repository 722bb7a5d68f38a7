#pragma once

// Others' ways of tracing the rays of the traversal benchmark, each in a folder of its own.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/ray_tracer.h"
#include "render/device_octree.h"
#include "stream/stream_tracer.h"
#include "voxel/tree/octree.h"

namespace aureole::bench {

/// What rays are traced through in place of aureole's octree. Tree64 is a tree of 64-wide nodes, as aureole's is,
/// walked plainly; NanoVDB's are grids of floats and of indices; Embree's is a hierarchy of boxes, on the host; those
/// of RtBoxes are the device's own, about bricks of 4^3 and of 8^3 voxels; Tree64Cuda is Tree64 in CUDA.
enum class PeerKind : std::uint32_t { Tree64, NanoVdbFloat, NanoVdbIndex, Embree, RtBoxes4, RtBoxes8, Tree64Cuda };

/// "tree64", "nanovdb-float", "nanovdb-index", "embree", "rt-boxes4", "rt-boxes8", "tree64-cuda", in the order of the
/// enumeration.
const std::vector<std::string>& peerNames();

/// Throws Error (Usage) that names the package where this program was built without what the peer takes.
void expectBuilt(PeerKind kind);

/// A kernel with one thread for each ray, and what it traces through, in device memory.
struct PeerKernel {
    std::string name;
    gpu::Pipeline pipeline;
    std::optional<gpu::RayTracer> tracer; ///< in place of the pipeline
    gpu::Buffer owned;                    ///< empty of Tree64, which traces aureole's nodes
    std::uint64_t data = 0;               ///< here and below: what PeerTracePush has under these names
    std::uint64_t leaves = 0;
    std::uint32_t levels = 0;
    std::uint64_t bytes = 0;            ///< of what is traced through
    std::optional<double> buildSeconds; ///< on the host, from the voxels of the octree

    /// Records the trace of rays, whose hits have voxel and distance alone. Ends with a barrier.
    void record(gpu::CommandEncoder& commands, const RayStream& stream, bool hasReach) const;
};

/// Makes a peer of any kind but Embree and Tree64Cuda, for an octree of cubes as a tree, which is on the device as
/// well. None where the peer's format or the device has no room for it.
std::optional<PeerKernel> makePeer(PeerKind kind, const gpu::Device& device, const Octree& octree,
                                   const DeviceOctree& onDevice);

} // namespace aureole::bench
