#include "bench/traverse/peers/peer_kernel.h"

#include <limits>

#include "bench/traverse/peers/nanovdb/nanovdb_peer.h"
#include "bench/traverse/peers/rt/rt_peer.h"
#include "bench/traverse/peers/tree64/tree64_peer.h"
#include "core/divide_up.h"
#include "core/error.h"
#include "gpu/workgroups.h"
#include "shared/stream/peer_push.h"

namespace aureole::bench {

namespace {

constexpr std::uint32_t kWorkgroupSize = 256; // of all of their kernels

} // namespace

const std::vector<std::string>& peerNames() {
    static const std::vector<std::string> kNames = {"tree64",    "nanovdb-float", "nanovdb-index", "embree",
                                                    "rt-boxes4", "rt-boxes8",     "tree64-cuda"};
    return kNames;
}

void expectBuilt(PeerKind kind) {
    if ((kind == PeerKind::NanoVdbFloat || kind == PeerKind::NanoVdbIndex) && !hasNanoVdb()) {
        fail(
            ExitCode::Usage,
            "--against: found '{}', which this aureole-bench was built without: install libnanovdb-dev and build again",
            peerNames()[static_cast<std::size_t>(kind)]);
    }
}

void PeerKernel::record(gpu::CommandEncoder& commands, const RayStream& stream, bool hasReach) const {
    shared::PeerTracePush push{};
    push.rays = stream.rays;
    push.hits = stream.hits;
    push.data = data;
    push.leaves = leaves;
    push.count = stream.count;
    push.levels = levels;
    push.reach = hasReach ? stream.reach : std::numeric_limits<float>::max();
    if (tracer) {
        tracer->record(commands, push, stream.count);
    } else {
        const glm::uvec2 groups = gpu::groupsAlong(divideUp(stream.count, kWorkgroupSize));
        commands.dispatch(pipeline, push, groups.x, groups.y);
    }
    commands.barrier();
}

namespace {

std::optional<PeerKernel> makeKind(PeerKind kind, const gpu::Device& device, const Octree& octree,
                                   const DeviceOctree& onDevice) {
    switch (kind) {
    case PeerKind::Tree64:
        return makeTree64(device, octree, onDevice);
    case PeerKind::NanoVdbFloat:
    case PeerKind::NanoVdbIndex:
        return makeNanoVdb(kind, device, octree);
    case PeerKind::RtBoxes4:
    case PeerKind::RtBoxes8:
        return makeRt(kind, device, octree);
    case PeerKind::Embree:
    case PeerKind::Tree64Cuda:
        break;
    }
    fail(ExitCode::Internal, "bench traverse: found a kernel of {}", peerNames()[static_cast<std::size_t>(kind)]);
}

} // namespace

std::optional<PeerKernel> makePeer(PeerKind kind, const gpu::Device& device, const Octree& octree,
                                   const DeviceOctree& onDevice) {
    std::optional<PeerKernel> peer = makeKind(kind, device, octree, onDevice);
    if (peer) {
        peer->name = peerNames()[static_cast<std::size_t>(kind)];
        peer->levels = octree.levels;
    }
    return peer;
}

} // namespace aureole::bench
