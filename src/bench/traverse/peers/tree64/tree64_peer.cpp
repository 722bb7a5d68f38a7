#include "bench/traverse/peers/tree64/tree64_peer.h"

#include "bench_shaders.h"
#include "shared/specialization.h"
#include "shared/stream/peer_push.h"

namespace aureole::bench {

std::optional<PeerKernel> makeTree64(const gpu::Device& device, const Octree& octree, const DeviceOctree& onDevice) {
    if (!onDevice.isOneChunk()) {
        return std::nullopt;
    }
    const TreeEncoding& tree = *findTree(octree);
    PeerKernel peer;
    peer.pipeline = device.createPipeline({.name = "peer_tree64",
                                           .shader = shaders::peer_tree64(),
                                           .pushConstantBytes = sizeof(shared::PeerTracePush),
                                           .specialization = {{SPEC_TRACE_OCTREE_LEVELS, octree.levels}}});
    peer.data = onDevice.view().nodes[0];
    peer.leaves = onDevice.view().leaves[0];
    peer.bytes = tree.nodes.size() * sizeof(shared::OctreeNode) + tree.leaves.size() * sizeof(shared::uvec2);
    return peer;
}

} // namespace aureole::bench
