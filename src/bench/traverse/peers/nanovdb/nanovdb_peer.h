#pragma once

#include "bench/traverse/peers/peer_kernel.h"

namespace aureole::bench {

/// Whether NanoVDB was there when this was built.
bool hasNanoVdb();

/// A grid of NanoVDB whose active voxels are those of the octree. None where it exceeds the 4 GiB that its addresses of
/// 32 bits reach, or the device's memory.
std::optional<PeerKernel> makeNanoVdb(PeerKind kind, const gpu::Device& device, const Octree& octree);

} // namespace aureole::bench
