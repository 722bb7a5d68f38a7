#include "bench/traverse/peers/nanovdb/nanovdb_peer.h"

#include <limits>

#include "bench/bench_measure.h"
#include "bench/traverse/peers/nanovdb/nano_grid.h"
#include "core/error.h"
#include "core/stopwatch.h"
#ifdef AUREOLE_NANOVDB
#include "bench_shaders.h"
#include "shared/stream/peer_push.h"
#endif

namespace aureole::bench {

#ifdef AUREOLE_NANOVDB

bool hasNanoVdb() {
    return true;
}

std::optional<PeerKernel> makeNanoVdb(PeerKind kind, const gpu::Device& device, const Octree& octree) {
    const bool isFloat = kind == PeerKind::NanoVdbFloat;
    const Stopwatch watch;
    const NanoBricks bricks = collectBricks(octree);
    const std::uint64_t bytes = nanoGridBytes(bricks, isFloat);
    if (bytes > std::numeric_limits<std::uint32_t>::max() || !fitsDevice(device.info(), bytes, bytes)) {
        return std::nullopt;
    }
    const RawVector<std::uint64_t> grid = makeNanoGrid(bricks, isFloat);
    PeerKernel peer;
    peer.buildSeconds = watch.seconds();
    peer.pipeline =
        device.createPipeline({.name = isFloat ? "peer_nanovdb_float" : "peer_nanovdb_index",
                               .shader = isFloat ? shaders::peer_nanovdb_float() : shaders::peer_nanovdb_index(),
                               .pushConstantBytes = sizeof(shared::PeerTracePush)});
    peer.owned = device.createBufferWith(std::span<const std::uint64_t>(grid), "bench NanoVDB grid");
    peer.data = peer.owned.address();
    peer.bytes = bytes;
    return peer;
}

#else

bool hasNanoVdb() {
    return false;
}

std::optional<PeerKernel> makeNanoVdb(PeerKind kind, const gpu::Device& /*device*/, const Octree& /*octree*/) {
    expectBuilt(kind);
    return std::nullopt;
}

#endif

} // namespace aureole::bench
