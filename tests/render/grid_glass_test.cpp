// Glass in scenes of several octrees, on the device.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "grid_scenes.h"
#include "reference/reference_renderer.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "statistics.h"
#include "volume_scenes.h"
#include "voxel/build/build.h"
#include "voxel/tree/dag.h"

namespace aureole {
namespace {

class GridGlass : public gpu::GpuTest {};

/// A layer of glass, or one of its surfaces, as light comes straight through it: shares of what goes through, and of
/// what comes back on the one and the other side.
struct Layer {
    double through;
    double back;
    double backBehind;
};

/// Both one behind the other, with all that goes to and fro between them.
Layer behind(const Layer& first, const Layer& second) {
    const double between = 1.0 / (1.0 - first.backBehind * second.back);
    return {first.through * second.through * between,
            first.back + first.through * first.through * second.back * between,
            second.backBehind + second.through * second.through * first.backBehind * between};
}

/// Fresnel's equations, straight on, between empty space and glass.
Layer surfaceOf(const Material& glass) {
    const auto index = double{glass.ior};
    const double share = (index - 1.0) / (index + 1.0) * (index - 1.0) / (index + 1.0);
    return {1.0 - share, share, share};
}

Layer insideOf(const Material& glass, double length) {
    return {std::exp(-double{glass.absorption.x} * length), 0.0, 0.0};
}

Material glassOf(float index, float absorption) {
    Material glass;
    glass.model = MaterialModel::Dielectric;
    glass.albedo = glm::vec3(1.0F);
    glass.roughness = 0.0F;
    glass.ior = index;
    glass.absorption = glm::vec3(absorption);
    return glass;
}

/// Materials 0: matt, 1 and 2: glass, 3: a black lamp; a camera along Z of `pose`, which sees 0.4 m there.
Scene glassScene(const glm::dmat4& pose) {
    Scene scene = mattScene(0.6F, 0.0F, 1.0F);
    scene.film.width = 4;
    scene.film.height = 4;
    scene.materials.push_back(glassOf(1.5F, 0.3F));
    scene.materials.push_back(glassOf(1.8F, 0.9F));
    scene.materials.push_back(scene.materials.front());
    scene.materials.back().albedo = glm::vec3(0.0F);
    scene.materials.back().emission = glm::vec3(4.0F);
    Camera camera = cameraAt(glm::dvec3(pose * glm::dvec4(0.03, 0.02, 4.0, 1.0)),
                             glm::dvec3(pose * glm::dvec4(0.03, 0.02, 0.0, 1.0)), 40.0);
    camera.projection = Projection::Orthographic;
    camera.height = 0.4;
    scene.cameras = {camera};
    return scene;
}

/// A block across Z from `low` to `high`, so wide to either side.
Mesh blockMesh(float low, float high, float width) {
    return boxMesh({-width, -width, low}, {width, width, high});
}

void expectRadiance(const FilmSums& film, double expected, const std::string& what) {
    const ZTest test = zTest(film, expected);
    EXPECT_LT(std::abs(test.pictureZ), 3.5) << what << ": found " << test.pictureMean << ", expected " << expected;
    EXPECT_NEAR(test.pictureMean, expected, 0.02 * expected) << what;
}

const char* nameOf(SurfaceKind surface) {
    return surface == SurfaceKind::Cubes ? "cubes" : surface == SurfaceKind::Planes ? "planes" : "field";
}

constexpr std::array kSurfaces = {SurfaceKind::Cubes, SurfaceKind::Planes, SurfaceKind::Field};

/// Grids that stand nowhere, so that one set of kernels serves whatever surfaces and glasses the others have: a
/// software device makes it in 10 s.
void addOfEachKind(Scene& scene) {
    for (std::uint32_t i = 0; i < kSurfaces.size(); ++i) {
        addGrid(scene, blockMesh(-1.0F, 1.0F, 1.0F), i, 16, kSurfaces[i]);
    }
}

/// A block of glass within a larger one of other glass, each of an octree of its own, in all pairs of surfaces: light
/// that goes straight through both, against the closed form. Every surface has empty space on its other side, as
/// within one octree.
TEST_F(GridGlass, BlocksWithinBlocksShowTheClosedForm) {
    const glm::dmat4 pose = poseOf({0.5, -1.0, 2.0}, 50.0, {1.0, 2.0, -0.6}, glm::dvec3(1.0));
    for (const SurfaceKind outer : kSurfaces) {
        for (const SurfaceKind inner : kSurfaces) {
            const std::size_t next = (static_cast<std::size_t>(inner) + 1) % kSurfaces.size();
            if (!fullSweep() && outer != kSurfaces.at(next)) {
                continue;
            }
            Scene scene = glassScene(pose);
            const Material& first = scene.materials[1];
            const Material& second = scene.materials[2];
            addOfEachKind(scene);
            placeGrid(scene, addGrid(scene, blockMesh(-1.0F, 1.0F, 1.0F), 1, 32, outer), pose);
            // Turned by itself, and mirrored.
            placeGrid(scene, addGrid(scene, blockMesh(-0.25F, 0.25F, 0.5F), 2, 32, inner),
                      pose * poseOf({0.0, 0.0, 0.3}, 25.0, {0.0, 0.0, 1.0}, {-1.0, 1.0, 1.0}));
            Layer all = behind(surfaceOf(first), insideOf(first, 0.45));
            all = behind(behind(all, surfaceOf(second)), insideOf(second, 0.5));
            all = behind(behind(all, surfaceOf(second)), insideOf(first, 1.05));
            all = behind(all, surfaceOf(first));
            expectRadiance(renderGrids(device(), scene, quickOrFull(96U, 4096U)), all.through + all.back,
                           std::string(nameOf(inner)) + " in " + nameOf(outer));
        }
    }
}

/// Blocks of glass that touch, and one that stands on a lamp: by cubes, whose faces are at the same place. Light leaves
/// the one glass and comes into the other; of what is opaque it comes straight from within.
TEST_F(GridGlass, CubesThatTouchShowTheClosedForm) {
    const glm::dmat4 pose = poseOf({-3.0, 0.4, 1.0}, 35.0, {0.3, -1.0, 0.8}, glm::dvec3(1.0));
    for (const bool onLamp : {false, true}) {
        Scene scene = glassScene(pose);
        const Material& first = scene.materials[1];
        const Material& second = scene.materials[2];
        addOfEachKind(scene);
        placeGrid(scene, addGrid(scene, blockMesh(-0.5F, 0.5F, 0.5F), 1, 32), pose);
        placeGrid(scene, addGrid(scene, blockMesh(-0.25F, 0.25F, 0.5F), onLamp ? 3 : 2, 32),
                  pose * glm::translate(glm::dmat4(1.0), glm::dvec3(0.0, 0.0, -0.75)));
        const Layer front = behind(surfaceOf(first), insideOf(first, 1.0));
        double expected = 0.0;
        if (onLamp) { // radiance is less by the square of the index outside
            expected = surfaceOf(first).back + front.through * 4.0 / double{first.ior * first.ior};
        } else {
            Layer all = behind(behind(front, surfaceOf(first)), surfaceOf(second));
            all = behind(behind(all, insideOf(second, 0.5)), surfaceOf(second));
            expected = all.through + all.back;
        }
        expectRadiance(renderGrids(device(), scene, quickOrFull(512U, 4096U)), expected, onLamp ? "lamp" : "glass");
    }
}

/// The camera within glass of one octree looks straight out at a lamp of another. There radiance is more by the square
/// of the index; what the face sends back comes out behind the camera, or to the same face again.
TEST_F(GridGlass, CamerasWithinGlassShowTheClosedForm) {
    for (const SurfaceKind surface : kSurfaces) {
        Scene scene = glassScene(glm::dmat4(1.0));
        const Material& glass = scene.materials[1];
        addOfEachKind(scene);
        placeGrid(scene, addGrid(scene, blockMesh(1.0F, 5.0F, 1.0F), 1, 32, surface), glm::dmat4(1.0));
        placeGrid(scene, addGrid(scene, blockMesh(-0.5F, 0.5F, 1.0F), 3, 32, surface), glm::dmat4(1.0));
        const Layer face = surfaceOf(glass);
        const double whole = insideOf(glass, 4.0).through;
        const double out = face.through * double{glass.ior * glass.ior};
        const double atFace = out * (4.0 + face.back * whole) / (1.0 - face.back * face.back * whole * whole);
        // A lamp's radiance is that of its material but for the share that its voxels show (matchLamps).
        const double expected = insideOf(glass, 3.0).through * atFace;
        const double found = meanRadiance(renderGrids(device(), scene, quickOrFull(256U, 4096U)));
        EXPECT_NEAR(found, expected, 0.015 * expected) << nameOf(surface);
    }
}

/// The camera within a ball of glass of one octree looks at something opaque of another within the same glass: at what
/// it emits, and at what it reflects of the even light from outside, of which there is more within by the square of the
/// index, and from the middle of which all ways lead out, but for what the surface sends back.
TEST_F(GridGlass, CamerasWithinGlassSeeWhatIsInIt) {
    for (const SurfaceKind surface : kSurfaces) {
        for (const bool emits : {false, true}) {
            Scene scene = glassScene(glm::dmat4(1.0));
            scene.materials[0].albedo = glm::vec3(0.1F);
            scene.materials[1].absorption = glm::vec3(emits ? 0.3F : 0.0F);
            addOfEachKind(scene);
            placeGrid(scene, addGrid(scene, ballMesh(96), 1, 96, surface),
                      glm::scale(glm::dmat4(1.0), glm::dvec3(5.0)));
            const float half = emits ? 1.0F : 0.3F;
            placeGrid(scene, addGrid(scene, blockMesh(-half, half, half), emits ? 3 : 0, 32, surface), glm::dmat4(1.0));
            const double back = surfaceOf(scene.materials[1]).back;
            const double lit = 0.1 * 1.5 * 1.5 * (1.0 - back) / (1.0 - 0.1 * back);
            const double expected = emits ? 4.0 * insideOf(scene.materials[1], 3.0).through : lit;
            const double found = meanRadiance(renderGrids(device(), scene, quickOrFull(128U, 4096U)));
            EXPECT_NEAR(found, expected, 0.03 * expected) << nameOf(surface) << ", " << emits;
        }
    }
}

/// Fog, a cloud within 1 m to either side of z = 2, half of it behind that, and a block that bends nothing: what they
/// leave of a lamp's light where paths end as they scatter, and of a bulb's that a wall sends back, which is behind the
/// block, behind it and a clear pane in it, or in it behind that; and all of an even sky where they lose none. With the
/// materials of the next test, for its kernels.
TEST_F(GridGlass, MediaShowTheClosedForm) {
    const DensityGrid cloud =
        test::densityOf({-8, -8, 4}, {9, 9, 13}, 0.25, [](const glm::dvec3& at) { return 1.0 - std::abs(at.z - 2.0); });
    const auto before = [&](std::uint32_t wall, float scattering, float absorption, std::uint32_t hits) {
        Scene scene = glassScene(glm::dmat4(1.0));
        scene.environment.radiance = glm::vec3(0.0F);
        scene.environment.fog = Fog{glm::vec3(scattering), glm::vec3(absorption)};
        scene.integrator.maxDepth = hits;
        scene.cameras[0].height = 0.01;
        scene.materials[1] = glassOf(1.0F, 0.0F);
        scene.materials[1].model = MaterialModel::ThinGlass;
        scene.materials[2] = glassOf(1.0F, 2.0F);
        addOfEachKind(scene);
        placeGrid(scene, addGrid(scene, blockMesh(-0.5F, 0.5F, 1.0F), wall, 32), glm::dmat4(1.0));
        test::addVolume(scene, cloud, glm::vec3(2.0F * scattering), glm::vec3(2.0F * absorption), 0.5F);
        return scene;
    };
    // 3.5 m from the camera to the lamp, and a metre's worth of the cloud.
    expectRadiance(renderGrids(device(), before(3, 0.03F, 0.02F, 1), 512), 4.0 * std::exp(-0.05 * (3.5 + 2.0)), "lamp");
    struct Bulb {
        const char* name;
        bool pane;
        double way; // from the wall
    };
    for (const Bulb& bulb : {Bulb{"behind the block", false, 2.0}, Bulb{"behind the block and a pane in it", true, 2.0},
                             Bulb{"within", true, 0.34375}}) {
        Scene scene = before(0, 0.0F, 0.1F, 8);
        placeGrid(scene, addGrid(scene, blockMesh(0.625F, 0.875F, 1.0F), 2, 32), glm::dmat4(1.0));
        if (bulb.pane) {
            placeGrid(scene, addGrid(scene, blockMesh(0.71875F, 0.78125F, 1.0F), 1, 32), glm::dmat4(1.0));
        }
        scene.lights.emplace_back().position = glm::dvec3(0.03, 0.02, 0.5 + bulb.way);
        const bool isBehind = bulb.way > 0.375;
        const double inBlock = 0.25 + (isBehind ? 0.25 : 0.21875);
        const double inCloud = 1.0 + (isBehind ? 0.875 : 0.0);
        const double left = std::exp(-0.1 * (3.5 + bulb.way - inBlock + 2.0 * inCloud) - 2.0 * inBlock);
        expectRadiance(renderGrids(device(), scene, 512), 0.6 / kPi / (bulb.way * bulb.way) * left, bulb.name);
    }
    Scene scene = before(0, 0.2F, 0.0F, 0);
    scene.environment.fog.reset();
    scene.environment.radiance = glm::vec3(1.0F);
    scene.materials[0].albedo = glm::vec3(1.0F);
    scene.integrator.lightSampling = LightSampling::Bsdf;
    EXPECT_NEAR(meanRadiance(renderGrids(device(), scene, 64)), 1.0, 1e-3) << "sky";
}

/// Light of a lamp and of a bulb through a pane that is an octree of its own, turned with all others, by its share of
/// what comes without: connections go from instance to instance.
TEST_F(GridGlass, PanesDimLightsBehindThem) {
    const glm::dmat4 pose = poseOf({0.3, 0.2, -1.0}, 40.0, {0.5, 1.0, 0.2}, glm::dvec3(1.0));
    const glm::dvec3 light(0.03, 0.02, 2.0);
    for (const SurfaceKind surface : kSurfaces) {
        for (const bool bulb : {true, false}) {
            if (bulb && surface == SurfaceKind::Planes && !fullSweep()) {
                continue;
            }
            const auto lit = [&](bool clear) {
                Scene scene = glassScene(pose);
                scene.environment.radiance = glm::vec3(0.0F);
                scene.integrator.maxDepth = 3;
                scene.cameras[0].position = glm::dvec3(pose * glm::dvec4(1.0, 0.02, 0.45, 1.0));
                scene.cameras[0].target = glm::dvec3(pose * glm::dvec4(0.03, 0.02, 0.0, 1.0));
                scene.cameras[0].projection = Projection::Perspective;
                scene.cameras[0].verticalFov = 2.0;
                scene.materials[1].model = MaterialModel::ThinGlass;
                scene.materials[1].albedo = glm::vec3(clear ? 1.0F : 0.7F);
                scene.materials[1].ior = clear ? 1.0F : 1.5F;
                addOfEachKind(scene);
                placeGrid(scene, addGrid(scene, blockMesh(-0.5F, 0.0F, 1.0F), 0, 32, surface), pose);
                const glm::dmat4 turned = pose * poseOf({0.0, 0.0, 1.0}, 20.0, {0.0, 0.0, 1.0}, glm::dvec3(1.0));
                placeGrid(scene, addGrid(scene, blockMesh(-0.05F, 0.05F, 1.5F), 1, 64, surface), turned);
                if (bulb) {
                    scene.lights.emplace_back().position = glm::dvec3(pose * glm::dvec4(light, 1.0));
                } else {
                    const glm::dmat4 at = pose * glm::translate(glm::dmat4(1.0), light);
                    placeGrid(scene, addGrid(scene, blockMesh(0.0F, 0.1F, 0.3F), 3, 32, surface), at);
                }
                return pictureMean(renderGrids(device(), scene, bulb ? 2 : quickOrFull(128U, 4096U)));
            };
            const PictureMean open = lit(true);
            const PictureMean found = lit(false);
            // Light falls straight on, or within 9 degrees of that, where a pane reflects as much.
            const double expected = 0.7 * (1.0 - 2.0 * 0.04 / 1.04);
            EXPECT_GT(open.value, 0.0);
            EXPECT_LT(open.error, 0.01 * open.value);
            EXPECT_NEAR(found.value / open.value, expected,
                        3.3 * expected * std::hypot(open.error / open.value, found.error / found.value) + 1e-3)
                << nameOf(surface) << ", " << bulb;
        }
    }
}

/// A table, a ball of glass that is sunk into it, with a ball of other glass within, a pane, and lamps, one of them in
/// the glass. All meshes are instances of octrees of their own.
Scene stillLife(SurfaceKind surface) {
    Scene scene = mattScene(0.6F, 0.0F, 0.3F);
    scene.film.width = 16;
    scene.film.height = 12;
    scene.materials.push_back(glassOf(1.5F, 0.2F));
    scene.materials.push_back(glassOf(1.3F, 0.8F));
    scene.materials.push_back(scene.materials.front());
    scene.materials.back().emission = glm::vec3(9.0F, 7.0F, 5.0F);
    scene.materials.back().albedo = glm::vec3(0.0F);
    scene.materials.push_back(glassOf(1.5F, 0.0F));
    scene.materials.back().model = MaterialModel::ThinGlass;
    const std::uint32_t table = addGrid(scene, boxMesh({-3.0F, -0.2F, -3.0F}, {3.0F, 0.0F, 3.0F}), 0, 128, surface);
    const std::uint32_t ball = addGrid(scene, ballMesh(48), 1, 128, surface);
    const std::uint32_t core = addGrid(scene, ballMesh(48), 2, 128, surface);
    const std::uint32_t lamp = addGrid(scene, boxMesh(glm::vec3(-0.2F), glm::vec3(0.2F)), 3, 32, surface);
    const std::uint32_t pane = addGrid(scene, boxMesh({-0.7F, -0.5F, -0.03F}, {0.7F, 0.5F, 0.03F}), 4, 64, surface);
    placeGrid(scene, table, glm::dmat4(1.0));
    placeGrid(scene, ball, poseOf({-0.9, 0.74, 0.2}, 35.0, {0.2, 1.0, 0.4}, {0.8, 0.9, -0.7}));
    placeGrid(scene, core, poseOf({-0.8, 0.8, 0.3}, 10.0, {1.0, 0.0, 0.0}, glm::dvec3(0.3)));
    placeGrid(scene, ball, poseOf({1.1, 0.6, 0.3}, 70.0, {1.0, 0.3, 0.0}, glm::dvec3(0.65)));
    placeGrid(scene, lamp, poseOf({1.1, 0.6, 0.3}, 20.0, {0.0, 1.0, 0.7}, glm::dvec3(0.8)));
    placeGrid(scene, lamp, poseOf({0.0, 2.4, 1.0}, 40.0, {1.0, 0.2, 0.7}, {2.0, 0.5, 2.0}));
    placeGrid(scene, pane, poseOf({0.1, 0.52, 1.2}, 30.0, {0.0, 1.0, 0.0}, glm::dvec3(1.0)));
    scene.cameras = {cameraAt({0.2, 1.7, 4.2}, {0.0, 0.6, 0.0}, 40.0)};
    return scene;
}

/// However few paths a wave has, and wherever it puts rays off.
TEST_F(GridGlass, PicturesAreTheSameHoweverWavesAreCut) {
    for (const SurfaceKind surface : kSurfaces) {
        Scene scene = stillLife(surface);
        addOfEachKind(scene);
        scene.environment.sun = Sun{glm::normalize(glm::dvec3(0.3, 1.0, 1.2)), 4.0, glm::vec3(2.0F)};
        const std::vector<Octree> octrees = octreesOf(scene);
        const DeviceScene onDevice(device(), scene, octrees);
        const auto render = [&](const WavefrontOptions& options) {
            PathTracer tracer(device(), onDevice, defaultView(scene), options);
            EXPECT_EQ(tracer.render(0, 8, [](double) { return true; }), 8U);
            return tracer.film();
        };
        const FilmSums whole = render({});
        EXPECT_GT(meanRadiance(whole), 0.1);
        expectSameSums(render({.capacity = 300, .rounds = {.last = 1}}), whole);
        if (fullSweep() || !device().info().isCpu) { // a kernel of its own
            expectSameSums(render({.capacity = 300, .rounds = {.last = 1, .steps = 1}}), whole);
        }
    }
}

void expectAlike(const FilmSums& a, const FilmSums& b, double share, const std::string& what) {
    const PictureMean found = pictureMean(a);
    const PictureMean expected = pictureMean(b);
    const double error = std::hypot(expected.error, found.error);
    EXPECT_LT(error, 0.035 * expected.value) << what;
    EXPECT_NEAR(found.value, expected.value, 3.3 * error + share * expected.value) << what;
}

/// Against the triangles, and against the same meshes in one octree.
TEST_F(GridGlass, PicturesAreThoseOfTheTrianglesAndOfOneOctree) {
    const std::uint32_t samples = samplesOf(64, 8192);
    FilmSums triangles;
    for (const SurfaceKind surface : {SurfaceKind::Planes, SurfaceKind::Field, SurfaceKind::Cubes}) {
        Scene scene = stillLife(surface);
        if (triangles.radiance.empty()) {
            ReferenceRenderer renderer(scene, defaultView(scene));
            renderer.render(0, samples, [](double) { return true; });
            triangles = renderer.film();
        }
        addOfEachKind(scene);
        std::vector<Octree> octrees = octreesOf(scene);
        if (surface == SurfaceKind::Cubes) { // the ball's, which is solid
            octrees[1] = toDag(std::move(octrees[1]));
        }
        const FilmSums found = renderGrids(device(), scene, octrees, samples);
        expectAlike(found, triangles, 0.01, std::string(nameOf(surface)) + " and triangles");
        if (surface == SurfaceKind::Planes) {
            VoxelizeOptions options;
            options.resolution = 512;
            options.surface = surface;
            Scene joined = scene;
            joined.grids.clear();
            joined.gridPlacements.clear();
            const FilmSums one = renderOnDevice(device(), joined, voxelizeScene(joined, options), samples);
            expectAlike(found, one, 0.01, "one octree");
        }
    }
}

} // namespace
} // namespace aureole
