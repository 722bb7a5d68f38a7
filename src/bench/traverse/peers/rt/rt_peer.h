#pragma once

// Rays by the device's own hierarchies and ray-tracing pipelines: boxes about bricks of voxels, in each of which a
// shader of intersection walks along the ray.

#include "bench/traverse/peers/peer_kernel.h"

namespace aureole::bench {

/// With bricks of 4^3 or of 8^3 voxels, by the kind. Throws Error (Usage) where the device has no
/// ray-tracing pipelines.
PeerKernel makeRt(PeerKind kind, const gpu::Device& device, const Octree& octree);

} // namespace aureole::bench
