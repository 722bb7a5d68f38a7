#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/bench_commands.h"
#include "bench/traverse/traverse_bench.h"
#include "cli/options/arguments.h"
#include "cli/options/asset_options.h"
#include "cli/options/setting_options.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "settings/limits.h"
#include "settings/voxels.h"
#include "voxel/build/gyroid.h"

namespace aureole::bench {

namespace {

using Options = std::shared_ptr<TraverseOptions>;
using Text = const std::string&;

std::vector<std::uint32_t> parseGyroids(Text text) {
    std::vector<std::uint32_t> sides = parseCounts("--gyroid", text, kSmallestGyroid, kLargestGyroid);
    for (const std::uint32_t side : sides) {
        if (!isGyroidSide(side)) {
            fail(ExitCode::Usage, "--gyroid: found {}, expected powers of two from {} to {}", side, kSmallestGyroid,
                 kLargestGyroid);
        }
    }
    return sides;
}

/// Refuses options of scenes for gyroids, and the other way round.
void checkScene(const TraverseOptions& options) {
    const TraverseSceneOptions& scene = options.scene;
    if (!scene.file.empty()) {
        if (!options.gyroids.empty()) {
            fail(ExitCode::Usage, "--gyroid: found it with the scene {}, expected one of them", scene.file);
        }
        return;
    }
    const char* const option = !options.resolutions.empty()                        ? "--resolution"
                               : !scene.camera.empty()                             ? "--camera"
                               : !options.surfaces.empty()                         ? "--surface"
                               : scene.changes.has(fieldOf(kVoxelFields, "error")) ? "--error"
                               : scene.noCache                                     ? "--no-cache"
                               : !scene.overrides.empty()                          ? "--set"
                               : options.paths                                     ? "--paths"
                                                                                   : nullptr;
    if (option != nullptr) {
        fail(ExitCode::Usage,
             "{}: found it without SCENE, of which it tells; a gyroid is made of cubes at the size of "
             "--gyroid, and kept nowhere",
             option);
    }
}

ExitCode runTraverseBench(const TraverseOptions& options) {
    checkScene(options);
    BenchOptions common = options.common;
    for (const std::size_t peer : options.against.peers) {
        const auto kind = static_cast<PeerKind>(peer);
        common.device.rayTracing |= kind == PeerKind::RtBoxes4 || kind == PeerKind::RtBoxes8;
    }
    TraverseBench(openBenchDevice(common, {{"SCENE", options.scene.file}}), options).run();
    return ExitCode::Done;
}

void addOctree(CLI::App& command, const Options& options) {
    addScene(command, options->scene.file);
    cli::addOverrides(command, options->scene.overrides);
    cli::addValue(
        command, "--gyroid", "N,N,..",
        "Instead of a scene, gyroid shells on grids of N^3, powers of two\n(default: 1024; on a software device, "
        "64)",
        [options](Text text) { options->gyroids = parseGyroids(text); });
    cli::addCamera(command, options->scene.camera);
    cli::addValue(command, "--resolution", "N,N,..", "Voxels along the scene's longest side (default: the scene's)",
                  [options](Text text) {
                      options->resolutions = parseCounts("--resolution", text, kMinimumResolution, kMaximumResolution);
                  });
    CLI::Option* surfaces = cli::addValue(
        command, "--surface", "LIST",
        "Of cubes, planes, field: what voxels show (default: the scene's). All of them\nget the rays that the first "
        "one's voxels make",
        [options](Text text) { options->surfaces = parseIndices("--surface", text, surfaceKindNames()); });
    cli::setHint(command, surfaces, {.names = surfaceKindNames(), .list = true});
    cli::addChange(command, fieldOf(kVoxelFields, "error"),
                   "How far planes may lie from the surface (default: the scene's)", options->scene.changes);
    cli::addValue(command, "--level", "N", "Level of detail of an octree (.avo) or a gyroid: voxels 2^N times as wide",
                  [options](Text text) { options->scene.level = parseCount("--level", text, 0); });
    cli::addFlag(command, "--dag", options->scene.dag, "Merge equal subtrees of an octree of cubes");
    cli::addFlag(command, "--no-cache", options->scene.noCache,
                 "Voxelise even where the octree of these models is in the user's cache,\nand keep none there");
}

void addRays(CLI::App& command, const Options& options) {
    cli::addValue(command, "--size", "WxH", "Primary rays (default: 3840x2160; on a software device, 64x36)",
                  [options](Text text) { options->size = parseSize("--size", text); });
    CLI::Option* rays =
        cli::addValue(command, "--rays", "LIST",
                      "Of primary, ambient, shadow, bounce1, bounce2, bounce3, bounce4\n(default: all but bounce3)",
                      [options](Text text) { options->sets = parseIndices("--rays", text, raySetNames()); });
    cli::setHint(command, rays, {.names = raySetNames(), .list = true});
    CLI::Option* strategies = cli::addValue(
        command, "--strategy", "LIST",
        "Of thread, persistent, compacted, compacted-persistent, sorted, coarse-start (default: all)",
        [options](Text text) { options->strategies = parseIndices("--strategy", text, strategyNames()); });
    cli::setHint(command, strategies, {.names = strategyNames(), .list = true});
    CLI::Option* against =
        cli::addValue(command, "--against", "LIST",
                      "Of tree64, nanovdb-float, nanovdb-index, embree, rt-boxes4, rt-boxes8, tree64-cuda:\npeers that "
                      "trace the same rays; or all: those that there are here (default: none)",
                      [options](Text text) {
                          options->against = parsePeers(text, peerNames());
                          for (std::size_t i = 0; !options->against.all && i < options->against.peers.size(); ++i) {
                              expectBuilt(static_cast<PeerKind>(options->against.peers[i]));
                          }
                      });
    cli::setHint(command, against, {.names = withAll(peerNames()), .list = true});
    cli::addValue(command, "--refill", "N,N,..",
                  "Idle lanes of a subgroup that fetch rays together, to try (default: 4)",
                  [options](Text text) { options->refills = parseCounts("--refill", text, 1, 128); });
    cli::addValue(command, "--round", "N,N,..", "Steps between two looks for idle lanes, to try (default: 6)",
                  [options](Text text) { options->rounds = parseCounts("--round", text, 1, 1024); });
    cli::addValue(command, "--morton-bits", "N",
                  "Bits of a ray's origin that count in sorts, on each axis (default: 7)",
                  [options](Text text) { options->mortonBits = parseCount("--morton-bits", text, 1, 9); });
    cli::addFlag(command, "--paths", options->paths,
                 "Render the SCENE as well, and tell the rays and samples a second of whole paths");
}

} // namespace

void addBenchTraverse(CLI::App& bench, cli::Invocation& invocation) {
    CLI::App* command = cli::addCommand(bench, "traverse", "Rays through octrees, by several strategies");
    const auto options = std::make_shared<TraverseOptions>();
    addOctree(*command, options);
    addRays(*command, options);
    addBenchOptions(*command, options->common, invocation);
    cli::addAssetOptionsTo(*command, invocation.assets);
    cli::setFooter(
        *command,
        "Strategies: 'thread' is one thread a ray; 'persistent' threads fetch rays where lanes run dry, as\n"
        "in 4/6 once 4 lanes are idle, looking every 6 steps; 'compacted' are both on a queue of the rays\n"
        "that are some; 'sorted' are persistent threads on a queue by octant and origin; 'coarse-start', of\n"
        "cubes, is 'thread' of primary rays through a pinhole that start at depths, which are drawn before,\n"
        "in its time, from boxes around parts of the octree.\n"
        "Mray/s counts rays that are some: of a bounce, those whose path still goes on; 'quartile 1' and\n"
        "'quartile 3' tell how it varies over the runs. 'with queue' adds the times of compaction and\n"
        "sorting, where a strategy needs them. Hits are compared ray by ray, and some with the CPU's, before\n"
        "a speed is told; a difference is an error. Rays of planes and fields end at the surface within a\n"
        "voxel, as those of paths do; 'surfaces/ray' tells at how many they looked. The rays of a set start\n"
        "at the voxels that the set before hit, whatever is within.\n"
        "Peers of --against trace cubes with one thread a ray, in places and compacted: 'tree64' aureole's\n"
        "nodes by a plain walk, 'nanovdb-float' and 'nanovdb-index' grids of NanoVDB by its HDDA; 'embree' traces\n"
        "boxes of 4^3 voxels on all cores of the host, 'rt-boxes4' and 'rt-boxes8' boxes of 4^3 and 8^3 by the\n"
        "ray-tracing pipelines of a device that has such, and 'tree64-cuda' is 'tree64' by nvcc of this machine.\n"
        "'aureole' is the fastest strategy's Mray/s. A peer whose hit is another voxel without grazing it is an\n"
        "error.\n\n"
        "Examples:\n"
        "  aureole bench traverse --gyroid 1024,2048 --json traverse.json\n"
        "  aureole bench traverse scenes/city.json --resolution 512,1024,2048 --camera front\n"
        "  aureole bench traverse scenes/cornell.json --paths --json cornell.json\n"
        "  aureole bench traverse scenes/balls.json --surface cubes,planes,field --paths\n"
        "  aureole bench traverse bunny.avo --dag --rays primary,bounce2\n"
        "  aureole bench traverse --strategy thread,compacted-persistent --refill 4,6,8 --round 6,8\n"
        "  aureole bench traverse --gyroid 2048 --against tree64,nanovdb-index,embree\n"
        "  aureole bench traverse --allow-cpu --gyroid 64 --size 64x36");
    cli::onParsed(*command,
                  [options, &invocation] { invocation.run = [options] { return runTraverseBench(*options); }; });
}

} // namespace aureole::bench
