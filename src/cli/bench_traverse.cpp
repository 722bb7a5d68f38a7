#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/bench_commands.h"
#include "cli/bench_measure.h"
#include "cli/bench_report.h"
#include "cli/traverse_arena.h"
#include "cli/traverse_check.h"
#include "core/error.h"
#include "render/voxel_scene.h"
#include "scene/load.h"
#include "scene/path_setup.h"
#include "voxel/gyroid.h"

namespace aureole::cli {

namespace {

/// Ways of tracing rays; numbers as in strategyNames().
enum class Strategy { Thread, Persistent, Compacted, CompactedPersistent, Sorted };

const std::vector<std::string>& strategyNames() {
    static const std::vector<std::string> kNames = {"thread", "persistent", "compacted", "compacted-persistent",
                                                    "sorted"};
    return kNames;
}

bool isPersistent(Strategy strategy) {
    return strategy != Strategy::Thread && strategy != Strategy::Compacted;
}

struct TraverseOptions {
    BenchOptions common;
    std::string scene;
    std::vector<std::uint32_t> gyroids;
    std::vector<std::uint32_t> resolutions;
    std::optional<glm::uvec2> size;
    std::vector<std::size_t> strategies = {0, 1, 2, 3, 4};
    std::vector<std::size_t> sets = {0, 1, 2, 3, 4, 6};
    std::vector<std::uint32_t> refills = {4};
    std::vector<std::uint32_t> rounds = {8}; ///< steps of them
    std::uint32_t mortonBits = 7;
};

/// A strategy with its tuning, and what was measured of it.
struct Candidate {
    Strategy strategy{};
    std::uint32_t refill = 0;
    std::uint32_t steps = 0;
    Spread time{};
    shared::StreamCounters counts{};

    std::string name() const {
        const std::string& plain = strategyNames()[static_cast<std::size_t>(strategy)];
        return isPersistent(strategy) ? fmt::format("{} {}/{}", plain, refill, steps) : plain;
    }
};

double wide(const glm::uvec2& halves) {
    return halves.x + 4294967296.0 * halves.y;
}

/// A camera outside a gyroid that looks at its middle; the gyroid fills the unit cube.
Scene gyroidScene() {
    Camera camera;
    camera.position = {1.15, 0.8, 1.3};
    camera.target = glm::dvec3(0.5);
    camera.verticalFov = glm::degrees(2.0 * std::atan(0.5));
    Scene scene;
    scene.cameras = {camera};
    return scene;
}

class TraverseBench {
public:
    TraverseBench(gpu::Device device, TraverseOptions options)
        : device_(std::move(device))
        , options_(std::move(options))
        , report_("traverse", device_.info()) {
        const bool isCpu = device_.info().isCpu;
        size_ = options_.size.value_or(isCpu ? glm::uvec2(64, 36) : glm::uvec2(3840, 2160));
        if (options_.scene.empty() && options_.gyroids.empty()) {
            options_.gyroids = {isCpu ? kSmallestGyroid : 1024};
        }
    }

    void run() {
        for (const std::uint32_t side : options_.gyroids) {
            benchScene(prepare(fmt::format("gyroid {}", side), gyroidScene(), makeGyroid(side)));
        }
        if (!options_.scene.empty()) {
            std::vector<std::uint32_t> resolutions = options_.resolutions;
            if (resolutions.empty()) {
                resolutions = {0}; // the scene's
            }
            for (const std::uint32_t resolution : resolutions) {
                benchScene(load(resolution));
            }
        }
        if (fastest_.size() > 1) {
            report_.beginTable("Mray/s of the fastest strategy, against resolution");
            for (const BenchRow& row : fastest_) {
                report_.add(row);
            }
        }
        if (!options_.common.jsonFile.empty()) {
            report_.write(options_.common.jsonFile);
        }
    }

private:
    TraverseScene prepare(const std::string& name, const Scene& scene, Octree octree) const {
        View view;
        view.size = size_;
        view.cropSize = size_;
        TraverseScene result;
        result.name = name;
        result.resolution = std::max({octree.grid.size.x, octree.grid.size.y, octree.grid.size.z});
        result.camera = makeCameraParams(scene, view, gridSpace(octree));
        // A pinhole, and a ray through the centre of each pixel.
        result.camera.apertureRadius = 0.0F;
        result.camera.filterRadius = 0.0F;
        result.octree = std::move(octree);
        return result;
    }

    TraverseScene load(std::uint32_t resolution) const {
        std::vector<SceneOverride> overrides;
        if (resolution > 0) {
            overrides.emplace_back("/voxels/resolution", fmt::format("{}", resolution));
        }
        const Scene scene = loadScene(options_.scene, overrides);
        if (scene.octree && resolution > 0) {
            fail(ExitCode::Usage, "--resolution: found {} for {}, expected none: an octree has its resolution",
                 resolution, options_.scene);
        }
        VoxelSceneStats stats;
        return prepare(options_.scene, scene, makeSceneOctree(scene, {}, stats));
    }

    std::vector<Candidate> candidates() const {
        std::vector<Candidate> all;
        for (const std::size_t index : options_.strategies) {
            const auto strategy = static_cast<Strategy>(index);
            const bool tuned = isPersistent(strategy);
            for (std::size_t refill = 0; refill < (tuned ? options_.refills.size() : 1); ++refill) {
                for (std::size_t steps = 0; steps < (tuned ? options_.rounds.size() : 1); ++steps) {
                    all.push_back({strategy, options_.refills[refill], options_.rounds[steps]});
                }
            }
        }
        return all;
    }

    bool wants(RaySet set) const {
        return std::find(options_.sets.begin(), options_.sets.end(), static_cast<std::size_t>(set)) !=
               options_.sets.end();
    }

    void benchScene(const TraverseScene& scene) {
        TraverseArena arena(device_, scene);
        report_.beginTable(fmt::format("{}: {} voxels, {} levels, {}x{}", scene.name, scene.octree.voxelCount(),
                                       scene.octree.levels, size_.x, size_.y));
        BenchRow fastest{{"", scene.name}, {"resolution", scene.resolution}, {"voxels", scene.octree.voxelCount()}};
        std::vector<BenchRow> preparations;
        const auto last = static_cast<RaySet>(*std::max_element(options_.sets.begin(), options_.sets.end()));
        for (int index = 0; index <= static_cast<int>(last); ++index) {
            const auto set = static_cast<RaySet>(index);
            const bool isSource = set == RaySet::Primary || set >= RaySet::Bounce1;
            if (isSource || wants(set)) {
                arena.make(set);
            }
            if (wants(set)) {
                benchSet(arena, set, preparations, fastest);
            }
        }
        fastest_.push_back(fastest);
        report_.beginTable("what comes before: rays made, those that are none taken out, the others sorted");
        for (const BenchRow& row : preparations) {
            report_.add(row);
        }
    }

    void benchSet(TraverseArena& arena, RaySet set, std::vector<BenchRow>& preparations, BenchRow& fastest) {
        const std::string& name = raySetNames()[static_cast<std::size_t>(set)];
        if (arena.live() == 0) {
            report_.note(fmt::format("{}: no rays", name));
            return;
        }
        std::vector<Candidate> all = candidates();
        const bool sorted =
            std::any_of(all.begin(), all.end(), [](const Candidate& c) { return c.strategy == Strategy::Sorted; });
        if (sorted) {
            arena.sort(options_.mortonBits);
        }
        const PreparationTimes times = arena.time(options_.common.repeats, sorted);
        preparations.push_back(
            {{"", name}, {"rays", arena.live()}, {"making us", times.making}, {"compaction us", times.compaction}});
        preparations.back()["sorting us"] = sorted ? nlohmann::ordered_json(times.sorting) : nullptr;
        // All times before any download: clocks fall while the host compares hits.
        for (Candidate& candidate : all) {
            measure(arena, candidate);
        }
        const std::vector<shared::HitRecord> expected = arena.expectedHits();
        expectAllTraced(name, expected, arena.live());
        expectHitsOfCpu(name, arena, expected);
        double best = 0.0;
        for (Candidate& candidate : all) {
            verify(arena, candidate, name, expected);
            best = std::max(best, arena.live() / candidate.time.median);
        }
        for (const Candidate& candidate : all) {
            report_.add(row(arena, candidate, name, times));
        }
        fastest[name] = best;
    }

    static RayStream streamFor(const TraverseArena& arena, Strategy strategy) {
        return strategy == Strategy::Sorted                                       ? arena.sortedQueue()
               : strategy == Strategy::Thread || strategy == Strategy::Persistent ? arena.inPlaces()
                                                                                  : arena.queue();
    }

    StreamTracer makeTracer(const TraverseArena& arena, const Candidate& candidate, bool counting) const {
        StreamTracerOptions options = arena.tracing();
        options.persistent = isPersistent(candidate.strategy);
        options.refill = candidate.refill;
        options.stepsPerRound = candidate.steps;
        options.counting = counting;
        return {device_, arena.octree(), options};
    }

    void measure(const TraverseArena& arena, Candidate& candidate) const {
        constexpr int kTries = 4; // how many dispatches rays need may vary, where they need more than one
        const RayStream stream = streamFor(arena, candidate.strategy);
        StreamTracer tracer = makeTracer(arena, candidate, false);
        for (int attempt = 0; attempt < kTries; ++attempt) {
            tracer.run(stream);
            candidate.time = chainedSpread(device_, options_.common.repeats,
                                           [&](gpu::CommandEncoder& commands) { tracer.record(commands, stream); });
            if (tracer.finished(stream)) {
                return;
            }
        }
        fail(ExitCode::Internal, "bench traverse: {}: found rays unfinished in the timed runs", candidate.name());
    }

    /// Holds the hits of the very pipeline that was timed, and those of its counting variant, against those expected.
    void verify(const TraverseArena& arena, Candidate& candidate, const std::string& set,
                const std::vector<shared::HitRecord>& expected) const {
        const RayStream stream = streamFor(arena, candidate.strategy);
        const std::string what = fmt::format("{}, {}", set, candidate.name());
        StreamTracer timed = makeTracer(arena, candidate, false);
        expectSameHits(what, expected, arena.tracedHits(timed, stream), size_.x);
        StreamTracer counting = makeTracer(arena, candidate, true);
        candidate.counts = counting.run(stream);
    }

    static BenchRow row(const TraverseArena& arena, const Candidate& candidate, const std::string& set,
                        const PreparationTimes& times) {
        const double live = arena.live();
        double before = 0.0;
        if (candidate.strategy >= Strategy::Compacted) {
            before = times.compaction + (candidate.strategy == Strategy::Sorted ? times.sorting : 0.0);
        }
        const shared::StreamCounters& counts = candidate.counts;
        const double bytes = 16.0 * wide(counts.nodes) + 8.0 * wide(counts.leaves);
        return {{"", candidate.name()},
                {"rays of", set},
                {"Mray/s", live / candidate.time.median},
                {"least", live / candidate.time.most},
                {"most", live / candidate.time.least},
                {"with queue", live / (candidate.time.median + before)},
                {"steps/ray", wide(counts.steps) / live},
                {"lanes busy", wide(counts.steps) / wide(counts.slots)},
                {"bytes/ray", bytes / live},
                {"hits", wide(counts.hits) / live}};
    }

    gpu::Device device_;
    TraverseOptions options_;
    BenchReport report_;
    glm::uvec2 size_{0};
    std::vector<BenchRow> fastest_; ///< of each scene
};

std::vector<std::size_t> parseNames(const std::string& option, const std::string& text,
                                    const std::vector<std::string>& names) {
    std::vector<std::size_t> indices;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        indices.push_back(parseIndex(option, part, names));
    }
    if (indices.empty()) {
        parseIndex(option, text, names);
    }
    return indices;
}

std::vector<std::uint32_t> parseGyroids(const std::string& text) {
    std::vector<std::uint32_t> sides = parseCounts("--gyroid", text, kSmallestGyroid, kLargestGyroid);
    for (const std::uint32_t side : sides) {
        if (!isGyroidSide(side)) {
            fail(ExitCode::Usage, "--gyroid: found {}, expected powers of two from {} to {}", side, kSmallestGyroid,
                 kLargestGyroid);
        }
    }
    return sides;
}

ExitCode runTraverseBench(const TraverseOptions& options) {
    if (!options.scene.empty() && !options.gyroids.empty()) {
        fail(ExitCode::Usage, "--gyroid: found it with the scene {}, expected one of them", options.scene);
    }
    if (options.scene.empty() && !options.resolutions.empty()) {
        fail(ExitCode::Usage, "--resolution: found it without SCENE, whose voxels it counts; --gyroid has its own");
    }
    TraverseBench(openBenchDevice(options.common), options).run();
    return ExitCode::Done;
}

void addTraverseTuning(CLI::App& command, TraverseOptions& options) {
    addValue(command, "--refill", "N,N,..", "Idle lanes of a subgroup that fetch rays together, to try (default: 4)",
             [&](const std::string& text) { options.refills = parseCounts("--refill", text, 1, 128); });
    addValue(command, "--round", "N,N,..", "Steps between two looks for idle lanes, to try (default: 8)",
             [&](const std::string& text) { options.rounds = parseCounts("--round", text, 1, 1024); });
    addValue(command, "--morton-bits", "N", "Bits of a ray's origin that count in sorts, on each axis (default: 7)",
             [&](const std::string& text) { options.mortonBits = parseCount("--morton-bits", text, 1, 9); });
}

} // namespace

void addBenchTraverse(CLI::App& bench, Invocation& invocation) {
    CLI::App* command = bench.add_subcommand("traverse", "Rays through octrees, by several strategies");
    const auto options = std::make_shared<TraverseOptions>();
    command->add_option("SCENE", options->scene, "Scene, model or octree, seen by its first camera");
    addValue(
        *command, "--gyroid", "N,N,..",
        "Instead of a scene, gyroid shells on grids of N^3, powers of two\n(default: 1024; on a software device, 64)",
        [options](const std::string& text) { options->gyroids = parseGyroids(text); });
    addValue(
        *command, "--resolution", "N,N,..", "Voxels along the scene's longest side (default: the scene's)",
        [options](const std::string& text) { options->resolutions = parseCounts("--resolution", text, 16, 16384); });
    addValue(*command, "--size", "WxH", "Primary rays (default: 3840x2160; on a software device, 64x36)",
             [options](const std::string& text) { options->size = parseSize("--size", text); });
    addValue(
        *command, "--strategy", "LIST", "Of thread, persistent, compacted, compacted-persistent, sorted (default: all)",
        [options](const std::string& text) { options->strategies = parseNames("--strategy", text, strategyNames()); });
    addValue(*command, "--rays", "LIST",
             "Of primary, ambient, shadow, bounce1, bounce2, bounce3, bounce4\n(default: all but bounce3)",
             [options](const std::string& text) { options->sets = parseNames("--rays", text, raySetNames()); });
    addTraverseTuning(*command, *options);
    addBenchOptions(*command, options->common);
    command->footer(
        "Mray/s counts rays that are some: of a bounce, those whose path still goes on. 'with queue' adds\n"
        "the times of compaction and sorting, where a strategy needs them. Hits are compared ray by ray,\n"
        "and some with the CPU's, before a speed is told. Surfaces within voxels are left out: rays end at\n"
        "voxels.\n\n"
        "Examples:\n"
        "  aureole bench traverse --gyroid 1024,2048 --json traverse.json\n"
        "  aureole bench traverse scenes/city.json --resolution 512,1024,2048\n"
        "  aureole bench traverse --strategy thread,compacted-persistent --refill 4,6,8 --round 6,8\n"
        "  aureole bench traverse --allow-cpu --gyroid 64 --size 64x36");
    command->callback([options, &invocation] { invocation.run = [options] { return runTraverseBench(*options); }; });
}

} // namespace aureole::cli
