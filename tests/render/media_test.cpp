// Media that scatter, on the device: against the reference renderer, and against what shows nothing.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "glass_scenes.h"
#include "gpu_test/gpu_test.h"
#include "grid_scenes.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "scene/volume_heat.h"
#include "statistics.h"
#include "volume_scenes.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

class Media : public gpu::GpuTest {};

Material mediumOf(float ior, const glm::vec3& scattering, float anisotropy) {
    Material medium = clearGlass();
    medium.ior = ior;
    medium.scattering = scattering;
    medium.anisotropy = anisotropy;
    return medium;
}

/// The mean of a layer's channel.
double meanOf(const FilmSums& film, const std::string& channel) {
    const auto plane = std::find_if(film.planes.begin(), film.planes.end(),
                                    [&](const FilmPlane& one) { return one.channel == channel; });
    EXPECT_NE(plane, film.planes.end()) << channel;
    double sum = 0.0;
    for (const double value : plane->values) {
        sum += value;
    }
    return sum / (static_cast<double>(film.pixelCount()) * static_cast<double>(film.sampleCount()));
}

/// Two blocks, one of a medium in glass and one of a medium in nothing, over a floor, below a lamp and beside another,
/// in fog up to the lamp's lower side, under a sky. All edges lie between voxels of 1/8.
Scene blocksInFog() {
    Scene scene = mattScene(0.7F, 0.0F, 0.3F);
    scene.film.width = 12;
    scene.film.height = 12;
    scene.film.aovs = AovSet::all();
    scene.materials.push_back(scene.materials.front());
    scene.materials.back().albedo = glm::vec3(0.0F);
    scene.materials.back().emission = glm::vec3(6.0F, 5.0F, 4.0F);
    scene.materials.push_back(mediumOf(1.3F, {2.0F, 4.0F, 8.0F}, 0.6F));
    scene.materials.back().absorption = glm::vec3(0.3F, 0.0F, 0.1F);
    scene.materials.push_back(mediumOf(1.0F, glm::vec3(3.0F), -0.3F));
    PunctualLight light;
    light.position = {1.5, 0.5, 1.5};
    light.intensity = glm::vec3(0.5F);
    scene.lights = {light};
    scene.environment.fog = Fog{glm::vec3(0.15F, 0.2F, 0.3F), glm::vec3(0.02F), 0.5F, 1.0};
    scene.cameras = {cameraAt({0.6, 0.3, 4.0}, {0.0, -0.4, 0.0}, 40.0)};
    scene.voxels.normals = VoxelNormals::Face;
    return scene;
}

struct Block {
    glm::vec3 low;
    glm::vec3 high;
};

constexpr float kVoxel = 0.125F;
/// By material.
constexpr std::array<Block, 4> kBlocks = {
    Block{{-2.0F, -1.5F, -2.0F}, {2.0F, -1.0F, 2.0F}}, Block{{-0.5F, 1.0F, -0.5F}, {0.5F, 1.25F, 0.5F}},
    Block{{-1.25F, -0.75F, -0.5F}, {-0.25F, 0.25F, 0.5F}}, Block{{0.25F, -0.75F, -0.5F}, {1.25F, 0.25F, 0.5F}}};

/// Each in an octree of its own, which its voxels fill, and as triangles.
void addBlocks(Scene& scene) {
    for (std::uint32_t i = 0; i < kBlocks.size(); ++i) {
        const auto side = static_cast<std::uint32_t>((kBlocks.at(i).high.x - kBlocks.at(i).low.x) / kVoxel);
        placeGrid(scene, addGrid(scene, boxMesh(kBlocks.at(i).low, kBlocks.at(i).high), i, std::max(side, 16U)),
                  glm::dmat4(1.0));
    }
}

/// Rays are put off as soon as a wave's last ray was fetched, in all tests: a software device takes long for kernels
/// that do so later as well.
FilmSums renderPutOff(const gpu::Device& device, const Scene& scene, std::uint32_t samples, std::uint32_t capacity = 0,
                      std::uint32_t steps = 0) {
    const std::vector<Octree> octrees = octreesOf(scene);
    const DeviceScene onDevice(device, scene, octrees);
    PathTracer tracer(device, onDevice, defaultView(scene),
                      {.capacity = capacity, .rounds = {.last = 1, .steps = steps}});
    EXPECT_EQ(tracer.render(0, samples, [](double) { return true; }), samples);
    return tracer.film();
}

/// All light is direct, indirect or emitted, that of what glows before the first hit as well.
void expectWholeLight(const FilmSums& film) {
    double light = 0.0;
    for (std::size_t i = 1; i < film.radiance.size(); i += 3) {
        light += film.radiance[i];
    }
    light /= static_cast<double>(film.pixelCount()) * static_cast<double>(film.sampleCount());
    EXPECT_NEAR(meanOf(film, "direct.G") + meanOf(film, "indirect.G") + meanOf(film, "emission.G"), light,
                1e-5 * light);
}

void expectAlike(const FilmSums& device, const FilmSums& reference) {
    expectWholeLight(device);
    expectWholeLight(reference);
    const ZTest test = zTestOfTwo(device, reference);
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
    for (const char* channel : {"albedo.R", "albedo.B", "N.Z", "depth.Z", "direct.G", "indirect.G"}) {
        const double expected = meanOf(reference, channel);
        EXPECT_NEAR(meanOf(device, channel), expected, 0.05 * std::abs(expected) + 0.01) << channel;
    }
}

/// Smoke about the blocks, half of it in each, the lamps and the fog.
void addPuff(Scene& scene) {
    const DensityGrid puff = test::densityOf(glm::ivec3(-20), glm::ivec3(21), 0.0625, [](const glm::dvec3& at) {
        return std::max(0.0, 1.2 - glm::length(at)) * (1.0 + std::sin(9.0 * at.x) * std::sin(7.0 * at.z));
    });
    test::addVolume(scene, puff, {3.0F, 2.0F, 1.0F}, {0.1F, 0.2F, 0.4F}, 0.4F);
    scene.volumeInstances[0].worldFromVolume[3].y = 0.3;
}

TEST_F(Media, DeviceAndReferenceAgree) {
    const std::uint32_t samples = samplesOf(64, 4096);
    Scene scene = blocksInFog();
    scene.integrator.maxDepth = fullSweep() ? 0 : 16; // waves of few paths take a software device as long as others
    addBlocks(scene);
    addPuff(scene);
    scene.volumes[0].emission = glm::vec3(0.1F, 0.2F, 0.0F);
    const DensityGrid heat = test::densityOf(glm::ivec3(-9), glm::ivec3(10), 0.125, [](const glm::dvec3& at) {
        return std::max(0.0, 1.0 - glm::length(at - glm::dvec3(0.3, 0.0, 0.2)));
    });
    scene.volumes[0].heat = makeVolumeHeat(makeDensityTree(heat, "heat"), 1500.0, 1000.0);
    const FilmSums outside = renderReference(scene, 2 * samples);
    ++scene.integrator.seed;
    expectAlike(renderPutOff(device(), scene, samples), outside);
    // From within the block without a surface.
    scene.cameras = {cameraAt({0.7, -0.2, 0.3}, {-0.4, -0.4, 0.0}, 70.0)};
    const FilmSums within = renderReference(scene, 2 * samples);
    ++scene.integrator.seed;
    expectAlike(renderPutOff(device(), scene, samples), within);
}

/// A sun through fog of a height: the floor shows what Beer says where fog only absorbs, and the reference's picture
/// where it scatters.
TEST_F(Media, SunsShineThroughFogOfAHeight) {
    Scene scene = blocksInFog();
    scene.lights.clear();
    scene.integrator.maxDepth = 4;
    placeGrid(scene, addGrid(scene, boxMesh(kBlocks[0].low, kBlocks[0].high), 0, 32), glm::dmat4(1.0));
    scene.environment.radiance = glm::vec3(0.0F);
    Sun sun;
    sun.direction = glm::normalize(glm::dvec3(0.6, 1.0, 0.0));
    sun.irradiance = glm::vec3(3.0F);
    scene.environment.sun = sun;
    scene.environment.fog = Fog{glm::vec3(0.0F), {0.2F, 0.4F, 0.8F}, 0.0F, 1.0}; // 2 m thick
    Camera& camera = scene.cameras.front();
    camera = cameraAt({0.0, 3.0, 0.001}, {0.0, -1.0, 0.0}, 40.0);
    camera.projection = Projection::Orthographic;
    camera.height = 1.0;
    const FilmSums dark = renderPutOff(device(), scene, 16);
    const double cosine = sun.direction.y;
    for (std::size_t c = 0; c < 3; ++c) {
        const auto extinction = double{scene.environment.fog->absorption[static_cast<int>(c)]};
        const double shown = 0.7 / 3.14159265358979 * 3.0 * cosine * std::exp(-extinction * 2.0 * (1.0 + 1.0 / cosine));
        double sum = 0.0;
        for (std::size_t i = c; i < dark.radiance.size(); i += 3) {
            sum += dark.radiance[i];
        }
        EXPECT_NEAR(sum / (16.0 * static_cast<double>(dark.pixelCount())), shown, 0.002 * shown) << c;
    }
    scene.environment.fog->scattering = {0.3F, 0.2F, 0.1F};
    scene.environment.fog->anisotropy = 0.6F;
    const FilmSums reference = renderReference(scene, samplesOf(256, 4096));
    ++scene.integrator.seed;
    expectAlike(renderPutOff(device(), scene, samplesOf(128, 4096)), reference);
}

/// Smoke half in a floor that is made of planes and of a field. The sun and the sky light it, as lamps of a few voxels
/// have not the light of their triangles to a percent.
TEST_F(Media, VolumesStandInSurfacesOfAllKinds) {
    for (const GlassKind& kind : glassKinds()) {
        if (kind.surface == SurfaceKind::Cubes) {
            continue;
        }
        Scene scene = blocksInFog();
        scene.environment.fog.reset();
        scene.lights.clear();
        Sun sun;
        sun.direction = glm::normalize(glm::dvec3(0.6, 1.0, 0.2));
        sun.irradiance = glm::vec3(3.0F);
        scene.environment.sun = sun;
        scene.integrator.maxDepth = 6;
        scene.meshes.push_back(boxMesh(kBlocks[0].low, kBlocks[0].high));
        scene.meshInstances.push_back({0});
        addPuff(scene);
        scene.volumeInstances[0].worldFromVolume[3].y = -0.7; // 0.9 m of it above the floor
        scene.cameras = {cameraAt({0.6, 1.0, 4.0}, {0.0, -0.7, 0.0}, 20.0)};
        const FilmSums reference = renderReference(scene, samplesOf(256, 2048));
        const Octree octree = voxelizeAs(scene, kind, 32);
        ++scene.integrator.seed;
        SCOPED_TRACE(kind.name);
        expectAlike(renderOnDevice(device(), scene, octree, samplesOf(128, 2048)), reference);
    }
}

/// However few paths a wave has: with panes beside media, volumes and fog, each in an octree of its own, and layers
/// that tell light groups apart.
TEST_F(Media, PicturesAreTheSameHoweverWavesAreCut) {
    Scene scene = blocksInFog();
    addBlocks(scene);
    addPuff(scene);
    scene.materials.push_back(clearGlass());
    scene.materials.back().model = MaterialModel::ThinGlass;
    const auto glass = static_cast<std::uint32_t>(scene.materials.size() - 1);
    const std::uint32_t pane = addGrid(scene, boxMesh({-1.0F, -0.75F, -0.0625F}, {1.0F, 0.75F, 0.0625F}), glass, 16);
    for (const double z : {0.8, 1.4}) { // before the blocks, and between them and the lights
        placeGrid(scene, pane, poseOf({0.1, -0.1, z}, 20.0, {0.3, 1.0, 0.0}, glm::dvec3(1.0)));
        placeGrid(scene, pane, poseOf({0.0, 0.6, 0.3 * z}, 80.0, {1.0, 0.1, 0.0}, glm::dvec3(1.0)));
    }
    // Sticks in the way, past which rays come by one instance after the other: these are put off.
    const std::uint32_t stick = addGrid(scene, boxMesh({-0.03F, -0.5F, -0.03F}, {0.03F, 0.5F, 0.03F}), 0, 64);
    for (int i = 0; i < 24; ++i) {
        const double angle = 2.4 * i; // degrees apart as of a sunflower's seeds, in radians
        const glm::dvec3 place(1.3 * std::sqrt(i / 24.0) * std::cos(angle), 0.45,
                               1.3 * std::sqrt(i / 24.0) * std::sin(angle));
        placeGrid(scene, stick, poseOf(place, 50.0, {std::cos(angle), 0.3, std::sin(angle)}, glm::dvec3(1.0)));
    }
    scene.integrator.maxDepth = 6;
    scene.lightGroups = {"", "lamp", "light"};
    scene.materials[1].lightGroup = 1;
    scene.lights[0].lightGroup = 2;
    const FilmSums whole = renderPutOff(device(), scene, 8);
    EXPECT_GT(meanRadiance(whole), 0.05);
    expectSameSums(renderPutOff(device(), scene, 8, 300), whole);
    if (fullSweep() || !device().info().isCpu) { // a kernel of its own
        expectSameSums(renderPutOff(device(), scene, 8, 300, 1), whole);
    }
}

/// A scene of volumes alone is as large as they are, wherever they stand.
TEST_F(Media, VolumesOfAnySizeStandAlone) {
    for (const double size : {1e-6, 1e7}) {
        Scene scene = mattScene(0.7F, 0.0F, 0.3F);
        scene.meshInstances.clear();
        const auto full = [](const glm::dvec3&) { return 1.0; };
        test::addVolume(scene, test::densityOf({0, 0, 0}, {10, 10, 10}, size, full), glm::vec3(1.0F), glm::vec3(0.0F),
                        0.0F);
        scene.volumeInstances[0].worldFromVolume[3].x = -20.0 * size;
        VoxelizeOptions options;
        options.mayBeEmpty = true;
        const Octree octree = voxelizeScene(scene, options);
        const Space space = sceneSpace(scene, std::span(&octree, 1));
        EXPECT_NEAR(space.scale * 11.0 * size, 1.0, 1e-12);
        EXPECT_NEAR(space.point({-20.0 * size + 4.5 * size, 4.5 * size, 4.5 * size}).x, 0.0, 1e-6);
        const DeviceScene onDevice(device(), scene, octree);
    }
}

/// Each pane that a connection goes through counts as a scattering: what a floor shows below one is indirect light, of
/// the light's group. In fog that nobody sees, for the kernels of the other tests.
TEST_F(Media, LightThroughPanesIsIndirect) {
    Scene scene = blocksInFog();
    addBlocks(scene);
    scene.gridPlacements.resize(1); // the floor
    scene.environment.radiance = glm::vec3(0.0F);
    scene.environment.fog->scattering = glm::vec3(1e-12F);
    scene.lights[0].intensity = glm::vec3(50.0F);
    scene.lights[0].lightGroup = 1;
    scene.lightGroups = {"", "light"};
    scene.materials.push_back(clearGlass());
    scene.materials.back().model = MaterialModel::ThinGlass;
    const auto glass = static_cast<std::uint32_t>(scene.materials.size() - 1);
    placeGrid(scene, addGrid(scene, boxMesh({-2.0F, 0.0F, -2.0F}, {2.0F, 0.125F, 2.0F}), glass, 32), glm::dmat4(1.0));
    scene.cameras = {cameraAt({0.3, -0.2, 0.5}, {0.1, -1.0, 0.0}, 40.0)};
    const FilmSums film = renderPutOff(device(), scene, 8);
    const double indirect = meanOf(film, "indirect.G");
    EXPECT_GT(indirect, 1e-3);
    EXPECT_NEAR(meanOf(film, "group.light.G"), indirect, 1e-3 * indirect);
    EXPECT_LT(meanOf(film, "direct.G"), 1e-6);
}

/// Nor do media and glass that lose nothing, in one octree: by chance alone, as each path then brings all light.
TEST_F(Media, WhiteFurnacesShowNothing) {
    Scene scene = blocksInFog();
    scene.lights.clear();
    scene.environment.radiance = glm::vec3(1.0F);
    scene.environment.fog.reset(); // in fog without an end, paths without loss do not end either
    scene.integrator.lightSampling = LightSampling::Bsdf;
    scene.cameras = {cameraAt({0.6, 0.3, 4.0}, {0.0, -0.4, 0.0}, 20.0)};
    addPuff(scene);
    scene.volumes[0].scattering = glm::vec3(2.0F);
    scene.volumes[0].absorption = glm::vec3(0.0F);
    for (Material& material : scene.materials) {
        material.emission = glm::vec3(0.0F);
        material.absorption = glm::vec3(0.0F);
        material.albedo = glm::vec3(1.0F);
        material.scattering = glm::vec3(material.scattering.y); // of one colour, so that none shares another's paths
    }
    for (std::uint32_t i = 0; i < kBlocks.size(); ++i) {
        scene.meshes.push_back(boxMesh(kBlocks.at(i).low, kBlocks.at(i).high));
        scene.meshes.back().material = i;
        scene.meshInstances.push_back({i});
    }
    const Octree octree = voxelizeAs(scene, glassKinds().front(), 32);
    EXPECT_NEAR(meanRadiance(renderOnDevice(device(), scene, octree, samplesOf(64, 16384))), 1.0, 0.001);
}

} // namespace
} // namespace aureole
