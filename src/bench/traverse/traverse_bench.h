#pragma once

// Measures the strategies of tracing rays on one octree after the other.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_commands.h"
#include "bench/bench_measure.h"
#include "bench/bench_report.h"
#include "bench/peers/peer_choice.h"
#include "bench/traverse/traverse_arena.h"
#include "bench/traverse/traverse_peers.h"
#include "bench/traverse/traverse_scene.h"

namespace aureole::bench {

/// Ways of tracing rays: one thread a ray, or persistent threads; with rays in their pixels' places, in a queue
/// without those that are none, or in a sorted queue. CoarseStart is Thread of primary rays that start at depths drawn
/// before, where rays end at voxels.
enum class Strategy { Thread, Persistent, Compacted, CompactedPersistent, Sorted, CoarseStart };

/// "thread", "persistent", "compacted", "compacted-persistent", "sorted", "coarse-start", in the order of the
/// enumeration.
const std::vector<std::string>& strategyNames();

struct TraverseOptions {
    BenchOptions common;
    TraverseSceneOptions scene;
    std::vector<std::uint32_t> gyroids;     ///< in place of a scene
    std::vector<std::uint32_t> resolutions; ///< of the scene; empty: its own
    std::vector<std::size_t> surfaces;      ///< SurfaceKind, of the scene; empty: its own
    std::optional<glm::uvec2> size;
    std::vector<std::size_t> strategies = {0, 1, 2, 3, 4, 5};
    std::vector<std::size_t> sets = {0, 1, 2, 3, 4, 6}; ///< RaySet
    PeerChoice against;                                 ///< PeerKind
    std::vector<std::uint32_t> refills = {4};
    std::vector<std::uint32_t> rounds = {6}; ///< steps of them
    std::uint32_t mortonBits = 7;
    bool paths = false; ///< trace whole paths of the scene as well
};

/// Mray/s of each set of rays, by RaySet; 0 where it was not measured.
using SetRates = std::array<double, kRaySets>;

struct StrategyRates {
    std::string strategy;
    SetRates rates{}; ///< of its best tuning
};

struct SceneRates {
    std::string scene;
    std::string surface;
    std::uint32_t resolution = 0; ///< voxels along the longest side
    std::uint64_t voxels = 0;
    double voxelSize = 0.0; ///< in the scene's unit
    std::vector<StrategyRates> strategies;

    /// For each set of rays, the rate of the strategy that is the fastest there.
    SetRates fastest() const;
};

class TraverseBench {
public:
    /// Where the options name neither a scene nor gyroids, a gyroid that fits the device is traced.
    TraverseBench(gpu::Device device, TraverseOptions options);

    /// Measures, prints, and writes the files asked for. No speed of a set of rays is told before the hits of every
    /// strategy proved the same, ray by ray: throws Error (Internal) where they are not, and what the making of octrees
    /// and the writing of files throw.
    void run();

private:
    /// A strategy with its tuning, and what was measured of it.
    struct Candidate {
        Strategy strategy{};
        std::uint32_t refill = 0;
        std::uint32_t steps = 0;
        Spread time{};
        shared::StreamCounters counts{};

        std::string name() const;
    };

    std::vector<Candidate> candidates(const TraverseArena& arena) const;
    bool wants(RaySet set) const;
    /// The scene with one of the surfaces asked for.
    TraverseScene load(std::uint32_t resolution, std::size_t surface) const;
    void benchResolution(std::uint32_t resolution);
    void benchScene(const TraverseScene& source, const TraverseScene& scene);
    void benchRays(const TraverseScene& source, const TraverseScene& scene);
    void benchSet(TraverseArena& arena, RaySet set, std::vector<BenchRow>& preparations, SceneRates& rates,
                  TraversePeers& peers);
    void addRow(const TraverseArena& arena, const Candidate& candidate, const std::string& set,
                const PreparationTimes& times);
    StreamTracer makeTracer(const TraverseArena& arena, const Candidate& candidate, bool counting) const;
    void measure(const TraverseArena& arena, Candidate& candidate) const;
    void verify(const TraverseArena& arena, Candidate& candidate, const std::string& set,
                const std::vector<shared::HitRecord>& expected);
    void addFastest();

    gpu::Device device_;
    TraverseOptions options_;
    BenchReport report_;
    std::vector<SceneRates> rates_;
};

} // namespace aureole::bench
