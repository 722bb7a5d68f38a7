#pragma once

// Peers of the traversal benchmark beside its strategies, on the same rays.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_measure.h"
#include "bench/bench_report.h"
#include "bench/peers/peer_choice.h"
#include "bench/traverse/peers/hosted_peer.h"
#include "bench/traverse/peers/peer_kernel.h"
#include "bench/traverse/traverse_arena.h"

namespace aureole::bench {

/// How the hits of a peer agree with aureole's.
struct PeerAgreement {
    std::size_t same = 0;    ///< rays that hit the same voxel, or miss in both
    std::size_t atEdges = 0; ///< others, one of whose voxels is no more than grazed
};

/// The rays of the arena's set by pixel; none where there is no ray.
std::vector<shared::RayRecord> raysByPixel(const TraverseArena& arena);

/// Compares hits by pixel of such rays. Each voxel told must be solid and on its ray, at the distance told; and of two
/// different ones the ray may not go deeper into the nearer than roundings are: 2^-17 of the grid's side. Throws Error
/// (Internal) that names a ray and both hits.
PeerAgreement comparePeer(const std::string& what, const TraverseArena& arena,
                          const std::vector<shared::RayRecord>& rays, const std::vector<shared::HitRecord>& expected,
                          const std::vector<shared::HitRecord>& found);

/// The peers asked for, of one octree.
class TraversePeers {
public:
    /// Tells in the report which peers there are none of. The arena outlives this.
    TraversePeers(gpu::Device device, const TraverseArena& arena, const PeerChoice& choice, BenchReport& report);

    /// Times all peers on the arena's set of rays, in their places and, on the device, as a queue.
    void measure(std::uint32_t repeats);
    /// Holds their hits against those expected, of which few may be others at edges; `own` is the rate of aureole's
    /// fastest strategy, Mray/s.
    void verify(const std::string& set, const std::vector<shared::HitRecord>& expected, double own);
    /// Adds the tables of what was measured, where there are peers.
    void addTables(const std::string& scene) const;

private:
    struct Timed {
        std::string name;
        const PeerKernel* kernel = nullptr; ///< none of a hosted peer, whose hits are kept
        bool queued = false;
        Spread time{};
        std::vector<shared::HitRecord> hits; ///< by pixel
    };

    void add(PeerKind kind);
    Timed timeHosted(const HostedPeer& peer, std::uint32_t repeats) const;
    std::vector<shared::HitRecord> hitsOf(const Timed& timed) const;

    gpu::Device device_;
    const TraverseArena* arena_;
    BenchReport* report_;
    std::vector<PeerKernel> peers_;
    std::vector<std::unique_ptr<HostedPeer>> hosted_;
    std::vector<Timed> timed_;
    std::vector<BenchRow> rows_;
};

} // namespace aureole::bench
