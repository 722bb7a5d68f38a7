#include "bench/traverse/traverse_bench.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bench/bench_measure.h"
#include "bench/traverse/traverse_check.h"
#include "bench/traverse/traverse_paths.h"
#include "core/error.h"
#include "core/host_memory.h"
#include "core/plural.h"
#include "settings/voxels.h"
#include "voxel/build/gyroid.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/dag.h"

namespace aureole::bench {

namespace {

bool isPersistent(Strategy strategy) {
    return strategy == Strategy::Persistent || strategy == Strategy::CompactedPersistent ||
           strategy == Strategy::Sorted;
}

double wide(const glm::uvec2& halves) {
    return halves.x + 4294967296.0 * halves.y;
}

RayStream streamFor(const TraverseArena& arena, Strategy strategy) {
    switch (strategy) {
    case Strategy::Thread:
    case Strategy::Persistent:
        return arena.inPlaces();
    case Strategy::Compacted:
    case Strategy::CompactedPersistent:
        return arena.queue();
    case Strategy::Sorted:
        return arena.sortedQueue();
    case Strategy::CoarseStart:
        return arena.coarseStart();
    }
    fail(ExitCode::Internal, "bench traverse: found the strategy {}", static_cast<int>(strategy));
}

/// What the nodes, masks and surfaces that were counted come to. Of a DAG masks are counted alone; each is reached by a
/// field of an entry or of a leaf reference, which is narrower: at most so many bytes.
double bytesRead(const Octree& octree, const shared::StreamCounters& counts) {
    double leafBytes = sizeof(shared::uvec2);
    if (const auto* const dag = std::get_if<DagEncoding>(&octree.encoding)) {
        leafBytes += dagLayout(*dag).entryBits() / 8.0;
    }
    const double surfaceBytes =
        octree.encodingKind() == OctreeEncoding::Planes ? sizeof(shared::SurfaceSlab) : sizeof(shared::CornerDistances);
    return sizeof(shared::OctreeNode) * wide(counts.nodes) + leafBytes * wide(counts.leaves) +
           surfaceBytes * wide(counts.surfaces);
}

/// Microseconds that a strategy spends before tracing.
double timeBefore(Strategy strategy, const PreparationTimes& times) {
    const bool queued = strategy == Strategy::Compacted || strategy == Strategy::CompactedPersistent;
    return strategy == Strategy::Sorted ? times.compaction + times.sorting.value_or(0.0)
           : queued                     ? times.compaction
                                        : 0.0;
}

BenchRow describePreparation(const std::string& set, std::uint32_t live, const PreparationTimes& times) {
    BenchRow row{{"", set}, {"rays", live}, {"making us", times.making}, {"compaction us", times.compaction}};
    row["sorting us"] = times.sorting ? nlohmann::ordered_json(*times.sorting) : nullptr;
    row["depths us"] = times.depths ? nlohmann::ordered_json(*times.depths) : nullptr;
    return row;
}

} // namespace

const std::vector<std::string>& strategyNames() {
    static const std::vector<std::string> kNames = {"thread", "persistent",  "compacted", "compacted-persistent",
                                                    "sorted", "coarse-start"};
    return kNames;
}

SetRates SceneRates::fastest() const {
    SetRates most{};
    for (const StrategyRates& strategy : strategies) {
        for (std::size_t set = 0; set < kRaySets; ++set) {
            most.at(set) = std::max(most.at(set), strategy.rates.at(set));
        }
    }
    return most;
}

std::string TraverseBench::Candidate::name() const {
    const std::string& plain = strategyNames()[static_cast<std::size_t>(strategy)];
    return isPersistent(strategy) ? fmt::format("{} {}/{}", plain, refill, steps) : plain;
}

TraverseBench::TraverseBench(gpu::Device device, TraverseOptions options)
    : device_(std::move(device))
    , options_(std::move(options))
    , report_("traverse", device_.info()) {
    const bool isCpu = device_.info().isCpu;
    options_.scene.size = options_.size.value_or(isCpu ? glm::uvec2(64, 36) : glm::uvec2(3840, 2160));
    if (options_.scene.file.empty() && options_.gyroids.empty()) {
        options_.gyroids = {isCpu ? kSmallestGyroid : 1024};
    }
    if (!options_.scene.file.empty() && options_.resolutions.empty()) {
        options_.resolutions = {0}; // the scene's
    }
}

void TraverseBench::run() {
    for (const std::uint32_t side : options_.gyroids) {
        checkGyroid(side, options_.scene, device_.info(), hostMemoryBytes());
    }
    for (const std::uint32_t side : options_.gyroids) {
        const TraverseScene scene = makeGyroidScene(side, options_.scene);
        benchScene(scene, scene);
    }
    for (const std::uint32_t resolution : options_.resolutions) {
        benchResolution(resolution);
    }
    addFastest();
    report_.addKernels(device_);
    report_.write(options_.common);
}

std::vector<TraverseBench::Candidate> TraverseBench::candidates(const TraverseArena& arena) const {
    std::vector<Candidate> all;
    for (const std::size_t index : options_.strategies) {
        const auto strategy = static_cast<Strategy>(index);
        if (strategy == Strategy::CoarseStart && !arena.hasCoarseStart()) {
            continue;
        }
        const bool tuned = isPersistent(strategy);
        for (std::size_t refill = 0; refill < (tuned ? options_.refills.size() : 1); ++refill) {
            for (std::size_t steps = 0; steps < (tuned ? options_.rounds.size() : 1); ++steps) {
                all.push_back({strategy, options_.refills[refill], options_.rounds[steps]});
            }
        }
    }
    return all;
}

bool TraverseBench::wants(RaySet set) const {
    return std::find(options_.sets.begin(), options_.sets.end(), static_cast<std::size_t>(set)) != options_.sets.end();
}

/// Loads the scene's octree. Where there are several surfaces, --error is for planes and --dag for cubes.
TraverseScene TraverseBench::load(std::uint32_t resolution, std::size_t surface) const {
    TraverseSceneOptions options = options_.scene;
    const auto isAsked = [&](SurfaceKind kind) {
        return std::count(options_.surfaces.begin(), options_.surfaces.end(), static_cast<std::size_t>(kind)) > 0;
    };
    if (isAsked(SurfaceKind::Planes) && surface != static_cast<std::size_t>(SurfaceKind::Planes)) {
        std::erase_if(options.changes.settings,
                      [](const SettingChange& change) { return change.setting == &fieldOf(kVoxelFields, "error"); });
    }
    if (isAsked(SurfaceKind::Cubes) && surface != static_cast<std::size_t>(SurfaceKind::Cubes)) {
        options.dag = false;
    }
    options.changes.settings.push_back({&fieldOf(kVoxelFields, "surface"), static_cast<std::uint32_t>(surface)});
    return loadTraverseScene(options, resolution);
}

/// Every surface gets the rays that the voxels of the first one make.
void TraverseBench::benchResolution(std::uint32_t resolution) {
    if (options_.surfaces.empty()) {
        const TraverseScene scene = loadTraverseScene(options_.scene, resolution);
        benchScene(scene, scene);
        return;
    }
    const TraverseScene source = load(resolution, options_.surfaces.front());
    benchScene(source, source);
    for (std::size_t i = 1; i < options_.surfaces.size(); ++i) {
        const TraverseScene scene = load(resolution, options_.surfaces[i]);
        if (scene.octree.levels != source.octree.levels || scene.octree.grid.size != source.octree.grid.size) {
            fail(ExitCode::Internal, "bench traverse: {}: found another grid of the surface {}", scene.name,
                 surfaceName(scene.octree));
        }
        benchScene(source, scene);
    }
}

void TraverseBench::benchScene(const TraverseScene& source, const TraverseScene& scene) {
    benchRays(source, scene);
    if (options_.paths) {
        const double bounceRate = rates_.back().fastest().at(static_cast<std::size_t>(RaySet::Bounce1));
        report_.beginTable("whole paths");
        report_.add(tracePaths(device_, *scene.scene, std::span(&scene.octree, 1), scene.view, "waves",
                               samplesOfPaths(device_.info()),
                               bounceRate > 0.0 ? std::optional(bounceRate) : std::nullopt));
    }
}

void TraverseBench::benchRays(const TraverseScene& source, const TraverseScene& scene) {
    const auto coarse = static_cast<std::size_t>(Strategy::CoarseStart);
    TraverseArena arena(device_, source, scene,
                        std::count(options_.strategies.begin(), options_.strategies.end(), coarse) > 0);
    const Octree& octree = scene.octree;
    const glm::uvec2 size = options_.scene.size;
    const std::string& encoding = encodingNames()[octree.encoding.index()];
    report_.beginTable(fmt::format("{}: {}, {}, {}, {}x{}", scene.name, encoding,
                                   countOf(octree.voxelCount(), unitName(octree)), countOf(octree.levels, "level"),
                                   size.x, size.y));
    SceneRates rates{scene.name, surfaceName(octree), scene.resolution, octree.voxelCount(), octree.grid.voxelSize, {}};
    // In the order given; one that is given twice, to be measured by turns, is still one.
    for (const std::size_t strategy : options_.strategies) {
        const std::string& name = strategyNames()[strategy];
        if (std::none_of(rates.strategies.begin(), rates.strategies.end(),
                         [&](const StrategyRates& known) { return known.strategy == name; })) {
            rates.strategies.push_back({name, {}});
        }
    }
    TraversePeers peers(device_, arena, options_.against, report_);
    std::vector<BenchRow> preparations; // the same for every surface
    const auto last = static_cast<RaySet>(*std::max_element(options_.sets.begin(), options_.sets.end()));
    for (int index = 0; index <= static_cast<int>(last); ++index) {
        const auto set = static_cast<RaySet>(index);
        const bool isSource = set == RaySet::Primary || set >= RaySet::Bounce1;
        if (isSource || wants(set)) {
            arena.make(set);
        }
        if (wants(set)) {
            benchSet(arena, set, preparations, rates, peers);
        }
    }
    peers.addTables(scene.name);
    rates_.push_back(std::move(rates));
    if (&source != &scene) {
        return;
    }
    if (!preparations.empty()) {
        report_.beginTable("what comes before: rays made, those that are none taken out, the others sorted");
    }
    for (const BenchRow& row : preparations) {
        report_.add(row);
    }
}

void TraverseBench::benchSet(TraverseArena& arena, RaySet set, std::vector<BenchRow>& preparations, SceneRates& rates,
                             TraversePeers& peers) {
    const std::string& name = raySetNames()[static_cast<std::size_t>(set)];
    if (arena.live() == 0) {
        report_.note(fmt::format("{}: no rays", name));
        return;
    }
    std::vector<Candidate> all = candidates(arena);
    const auto any = [&](Strategy strategy) {
        return std::any_of(all.begin(), all.end(), [=](const Candidate& c) { return c.strategy == strategy; });
    };
    const bool sorted = any(Strategy::Sorted);
    if (sorted) {
        arena.sort(options_.mortonBits);
    }
    const PreparationTimes times = arena.time(options_.common.repeats, sorted, any(Strategy::CoarseStart));
    preparations.push_back(describePreparation(name, arena.live(), times));
    // All times before any download: clocks fall while the host compares hits.
    for (Candidate& candidate : all) {
        measure(arena, candidate);
    }
    peers.measure(options_.common.repeats);
    const std::vector<shared::HitRecord> expected = arena.expectedHits();
    expectAllTraced(name, expected, arena.live());
    for (Candidate& candidate : all) {
        verify(arena, candidate, name, expected);
    }
    expectHitsOfCpu(name, arena, expected);
    double fastest = 0.0;
    for (const Candidate& candidate : all) {
        const double rate = arena.live() / candidate.time.median;
        fastest = std::max(fastest, rate);
        addRow(arena, candidate, name, times);
        for (StrategyRates& strategy : rates.strategies) {
            if (strategy.strategy == strategyNames()[static_cast<std::size_t>(candidate.strategy)]) {
                double& best = strategy.rates.at(static_cast<std::size_t>(set));
                best = std::max(best, rate);
            }
        }
    }
    peers.verify(name, expected, fastest);
}

void TraverseBench::addRow(const TraverseArena& arena, const Candidate& candidate, const std::string& set,
                           const PreparationTimes& times) {
    const double live = arena.live();
    const shared::StreamCounters& counts = candidate.counts;
    const Spread& time = candidate.time;
    const double slots = wide(counts.slots); // 0 where no ray came so far as to step
    BenchRow row{{"", candidate.name()},
                 {"rays of", set},
                 {"Mray/s", live / time.median},
                 {"quartile 1", live / time.upperQuartile},
                 {"quartile 3", live / time.lowerQuartile},
                 {"with queue", live / (time.median + timeBefore(candidate.strategy, times))},
                 {"steps/ray", wide(counts.steps) / live},
                 {"lanes busy", slots > 0.0 ? nlohmann::ordered_json(wide(counts.steps) / slots) : nullptr},
                 {"bytes/ray", bytesRead(arena.scene().octree, counts) / live}};
    if (hasSurfacesWithin(arena.scene().octree)) {
        row["surfaces/ray"] = wide(counts.surfaces) / live;
    }
    row["hits"] = wide(counts.hits) / live;
    report_.add(row);
}

StreamTracer TraverseBench::makeTracer(const TraverseArena& arena, const Candidate& candidate, bool counting) const {
    StreamTracerOptions options = arena.tracing();
    options.persistent = isPersistent(candidate.strategy);
    options.coarseStart = candidate.strategy == Strategy::CoarseStart;
    options.refill = candidate.refill;
    if (options.persistent || options.hasReach || options.surfaces) {
        options.stepsPerRound = candidate.steps;
    }
    options.counting = counting;
    return {device_, arena.octree(), options};
}

void TraverseBench::measure(const TraverseArena& arena, Candidate& candidate) const {
    StreamTracer tracer = makeTracer(arena, candidate, false);
    candidate.time = traceSpread(device_, options_.common.repeats, tracer, streamFor(arena, candidate.strategy),
                                 [&](gpu::CommandEncoder& commands) {
                                     if (candidate.strategy == Strategy::CoarseStart) {
                                         arena.recordCoarseDepth(commands);
                                     }
                                 });
}

/// Holds the hits of the very pipeline that was timed, and those of its counting variant, against those expected.
void TraverseBench::verify(const TraverseArena& arena, Candidate& candidate, const std::string& set,
                           const std::vector<shared::HitRecord>& expected) {
    const RayStream stream = streamFor(arena, candidate.strategy);
    for (const bool counting : {false, true}) {
        StreamTracer tracer = makeTracer(arena, candidate, counting);
        const std::string what = fmt::format("{}, {}{}", set, candidate.name(), counting ? ", counting" : "");
        const std::vector<shared::HitRecord> found = arena.tracedHits(tracer, stream, candidate.counts);
        if (candidate.strategy != Strategy::CoarseStart) {
            expectSameHits(what, expected, found, options_.scene.size.x);
            continue;
        }
        const std::size_t atEdges = expectSameHitsButAtEdges(what, arena, expected, found);
        if (atEdges > 0 && !counting) {
            report_.note(fmt::format("{}: {} of {} go through an edge, by rounding on its other side", what,
                                     countOf(atEdges, "ray"), arena.live()));
        }
    }
}

void TraverseBench::addFastest() {
    report_.beginTable("Mray/s of the fastest strategy");
    for (const SceneRates& scene : rates_) {
        BenchRow row{{"", scene.scene},
                     {"surface", scene.surface},
                     {"resolution", scene.resolution},
                     {"voxels", scene.voxels},
                     {"voxel size", scene.voxelSize}};
        const SetRates fastest = scene.fastest();
        for (std::size_t set = 0; set < kRaySets; ++set) {
            if (wants(static_cast<RaySet>(set))) {
                row[raySetNames()[set]] = fastest.at(set) > 0.0 ? nlohmann::ordered_json(fastest.at(set)) : nullptr;
            }
        }
        report_.add(row);
    }
}

} // namespace aureole::bench
