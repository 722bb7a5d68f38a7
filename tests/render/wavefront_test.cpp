// Paths traced in waves are those that are traced one at a time, however waves are cut.

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "one_path.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "statistics.h"
#include "voxel/build/scene_octree.h"

namespace aureole {
namespace {

/// A box and a ball of smooth normals, one of them of metal, on a floor under a lamp, a bulb, a sun and a sky.
Scene room() {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.resize(4);
    scene.materials[0].albedo = glm::vec3(0.7F, 0.6F, 0.5F);
    scene.materials[1].albedo = glm::vec3(0.9F, 0.8F, 0.6F);
    scene.materials[1].model = MaterialModel::MetallicRoughness;
    scene.materials[1].roughness = 0.3F;
    scene.materials[1].metalness = 1.0F;
    scene.materials[2].emission = glm::vec3(6.0F, 5.0F, 4.0F);
    scene.materials[3].model = MaterialModel::Mirror;
    scene.meshes = {boxMesh({-1.5F, -0.5F, -1.5F}, {1.5F, 0.0F, 1.5F}), ballMesh(24),
                    boxMesh({-0.5F, 1.8F, -0.5F}, {0.5F, 1.9F, 0.5F}),
                    boxMesh({0.6F, 0.0F, -0.8F}, {0.9F, 1.2F, 0.4F})};
    scene.meshInstances.resize(4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        scene.meshInstances[i].mesh = i;
        scene.meshes[i].material = i;
    }
    scene.meshInstances[1].worldFromMesh =
        glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(-0.4, 0.5, 0.0)), glm::dvec3(0.5));
    scene.meshInstances[3].worldFromMesh = glm::rotate(glm::dmat4(1.0), 0.4, glm::dvec3(0.0, 1.0, 0.0));
    Camera camera;
    camera.position = glm::dvec3(2.0, 1.6, 3.2);
    camera.target = glm::dvec3(0.0, 0.6, 0.0);
    camera.verticalFov = 50.0;
    scene.cameras = {camera};
    scene.environment.radiance = glm::vec3(0.2F, 0.25F, 0.35F);
    scene.environment.sun = Sun{glm::normalize(glm::dvec3(1, 2, 1)), 2.0, glm::vec3(3.0F)};
    PunctualLight bulb;
    bulb.position = glm::dvec3(0.2, 1.3, 0.2); // below the lamp
    bulb.intensity = glm::vec3(0.5F);
    PunctualLight inVoxel; // a fifth of a voxel before the ball, so that shadow rays get there in the ball's own voxels
    inVoxel.position = glm::dvec3(-0.1343, 0.3937, 0.4252);
    inVoxel.intensity = glm::vec3(0.1F);
    scene.lights = {bulb, inVoxel};
    scene.film.width = 26;
    scene.film.height = 17;
    scene.voxels.resolution = 48;
    scene.integrator.maxDepth = 8;
    scene.integrator.sampler = SamplerKind::Independent;
    // Groups of which only layers tell.
    scene.lightGroups = {"", "lamp", "bulb", "sun"};
    scene.materials[2].lightGroup = 1;
    scene.lights[0].lightGroup = 2;
    scene.environment.sun->lightGroup = 3;
    return scene;
}

class WavefrontTest : public gpu::GpuTest {
protected:
    struct Picture {
        FilmSums film;
        std::uint64_t rays = 0;
        std::uint64_t dispatches = 0;
    };

    Picture render(const WavefrontOptions& options = {}, const IndexRanges& ranges = {{0, 8}}) const {
        const DeviceScene onDevice(device(), scene, octree);
        PathTracer tracer(device(), onDevice, view(), options);
        for (const auto& [first, end] : ranges) {
            EXPECT_EQ(tracer.render(first, end, [](double) { return true; }), end);
        }
        return {tracer.film(), tracer.stats().rays, tracer.stats().dispatches};
    }

    View view() const {
        View view = defaultView(scene);
        if (cropSize.x > 0) {
            view.cropOrigin = cropOrigin;
            view.cropSize = cropSize;
        }
        return view;
    }

    void build() { octree = SceneOctree(scene).take(scene); }

    /// All layers, and a clamp that is met.
    void fillLayers() {
        scene.film.aovs = AovSet::all();
        scene.integrator.clamp = 0.3;
    }

    /// Of a software device, whose memory the CPU reads as its own: a GPU's it cannot. It does not round everywhere as
    /// the CPU does, which sends a path of many elsewhere.
    void expectThePathsPicture(const IndexRanges& ranges = {{0, 8}}, const WavefrontOptions& options = {}) const {
        if (!device().info().isCpu) {
            return;
        }
        const DeviceScene onDevice(device(), scene, octree);
        const OnePathPicture whole = renderOnePathAtATime(onDevice, view(), ranges);
        const Picture inWaves = render(options, ranges);
        ASSERT_EQ(inWaves.film.radiance.size(), whole.radiance.size());
        std::size_t different = 0;
        double expected = 0.0;
        double found = 0.0;
        for (std::size_t i = 0; i < whole.radiance.size(); ++i) {
            const double off = std::abs(inWaves.film.radiance[i] - whole.radiance[i]);
            different += off > 1e-4 * std::max(whole.radiance[i], 1.0) ? 1 : 0;
            expected += whole.radiance[i];
            found += inWaves.film.radiance[i];
        }
        EXPECT_LE(different, whole.radiance.size() / 50) << "of " << whole.radiance.size();
        EXPECT_NEAR(found, expected, 2e-3 * expected);
        EXPECT_GT(expected, 0.05 * static_cast<double>(whole.radiance.size()));
        EXPECT_NEAR(static_cast<double>(inWaves.rays), static_cast<double>(whole.rays),
                    1e-3 * static_cast<double>(whole.rays));
    }

    /// How many paths are left to be drained where cuts are tried: on a GPU as many as it takes. Compiling that kernel
    /// takes a software device long, so that there none are unless `onCpu`.
    static std::uint32_t mostDrained(bool onCpu = false) { return onCpu || !device().info().isCpu ? kMostDrained : 0; }

    /// After how many rounds rays are put off where cuts are tried. Each number takes a software device a kernel of its
    /// own, so that there it is one that others have unless `onCpu`.
    static std::uint32_t fewestRounds(bool onCpu = fullSweep()) { return onCpu || !device().info().isCpu ? 1 : 6; }

    /// However many paths a wave has, and wherever it puts rays off: nothing shows in the picture and its layers.
    void expectSameHoweverCut(const std::vector<WavefrontOptions>& cuts) const {
        const Picture whole = render({.drained = 0});
        for (const WavefrontOptions& options : cuts) {
            SCOPED_TRACE(::testing::Message()
                         << options.capacity << ' ' << options.samplesAtOnce << ' ' << options.rounds.last << ' '
                         << options.rounds.steps << ' ' << options.drained);
            const Picture cut = render(options);
            expectSameSums(cut.film, whole.film);
            EXPECT_EQ(cut.rays, whole.rays);
        }
    }

    static constexpr std::uint32_t kMostDrained =
        1000000; ///< as soon as all paths have begun, if the device holds them
    /// Each ray is put off after each of its steps. A software device takes so many at once that it puts few off.
    static constexpr WavefrontOptions kCutAtEachStep = {
        .capacity = 700, .rounds = {.last = 1, .steps = 1}, .drained = 0};
    Scene scene = room();
    glm::uvec2 cropOrigin{0};
    glm::uvec2 cropSize{0}; ///< of no columns: the whole picture
    Octree octree;
};

TEST_F(WavefrontTest, DrawsThePaths) {
    const std::vector<VoxelNormals> all = {VoxelNormals::Smooth, VoxelNormals::Face};
    for (const VoxelNormals normals : std::span(all).first(fullSweep() ? 2 : 1)) {
        scene.voxels.normals = normals;
        build();
        expectThePathsPicture();
    }
}

TEST_F(WavefrontTest, DrawsThemWithEverySamplingAndSampler) {
    build();
    scene.integrator.sampling = DirectionSampling::Uniform;
    const std::vector<LightSampling> all = {LightSampling::Lights, LightSampling::Bsdf};
    for (const LightSampling lights : std::span(all).first(fullSweep() ? 2 : 1)) {
        scene.integrator.lightSampling = lights;
        expectThePathsPicture();
    }
    // Kernels of other tests: with that sampler matt surfaces have some.
    scene.integrator = room().integrator;
    scene.integrator.sampler = SamplerKind::Sobol;
    for (Material& material : scene.materials) {
        material.model = MaterialModel::Lambert;
    }
    // Amid the room, close above its floor, so that coarse cells are about the camera.
    scene.cameras[0].position = glm::dvec3(0.2, 0.12, 1.0);
    scene.cameras[0].target = glm::dvec3(-0.3, 0.2, 0.0);
    build();
    expectThePathsPicture();
}

/// Camera rays start at depths of tiles of the full picture, which rays of a wide filter leave far behind.
TEST_F(WavefrontTest, DrawsThemInACropThroughAWideFilter) {
    scene.film.width = 160;
    scene.film.height = 100;
    scene.film.filterRadius = 12.0;
    cropOrigin = {37, 21};
    cropSize = {90, 11};
    build();
    expectThePathsPicture();
}

/// In waves rays start where their coarse tile lets them, which a lens blurs: in front of what is in focus, and behind.
TEST_F(WavefrontTest, DrawsThemThroughALens) {
    scene.cameras[0].apertureRadius = 1.0;
    scene.film.width = 96;
    scene.film.height = 64;
    for (const double focus : {1.5, 3.0, 20.0}) {
        scene.cameras[0].focusDistance = focus;
        build();
        expectThePathsPicture({{0, 2}});
    }
}

TEST_F(WavefrontTest, DrawsThemOnPlanesHoweverWavesAreCut) {
    scene.voxels.surface = SurfaceKind::Planes;
    build();
    expectThePathsPicture();
    expectSameHoweverCut(
        {{.capacity = 700, .rounds = {.last = fewestRounds()}, .drained = mostDrained()}, {.paths = 1.0}});
    if (fullSweep()) {
        scene.voxels.normals = VoxelNormals::Face;
        build();
        expectThePathsPicture({{0, 8}}, {.capacity = 700, .rounds = {.last = 1}});
    }
}

TEST_F(WavefrontTest, DrawsThemOnAFieldHoweverWavesAreCut) {
    scene.voxels.surface = SurfaceKind::Field;
    build();
    expectThePathsPicture();
    // Bits that are no surface: what the next voxel says of the side is mostly wrong.
    std::mt19937 random(3);
    for (shared::CornerDistances& corners : std::get<FieldEncoding>(octree.encoding).distances) {
        corners.middle = static_cast<std::uint32_t>(random());
    }
    expectThePathsPicture();
    fillLayers(); // which also know of which light a ray that is put off was sent to
    expectSameHoweverCut({{.capacity = 700, .rounds = {.last = fewestRounds(true)}, .drained = mostDrained()}});
}

/// A ball of glass and a pane, on each surface: what rays know of glass is the same however waves are cut.
TEST_F(WavefrontTest, DrawsThemThroughGlassHoweverWavesAreCut) {
    scene.materials[1] = {};
    scene.materials[1].model = MaterialModel::Dielectric;
    scene.materials[1].ior = 1.5;
    scene.materials[1].absorption = glm::dvec3(0.3, 1.0, 2.0);
    scene.materials[3] = {};
    scene.materials[3].model = MaterialModel::ThinGlass;
    const std::vector<SurfaceKind> all = {SurfaceKind::Field, SurfaceKind::Cubes, SurfaceKind::Planes};
    for (const SurfaceKind surface : std::span(all).first(fullSweep() ? 3 : 1)) {
        SCOPED_TRACE(static_cast<int>(surface));
        scene.voxels.surface = surface;
        build();
        expectThePathsPicture();
        const bool drains = fullSweep() && surface == SurfaceKind::Field;
        expectSameHoweverCut(
            {{.capacity = 700, .rounds = {.last = fewestRounds()}, .drained = mostDrained(drains)}, kCutAtEachStep});
    }
}

/// A ball that shines stands with a wall in a block of frosted glass, into which the camera looks or, of cubes, in
/// which it is: shadow rays are in glass where they start or as soon as they have crossed its surface, and waves cut
/// them.
TEST_F(WavefrontTest, DrawsALampInGlassHoweverWavesAreCut) {
    scene.materials[1] = scene.materials[2];
    scene.materials[3] = {};
    Material frosted;
    frosted.model = MaterialModel::Dielectric;
    frosted.roughness = 0.4F;
    frosted.ior = 1.25F;
    frosted.absorption = glm::dvec3(0.5, 2.0, 4.0);
    scene.materials.push_back(frosted);
    scene.meshes.push_back(boxMesh({-1.3F, -0.2F, -1.3F}, {1.3F, 1.4F, 1.3F}));
    scene.meshes.back().material = 4;
    scene.meshInstances.emplace_back();
    scene.meshInstances.back().mesh = 4;
    for (const SurfaceKind surface : {SurfaceKind::Planes, SurfaceKind::Field, SurfaceKind::Cubes}) {
        SCOPED_TRACE(static_cast<int>(surface));
        scene.voxels.surface = surface;
        if (surface == SurfaceKind::Cubes) {
            scene.cameras[0].position = glm::dvec3(0.0, 1.0, 1.1);
        }
        build();
        expectThePathsPicture();
        if (surface == SurfaceKind::Cubes || fullSweep()) {
            expectSameHoweverCut(
                {{.capacity = 700, .rounds = {.last = fewestRounds(true)}, .drained = mostDrained()}, kCutAtEachStep});
        }
    }
    // Where a part of a flat camera is in glass, rays ask the first voxel that knows what they are in.
    scene.cameras[0].projection = Projection::Orthographic;
    scene.cameras[0].height = 1.2;
    expectThePathsPicture();
}

/// However many paths a wave has, wherever it puts rays off, and however its workgroups lie: nothing shows in the
/// picture and its layers. Nor where a pass has room for so few paths that the samples of a pixel are added up in
/// several goes.
TEST_F(WavefrontTest, CuttingWavesChangesNothing) {
    fillLayers();
    build();
    expectSameHoweverCut({{.capacity = 700, .rounds = {.last = fewestRounds()}, .drained = mostDrained()},
                          {.capacity = 3001, .samplesAtOnce = 3, .groupsAcross = 1, .drained = 0},
                          kCutAtEachStep});
}

/// The last paths of a pass go to their ends in a kernel of their own: never, as late as possible, or as soon as all
/// have begun. A software device takes long to make that kernel, and does so once. Some paths are longer than the waves
/// that are submitted at once.
TEST_F(WavefrontTest, DrainingChangesNothing) {
    fillLayers();
    scene.integrator.maxDepth = 100;
    scene.materials[0].albedo = scene.materials[1].albedo = glm::vec3(0.98F);
    build();
    const std::uint32_t rounds = quickOrFull(6U, 100U); // 6 is what other tests have kernels for
    const Picture never = render({.rounds = {.last = rounds}, .drained = 0});
    std::vector<std::uint32_t> limits = {kMostDrained};
    if (fullSweep() || !device().info().isCpu) {
        limits.push_back(1);
    }
    for (const std::uint32_t limit : limits) {
        SCOPED_TRACE(limit);
        const Picture drained = render({.rounds = {.last = rounds}, .drained = limit});
        expectSameSums(drained.film, never.film);
        EXPECT_EQ(drained.rays, never.rays);
        EXPECT_TRUE(limit == 1 || drained.dispatches < never.dispatches) << "it was drained";
    }
}

TEST_F(WavefrontTest, RangesGiveTheBytesOfAnUnbrokenRun) {
    fillLayers();
    build();
    const FilmSums whole = render({}, {{0, 24}}).film;
    expectSameSums(render({}, {{0, 8}, {8, 24}}).film, whole);
    // Within a batch the sums are cut elsewhere.
    const FilmSums cut = render({}, {{0, 5}, {5, 24}}).film;
    for (std::size_t i = 0; i < whole.radiance.size(); ++i) {
        ASSERT_NEAR(cut.radiance[i], whole.radiance[i], 1e-5 * std::max(1.0, whole.radiance[i]));
    }
}

/// Where a batch would go on past the largest number of a sample.
TEST_F(WavefrontTest, TheLastSamplesAreTheLast) {
    build();
    const IndexRanges last = {{0xFFFFFFFAU, 0xFFFFFFFFU}};
    expectThePathsPicture(last);
    EXPECT_GT(render({}, last).rays, 5U * 26U * 17U);
}

/// Pixels that are done begin no paths, and those that are left have the same sums however waves are cut.
TEST_F(WavefrontTest, RendersActiveTilesOnly) {
    fillLayers();
    build();
    const DeviceScene onDevice(device(), scene, octree);
    const auto adaptive = [&](const WavefrontOptions& options) {
        PathTracer tracer(device(), onDevice, defaultView(scene), options);
        tracer.render(0, 16, [](double) { return true; });
        tracer.retire(0.4);
        tracer.render(16, 32, [](double) { return true; });
        EXPECT_LT(tracer.activePixels(), 26U * 17U);
        EXPECT_GT(tracer.activePixels(), 0U);
        return tracer.film();
    };
    const FilmSums whole = adaptive({.drained = 0});
    for (const WavefrontOptions& options : {WavefrontOptions{.capacity = 700, .drained = mostDrained()},
                                            WavefrontOptions{.capacity = 90, .samplesAtOnce = 1, .groupsAcross = 3}}) {
        const FilmSums cut = adaptive(options);
        EXPECT_EQ(cut.counts, whole.counts);
        expectSameSums(cut, whole);
    }
}

/// Queues grow with the memory, up to what pays, and leave three quarters of what is free to others.
TEST(Wavefront, HasQueuesThatLeaveRoom) {
    constexpr std::uint64_t kFewest = 1U << 14U;
    constexpr std::uint64_t kMost = 1U << 23U;
    gpu::DeviceInfo info;
    for (const std::uint64_t mebibytes : {2048U, 8192U, 24576U, 81920U, 144384U}) {
        info.memoryBytes = mebibytes << 20U;
        for (const std::uint64_t free : {info.memoryBytes, info.memoryBytes / 5, info.memoryBytes / 40}) {
            for (const std::uint64_t slotBytes : {waveSlotBytes({}), waveSlotBytes({.glass = true, .grids = true})}) {
                SCOPED_TRACE(::testing::Message() << mebibytes << " MiB, " << free << " free, slots of " << slotBytes);
                const std::uint64_t most = std::min(free / 4, info.memoryBytes / 16);
                const std::uint64_t slots = Wavefront::slotsThatFit(Wavefront::withFree(info, free), slotBytes);
                EXPECT_LE(2 * slots * slotBytes, most);
                EXPECT_TRUE(slots == kMost || 2 * (slots + 1) * slotBytes > most);
                EXPECT_GE(slots, kFewest);
            }
        }
    }
    info.memoryBytes = 0;
    EXPECT_EQ(Wavefront::slotsThatFit(info, waveSlotBytes({})), kFewest);
}

/// Layers take no more memory than radiance alone may.
TEST(Wavefront, HasAsManyPathsAtOnceAsFit) {
    Scene scene;
    const FilmLayout plain = makeFilmLayout(scene, Space{});
    scene.film.aovs = AovSet::all();
    const FilmLayout layers = makeFilmLayout(scene, Space{});
    ASSERT_TRUE(layers.inPaths());
    constexpr std::uint64_t kRadiance = 12;
    const std::uint64_t record = 4 * (layers.layers.count - LAYER_ID);
    gpu::DeviceInfo info;
    info.maxAllocationBytes = 0xFFE00000U;
    for (const std::uint64_t gibibytes : {2U, 8U, 24U, 141U}) {
        info.memoryBytes = gibibytes << 30U;
        const std::uint64_t least = std::min<std::uint64_t>(info.memoryBytes / 16, 192U << 20U);
        const std::uint64_t share = std::max<std::uint64_t>(info.memoryBytes / 32, least);
        const std::uint64_t alone = Wavefront::pathsAtOnce(info, plain);
        EXPECT_EQ(alone, std::min<std::uint64_t>(share / kRadiance, 1U << 27U)) << gibibytes;
        const std::uint64_t paths = Wavefront::pathsAtOnce(info, layers);
        EXPECT_LE(paths * (kRadiance + record), std::min(share, info.maxAllocationBytes)) << gibibytes;
        EXPECT_GT(paths * (kRadiance + record), std::min(share, info.maxAllocationBytes) / 10 * 9) << gibibytes;
        EXPECT_GE(Wavefront::itemsPerPass(info, layers, 16), paths / 16);
    }
}

} // namespace
} // namespace aureole
