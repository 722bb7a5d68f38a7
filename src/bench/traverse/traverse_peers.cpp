#include "bench/traverse/traverse_peers.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "bench/traverse/peers/embree/embree_peer.h"
#include "bench/traverse/peers/tree64/tree64_program.h"
#include "bench/traverse/traverse_check.h"
#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole::bench {

namespace {

constexpr double kPeerRounding = 1.0 / (1U << 17U); ///< of the grid's side
constexpr double kMostAtEdges = 0.01;               ///< of the rays; those that hit what they start from graze it, too
constexpr float kNoReach = 4.0F;                    ///< beyond the grid, whose side is 1
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Where a ray is in a box: from `in` to `out`, which is less where it misses.
struct Stretch {
    double in = 0.0;
    double out = 0.0;

    bool isEmpty() const { return !(in < out); }
};

/// The part of a ray in a voxel that is wider on each side by `margin`, or narrower.
Stretch within(const shared::RayRecord& ray, const glm::uvec3& voxel, std::uint32_t levels, double margin) {
    const std::uint32_t last = (1U << (2 * levels)) - 1;
    const double side = std::ldexp(1.0, -2 * static_cast<int>(levels));
    Stretch part{0.0, kNever};
    for (int i = 0; i < 3; ++i) { // as the ray is mirrored, upwards
        const bool isMirrored = ((shared::rayMirrorAxes(ray) >> static_cast<std::uint32_t>(i)) & 1U) != 0;
        const double low = 1.0 + side * (isMirrored ? last - voxel[i] : voxel[i]);
        const double origin = shared::uintBitsToFloat(shared::rayStart(ray))[i];
        const double direction = shared::rayMagnitudes(ray)[i];
        part.in = std::max(part.in, (low - margin - origin) / direction);
        part.out = std::min(part.out, (low + side + margin - origin) / direction);
    }
    return part;
}

/// What is wrong with a hit, in words; empty where nothing is.
std::string faultOf(const TraverseArena& arena, const shared::RayRecord& ray, const shared::HitRecord& hit) {
    const glm::uvec3 voxel = shared::hitVoxel(hit);
    if (!isSolid(arena.scene().octree, glm::ivec3(voxel))) {
        return "which is empty";
    }
    const Stretch about = within(ray, voxel, arena.scene().octree.levels, kPeerRounding);
    const double distance = shared::hitDistance(hit);
    if (about.isEmpty() || distance < about.in - kPeerRounding || distance > about.out + kPeerRounding) {
        return fmt::format("where the ray is from {:.9g} to {:.9g}", about.in, about.out);
    }
    return {};
}

/// Whether rounding explains that a ray ends at one of two places, or misses.
bool mayDiffer(const TraverseArena& arena, const shared::RayRecord& ray, const shared::HitRecord& a,
               const shared::HitRecord& b) {
    const std::uint32_t levels = arena.scene().octree.levels;
    // By geometry: on a plane between two voxels, distances differ by roundings alone.
    const auto placeOf = [&](const shared::HitRecord& hit) {
        const Stretch part = within(ray, shared::hitVoxel(hit), levels, 0.0);
        return part.in + part.out;
    };
    const bool isFirst = isVoxelHit(a) && (!isVoxelHit(b) || placeOf(a) < placeOf(b));
    const shared::HitRecord& nearer = isFirst ? a : b;
    if (within(ray, shared::hitVoxel(nearer), levels, -kPeerRounding).isEmpty()) {
        return true;
    }
    return arena.tracing().hasReach && std::abs(shared::hitDistance(nearer) - arena.queue().reach) <= kPeerRounding;
}

std::size_t pixelsOf(const TraverseArena& arena) {
    return std::size_t{arena.scene().camera.size.x} * arena.scene().camera.size.y;
}

RayStream streamOf(const TraverseArena& arena, bool queued) {
    return queued ? arena.queue() : arena.inPlaces();
}

} // namespace

std::vector<shared::RayRecord> raysByPixel(const TraverseArena& arena) {
    std::vector<shared::RayRecord> rays(pixelsOf(arena));
    for (const shared::RayRecord& ray : arena.rays()) {
        if (shared::isRay(ray) != 0 && shared::rayPixel(ray) < rays.size()) {
            rays[shared::rayPixel(ray)] = ray;
        }
    }
    return rays;
}

PeerAgreement comparePeer(const std::string& what, const TraverseArena& arena,
                          const std::vector<shared::RayRecord>& rays, const std::vector<shared::HitRecord>& expected,
                          const std::vector<shared::HitRecord>& found) {
    std::atomic<std::size_t> same{0};
    std::atomic<std::size_t> atEdges{0};
    forEachIndex(expected.size(), [&](std::size_t pixel) {
        const shared::HitRecord& own = expected[pixel];
        const shared::HitRecord& other = found[pixel];
        const auto refuse = [&](const std::string& why) {
            const std::uint32_t width = arena.scene().camera.size.x;
            fail(ExitCode::Internal, "bench traverse: {}: the ray of pixel ({}, {}) hits {}, {}; expected {}", what,
                 pixel % width, pixel / width, describeHit(other), why, describeHit(own));
        };
        if (isNoHit(own) || isNoHit(other)) {
            if (!(isNoHit(own) && isNoHit(other))) {
                refuse("where one has no ray");
            }
            return;
        }
        const std::string fault = isVoxelHit(other) ? faultOf(arena, rays[pixel], other) : "";
        if (!fault.empty()) {
            refuse(fault);
        }
        const bool isBoth = isVoxelHit(own) && isVoxelHit(other);
        if (isVoxelHit(own) == isVoxelHit(other) && (!isBoth || shared::hitVoxel(own) == shared::hitVoxel(other))) {
            ++same;
        } else if (mayDiffer(arena, rays[pixel], own, other)) {
            ++atEdges;
        } else {
            refuse("though the ray goes through the nearer of them");
        }
    });
    return {same, atEdges};
}

TraversePeers::TraversePeers(gpu::Device device, const TraverseArena& arena, const PeerChoice& choice,
                             BenchReport& report)
    : device_(std::move(device))
    , arena_(&arena)
    , report_(&report) {
    for (const std::size_t kind : choice.peers) {
        const std::string& name = peerNames()[kind];
        if (arena.scene().octree.encodingKind() != OctreeEncoding::Tree) {
            report.note(fmt::format("{}: none, as it takes cubes as a tree", name));
            continue;
        }
        preparePeer(choice.all, name, report, [&] { add(static_cast<PeerKind>(kind)); });
    }
}

void TraversePeers::add(PeerKind kind) {
    const Octree& octree = arena_->scene().octree;
    if (kind == PeerKind::Embree) {
        hosted_.push_back(std::make_unique<EmbreePeer>(octree));
        return;
    }
    if (kind == PeerKind::Tree64Cuda) {
        hosted_.push_back(std::make_unique<Tree64Program>(device_.info(), octree));
        return;
    }
    std::optional<PeerKernel> peer = makePeer(kind, device_, octree, arena_->octree());
    if (peer) {
        peers_.push_back(std::move(*peer));
    } else {
        report_->note(fmt::format("{}: none, as what it traces does not fit its addresses or the device",
                                  peerNames()[static_cast<std::size_t>(kind)]));
    }
}

void TraversePeers::measure(std::uint32_t repeats) {
    timed_.clear();
    const bool hasReach = arena_->tracing().hasReach;
    for (const PeerKernel& peer : peers_) {
        for (const bool queued : {false, true}) {
            const Spread time = chainedSpread(device_, repeats, [&](gpu::CommandEncoder& commands) {
                peer.record(commands, streamOf(*arena_, queued), hasReach);
            });
            timed_.push_back(
                {fmt::format("{}, {}", peer.name, queued ? "compacted" : "thread"), &peer, queued, time, {}});
        }
    }
    for (const std::unique_ptr<HostedPeer>& peer : hosted_) {
        timed_.push_back(timeHosted(*peer, repeats));
    }
}

TraversePeers::Timed TraversePeers::timeHosted(const HostedPeer& peer, std::uint32_t repeats) const {
    const float reach = arena_->tracing().hasReach ? arena_->queue().reach : kNoReach;
    const std::vector<shared::RayRecord> rays = arena_->rays();
    std::vector<shared::HitRecord> hits;
    Timed timed{peer.name(), nullptr, false, peer.trace(rays, reach, repeats, hits), {}};
    timed.hits.assign(pixelsOf(*arena_), {glm::uvec4(TraverseArena::kNoHit)});
    for (std::size_t i = 0; i < rays.size(); ++i) {
        if (shared::isRay(rays[i]) != 0) {
            timed.hits.at(shared::rayPixel(rays[i])) = hits[i];
        }
    }
    return timed;
}

std::vector<shared::HitRecord> TraversePeers::hitsOf(const Timed& timed) const {
    if (timed.kernel == nullptr) {
        return timed.hits;
    }
    const RayStream stream = streamOf(*arena_, timed.queued);
    return arena_->hitsOf(stream, [&](gpu::CommandEncoder& commands) {
        timed.kernel->record(commands, stream, arena_->tracing().hasReach);
    });
}

void TraversePeers::verify(const std::string& set, const std::vector<shared::HitRecord>& expected, double own) {
    const double live = arena_->live();
    const std::vector<shared::RayRecord> rays = raysByPixel(*arena_);
    for (const Timed& timed : timed_) {
        const std::vector<shared::HitRecord> found = hitsOf(timed);
        const std::string& name = timed.name;
        const PeerAgreement agreement = comparePeer(fmt::format("{}, {}", set, name), *arena_, rays, expected, found);
        if (static_cast<double>(agreement.atEdges) > 1.0 + kMostAtEdges * live) {
            fail(ExitCode::Internal, "bench traverse: {}, {}: found {} of {} rays at edges, which is no rounding", set,
                 name, agreement.atEdges, arena_->live());
        }
        const double rate = live / timed.time.median;
        rows_.push_back({{"", name},
                         {"rays of", set},
                         {"Mray/s", rate},
                         {"quartile 1", live / timed.time.upperQuartile},
                         {"quartile 3", live / timed.time.lowerQuartile},
                         {"aureole", own},
                         {"times", own / rate},
                         {"same voxel", static_cast<double>(agreement.same) / live},
                         {"at edges", agreement.atEdges}});
    }
}

void TraversePeers::addTables(const std::string& scene) const {
    if (rows_.empty()) {
        return;
    }
    report_->beginTable(fmt::format("Peers: the same rays through {}", scene));
    for (const BenchRow& row : rows_) {
        report_->add(row);
    }
    report_->beginTable(fmt::format("Peers: memory of the voxels of {}", scene));
    const Octree& octree = arena_->scene().octree;
    const auto add = [&](const std::string& name, std::uint64_t bytes, std::optional<double> seconds) {
        const double bits = 8.0 * static_cast<double>(bytes) / static_cast<double>(octree.voxelCount());
        report_->add({{"", name},
                      {"MB", static_cast<double>(bytes) / 1e6},
                      {"bits/voxel", octree.voxelCount() > 0 ? nlohmann::ordered_json(bits) : nullptr},
                      {"from octree s", seconds ? nlohmann::ordered_json(*seconds) : nullptr}});
    };
    add("aureole", octree.occupancyBytes(), std::nullopt);
    for (const PeerKernel& peer : peers_) {
        add(peer.name, peer.bytes, peer.buildSeconds);
    }
    for (const std::unique_ptr<HostedPeer>& peer : hosted_) {
        add(peer->name().substr(0, peer->name().find(',')), peer->bytes(), peer->buildSeconds());
    }
}

} // namespace aureole::bench
