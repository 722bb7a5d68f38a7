#pragma once

#include "bench/traverse/peers/peer_kernel.h"

namespace aureole::bench {

/// The nodes and leaf masks of aureole's octree, by a plain traversal. None where they are several chunks.
std::optional<PeerKernel> makeTree64(const gpu::Device& device, const Octree& octree, const DeviceOctree& onDevice);

} // namespace aureole::bench
