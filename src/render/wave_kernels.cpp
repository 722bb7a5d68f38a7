#include "render/wave_kernels.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/threads/parallel.h"
#include "integrator/material_traits.h"
#include "integrator/motion_poses.h"
#include "integrator/path_params.h"
#include "render_shaders.h"
#include "scene/surface.h"
#include "shared/specialization.h"
#include "shared/wave/wave_push.h"
#include "voxel/build/grid.h"

namespace aureole {

namespace {

using Constants = std::vector<gpu::Specialization>;

/// So large that NVIDIA's compiler has 64 registers for an invocation, and a multiprocessor 1024 lanes: for less it
/// takes 80 or 104, and there are 768 or 512.
constexpr std::uint32_t kWorkgroupSize = 1024;
/// The steps of a ray in a turn, after which it is judged what it came to, and the turns of a round, after which its
/// subgroup fetches other rays. Where rays go through voxels they come to many, and those that came to one wait.
constexpr std::uint32_t kStepsPerTurn = 8;
constexpr std::uint32_t kStepsPerTurnThrough = 4;
constexpr std::uint32_t kTurnsPerRound = 1;
constexpr std::uint32_t kTurnsPerRoundThrough = 2;
/// So many times the steps where there are several octrees, as lanes look for others between their steps in one.
constexpr std::uint32_t kStepsAmongGrids = 2;
constexpr std::uint32_t kStepsPerTurnOfCpu = 32;
constexpr std::uint32_t kTurnsPerRoundOfCpu = 8;
/// lavapipe (Mesa 22.3) silently ends all loops of a subgroup after 65,536 iterations. A subgroup fetches rays until it
/// has done so many, and the few that it has then end or are suspended in some 6 rounds.
constexpr std::uint32_t kMostLoopsOfCpu = 50000;
constexpr std::uint32_t kDrainRounds = 64;
/// Octrees of so many voxels a side have their nodes and leaves in one chunk of memory each, mostly.
constexpr std::uint32_t kSideOfOneChunk = 4096;

/// LAYERS_FILLED of the kernels for a film (film_layers.h). A software device compiles for longer than it traces a
/// short render, so that kernels serve all sets of layers there.
std::uint32_t layersOfKernels(const gpu::DeviceInfo& info, const WaveTraits& traits) {
    return info.isCpu && traits.layersInPaths ? ~0U : traits.layers;
}

/// The shaders of scenes of one octree, of several, or of such whose media scatter.
struct WaveShaders {
    gpu::Shader begin;
    gpu::Shader trace;
    gpu::Shader shade;
};

WaveShaders shadersFor(const WaveTraits& traits) {
    if (hasMedia(traits.materialModels)) {
        return {shaders::wave_begin_media(), shaders::wave_trace_grids(), shaders::wave_shade_media()};
    }
    if (traits.manyGrids) {
        return {shaders::wave_begin_grids(), shaders::wave_trace_grids(), shaders::wave_shade_grids()};
    }
    return {shaders::wave_begin(), shaders::wave_trace(), shaders::wave_shade()};
}

/// The depth of the octrees that kernels are made for. On a software device, for the same reason, one kernel serves all
/// of them: 0 leaves the depth to the octree's view.
std::uint32_t levelsOfKernels(const gpu::DeviceInfo& info, std::uint32_t levels) {
    return info.isCpu ? 0 : levels;
}

/// Whether normals are smooth. For the same reason 2 on a software device, which leaves it to the parameters.
std::uint32_t smoothOfKernels(const gpu::DeviceInfo& info, bool smooth) {
    return info.isCpu ? 2 : smooth ? 1 : 0;
}

/// How wave_trace cuts the ways of rays, as specialization constants.
Constants roundsOfTrace(const WaveTraits& traits, const WaveRounds& rounds, bool isCpu) {
    const bool through = traits.encoding == OCTREE_PLANES || traits.encoding == OCTREE_FIELD ||
                         traits.encoding == OCTREE_MIXED || letsLightThrough(traits.materialModels);
    const bool seeks = traits.manyGrids && !letsLightThrough(traits.materialModels);
    std::uint32_t steps = (through ? kStepsPerTurnThrough : kStepsPerTurn) * (seeks ? kStepsAmongGrids : 1);
    std::uint32_t turns = through ? kTurnsPerRoundThrough : kTurnsPerRound;
    if (rounds.steps > 0) {
        steps = rounds.steps;
        turns = 1;
    } else if (isCpu) {
        steps = kStepsPerTurnOfCpu;
        turns = kTurnsPerRoundOfCpu;
    }
    return {{SPEC_TRACE_STEPS_PER_ROUND, steps},
            {SPEC_TRACE_TURNS_PER_ROUND, turns},
            {SPEC_TRACE_LAST_ROUNDS, rounds.last}};
}

/// The constants of all kernels that know an octree; `models` are those of the materials that they meet. A kernel is
/// given no constant that it does not read, so that one pipeline serves scenes which differ in that alone.
Constants constantsOf(const WaveTraits& traits, std::uint32_t workgroupSize, std::uint32_t models) {
    return {{SPEC_TRACE_WORKGROUP_SIZE, workgroupSize},
            {SPEC_TRACE_OCTREE_ENCODING, traits.encoding},
            {SPEC_TRACE_MATERIAL_MODELS, models}};
}

/// The constants of kernels that draw random numbers for samples.
Constants samplingConstantsOf(const gpu::DeviceInfo& info, const WaveTraits& traits) {
    return {{SPEC_TRACE_SAMPLER, traits.sampler}, {SPEC_TRACE_FILM_LAYERS, layersOfKernels(info, traits)}};
}

/// What moves while the shutter is open, of what kernels read. Those of scenes in which nothing does are not given it.
Constants motionOf(const WaveTraits& traits, std::uint32_t read) {
    return (traits.motion & read) != 0 ? Constants{{SPEC_TRACE_MOTION, traits.motion & read}} : Constants();
}

Constants joined(Constants first, const Constants& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// The constants of the kernels that trace rays: wave_trace, and wave_drain, whose loops have no limit (`mostLoops` 0).
Constants tracingConstantsOf(const gpu::DeviceInfo& info, const WaveTraits& traits, const WaveRounds& rounds,
                             std::uint32_t workgroupSize, std::uint32_t mostLoops) {
    // Rays do not know of media: one kernel serves scenes with and without.
    Constants constants = constantsOf(traits, workgroupSize, traits.materialModels & ~(1U << MODEL_MEDIUM));
    constants.push_back({SPEC_TRACE_MOST_LOOPS, mostLoops});
    constants.push_back({SPEC_TRACE_SMOOTH_NORMALS, smoothOfKernels(info, traits.smoothNormals)});
    constants.push_back({SPEC_TRACE_ONE_CHUNK, traits.oneChunk ? 1U : 0U});
    if ((traits.motion & MOTION_INSTANCES) != 0) { // then it draws the times of paths
        constants = joined(std::move(constants), motionOf(traits, MOTION_INSTANCES));
        constants.push_back({SPEC_TRACE_SAMPLER, traits.sampler});
    }
    constants.push_back({SPEC_TRACE_OCTREE_LEVELS, levelsOfKernels(info, traits.levels)});
    return joined(std::move(constants), roundsOfTrace(traits, rounds, info.isCpu));
}

/// `bytes`: of queues for a vertex, where that is a figure of the kernel, else 0.
gpu::PipelineOptions kernel(const gpu::DeviceInfo& info, const char* name, const gpu::Shader& shader,
                            Constants constants, double bytes) {
    gpu::PipelineOptions options;
    options.name = name;
    options.shader = shader;
    options.pushConstantBytes = sizeof(shared::WavePush);
    options.requiredSubgroupSize = info.subgroupSize;
    options.specialization = std::move(constants);
    if (bytes > 0.0) {
        options.figures = {{"bytes/vertex", bytes}};
    }
    return options;
}

std::uint32_t encodingOf(SurfaceKind surface) {
    return surface == SurfaceKind::Planes ? OCTREE_PLANES : surface == SurfaceKind::Field ? OCTREE_FIELD : OCTREE_TREE;
}

} // namespace

std::uint32_t waveWorkgroupSize(const gpu::DeviceInfo& info) {
    // Workgroup memory has the stacks and a table of traversals (traversal_memory.glsl).
    const std::uint32_t stacks = (info.workgroupMemoryBytes - REACH_ENTRIES * 8U) / (OCTREE_MAX_LEVELS * 4U);
    const std::uint32_t lanes = std::min({kWorkgroupSize, info.maxWorkgroupInvocations, stacks});
    return info.isCpu ? info.subgroupSize : lanes / info.subgroupSize * info.subgroupSize;
}

WaveTraits waveTraits(const DeviceScene& scene, const shared::VoxelParams& params) {
    WaveTraits traits;
    traits.encoding = scene.encoding();
    traits.levels = scene.levels();
    traits.materialModels = scene.materialModels();
    traits.sampler = params.path.samplerKind;
    traits.sampling = params.path.sampling;
    traits.layers = scene.filmLayout().filled();
    traits.layersInPaths = scene.filmLayout().inPaths();
    traits.smoothNormals = params.smoothNormals != 0;
    traits.manyGrids = scene.hasGrids();
    traits.oneChunk = scene.isOneChunk();
    traits.motion = (params.moving != 0 ? MOTION_INSTANCES : 0U) | (params.path.cameraPoses != 0 ? MOTION_CAMERA : 0U);
    return traits;
}

WaveQueueUse queueOf(const WaveTraits& traits) {
    const bool panes = (traits.materialModels & (1U << MODEL_THIN_GLASS)) != 0;
    return {letsLightThrough(traits.materialModels), traits.manyGrids, traits.layersInPaths, panes};
}

WaveTraits expectedWaveTraits(const Scene& scene, bool isCpu) {
    std::vector<Material> used(scene.materials.begin(),
                               scene.materials.begin() + std::min<std::ptrdiff_t>(1, std::ssize(scene.materials)));
    for (const MeshInstance& instance : scene.meshInstances) {
        used.push_back(materialOf(scene, instance));
    }
    if (!scene.voxelInstances.empty()) { // which materials its cells have is not looked at
        used.assign(scene.materials.begin(), scene.materials.end());
    }
    const FilmLayout layout = makeFilmLayout(scene, Space());
    WaveTraits traits;
    traits.encoding = encodingOf(scene.voxels.surface);
    traits.levels = octreeLevels(glm::uvec3(scene.voxels.resolution));
    traits.materialModels = modelsOfKernels(modelsOf(used, scene), isCpu);
    traits.sampler = samplerOf(scene.integrator);
    traits.sampling = samplingOf(scene.integrator);
    traits.layers = layout.filled();
    traits.layersInPaths = layout.inPaths();
    traits.smoothNormals = scene.voxels.normals == VoxelNormals::Smooth;
    traits.manyGrids = hasMedia(traits.materialModels);
    traits.oneChunk = scene.voxels.resolution <= kSideOfOneChunk;
    traits.motion = blursCamera(scene) ? MOTION_CAMERA : 0;
    return traits;
}

WaveKernels makeWaveKernels(const gpu::Device& device, const WaveTraits& traits, const WaveRounds& rounds) {
    const gpu::DeviceInfo& info = device.info();
    const WaveTraffic bytes = waveTraffic(queueOf(traits));
    const Constants sampling = samplingConstantsOf(info, traits);
    const std::uint32_t size = waveWorkgroupSize(info);
    const Constants common = joined(constantsOf(traits, size, traits.materialModels), sampling);
    const Constants beginning = joined(common, motionOf(traits, MOTION_CAMERA));
    const Constants shading = joined(joined(common, motionOf(traits, MOTION_INSTANCES)),
                                     {{SPEC_TRACE_SAMPLING, traits.sampling},
                                      {SPEC_TRACE_SMOOTH_NORMALS, smoothOfKernels(info, traits.smoothNormals)}});
    const WaveShaders modules = shadersFor(traits);
    const gpu::PipelineOptions begin = kernel(info, "wave_begin", modules.begin, beginning, bytes.begin);
    const gpu::PipelineOptions shade = kernel(info, "wave_shade", modules.shade, shading, bytes.shade);
    const gpu::PipelineOptions trace =
        kernel(info, "wave_trace", modules.trace,
               tracingConstantsOf(info, traits, rounds, size, info.isCpu ? kMostLoopsOfCpu : 0), bytes.trace);
    gpu::PipelineOptions sum =
        kernel(info, "wave_sum", shaders::wave_sum(), joined({{SPEC_TRACE_WORKGROUP_SIZE, size}}, sampling), 0.0);
    sum.pushConstantBytes = sizeof(shared::WaveSumPush);
    WaveKernels kernels;
    concurrently({[&] { kernels.trace = device.createPipeline(trace); },
                  [&] { kernels.shade = device.createPipeline(shade); },
                  [&] {
                      kernels.begin = device.createPipeline(begin);
                      kernels.sum = device.createPipeline(sum);
                  }});
    return kernels;
}

gpu::Pipeline makeDrainKernel(const gpu::Device& device, const WaveTraits& traits) {
    const gpu::DeviceInfo& info = device.info();
    const WaveTraffic bytes = waveTraffic(queueOf(traits));
    Constants constants = joined(tracingConstantsOf(info, traits, {.last = kDrainRounds}, info.subgroupSize, 0),
                                 samplingConstantsOf(info, traits));
    constants.push_back({SPEC_TRACE_SAMPLING, traits.sampling});
    return device.createPipeline(
        kernel(info, "wave_drain", shaders::wave_drain(), std::move(constants), bytes.trace + bytes.shade));
}

} // namespace aureole
