#include "bench/traverse/peers/rt/rt_peer.h"

#include <span>

#include "bench/traverse/peers/octree_parts.h"
#include "bench_shaders.h"
#include "core/error.h"
#include "core/set_bits.h"
#include "core/stopwatch.h"
#include "core/threads/parallel.h"
#include "shared/stream/peer_push.h"

namespace aureole::bench {

namespace {

constexpr float kBoxSlack = 1.0F / 1024; ///< of boxes, in voxels: the device may round as it likes
constexpr std::int64_t kPartsAtOnce = 4096;

/// A box as Vulkan has it.
struct Box {
    glm::vec3 low{0.0F};
    glm::vec3 high{0.0F};
};

/// Bricks with their boxes, as rt_boxes.rint reads them: the words of one begin with its corner.
struct Bricks {
    std::vector<shared::uvec2> words;
    std::vector<Box> boxes;
};

/// The box of the solid voxels of a part.
Box boxOf(const OctreePart& part) {
    glm::uvec3 low(4);
    glm::uvec3 high(0);
    for (const std::uint32_t bit : setBits(part.mask)) {
        const glm::uvec3 voxel = shared::bitCell(bit);
        low = glm::min(low, voxel);
        high = glm::max(high, voxel + 1U);
    }
    return {glm::vec3(part.corner + low) - kBoxSlack, glm::vec3(part.corner + high) + kBoxSlack};
}

/// Parts of one node stand together, so that those of a brick are among the ones shortly before.
Bricks makeBricks(const std::vector<OctreePart>& parts, std::uint32_t side) {
    const std::uint32_t across = side / 4;
    const std::size_t ofNode = side == 4 ? 0 : 8; // bricks that other parts may be of
    const std::size_t each = 1 + std::size_t{across} * across * across;
    std::vector<Box> boxes(parts.size());
    parallelFor(static_cast<std::int64_t>(parts.size()), kPartsAtOnce, [&](std::int64_t i) {
        boxes[static_cast<std::size_t>(i)] = boxOf(parts[static_cast<std::size_t>(i)]);
    });
    Bricks bricks;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const glm::uvec3 brick = parts[i].corner / side;
        const shared::uvec2 corner(brick.x | brick.y << 16U, brick.z);
        std::size_t at = bricks.boxes.size();
        const std::size_t first = at > ofNode ? at - ofNode : 0;
        while (at > first && bricks.words[(at - 1) * each] != corner) {
            --at;
        }
        if (at == first) {
            at = bricks.boxes.size() + 1;
            bricks.words.resize(at * each, shared::uvec2(0));
            bricks.words[(at - 1) * each] = corner;
            bricks.boxes.push_back(boxes[i]);
        }
        const glm::uvec3 part = parts[i].corner / 4U % across;
        bricks.words[(at - 1) * each + 1 + part.x + std::size_t{across} * (part.y + across * part.z)] = {
            static_cast<std::uint32_t>(parts[i].mask), static_cast<std::uint32_t>(parts[i].mask >> 32U)};
        Box& box = bricks.boxes[at - 1];
        box = {glm::min(box.low, boxes[i].low), glm::max(box.high, boxes[i].high)};
    }
    return bricks;
}

} // namespace

PeerKernel makeRt(PeerKind kind, const gpu::Device& device, const Octree& octree) {
    if (!device.info().hasRayTracing) {
        fail(ExitCode::Usage,
             "--against: found '{}', but '{}' has no acceleration structures and ray-tracing pipelines",
             peerNames()[static_cast<std::size_t>(kind)], device.info().name);
    }
    const std::uint32_t side = kind == PeerKind::RtBoxes4 ? 4 : 8;
    const Stopwatch watch;
    const Bricks bricks = makeBricks(findParts(octree), side);
    const gpu::Buffer boxes = device.createBufferWith(std::span<const Box>(bricks.boxes), "bench boxes");
    PeerKernel peer;
    peer.owned = device.createBufferWith(std::span<const shared::uvec2>(bricks.words), "bench bricks");
    peer.tracer.emplace(
        device,
        gpu::RayTracerOptions{side == 4 ? "peer_rt_boxes4" : "peer_rt_boxes8", shaders::peer_rt_generation(),
                              side == 4 ? shaders::peer_rt_intersection4() : shaders::peer_rt_intersection8(),
                              shaders::peer_rt_hit(), shaders::peer_rt_miss(), sizeof(shared::PeerTracePush)},
        boxes, static_cast<std::uint32_t>(bricks.boxes.size()));
    peer.buildSeconds = watch.seconds();
    peer.data = peer.tracer->hierarchy();
    peer.leaves = peer.owned.address();
    peer.bytes = peer.tracer->bytes() + peer.owned.size();
    return peer;
}

} // namespace aureole::bench
