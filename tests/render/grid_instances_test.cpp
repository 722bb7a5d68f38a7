// Scenes of several octrees on the device.

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "error_of.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "grid_scenes.h"
#include "reference/reference_renderer.h"
#include "render/grid_instances.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "sandbox/settings.h"
#include "shared/octree/grid_instance.h"
#include "statistics.h"

namespace aureole {
namespace {

class GridInstancesOnDevice : public gpu::GpuTest {};

glm::dvec3 randomVector(std::mt19937& random) {
    std::normal_distribution<double> number;
    return {number(random), number(random), number(random)};
}

/// Turned about a random axis, stretched by up to three ways differently, and mirrored or not.
glm::dmat4 randomPose(std::mt19937& random, bool mirrored) {
    std::uniform_real_distribution<double> factor(0.5, 2.0);
    std::uniform_real_distribution<double> angle(0.0, 360.0);
    const glm::dvec3 scale(mirrored ? -factor(random) : factor(random), factor(random), factor(random));
    const glm::dvec3 axis = randomVector(random);
    // A rotation before the scale shears what is not along its axes.
    return poseOf(randomVector(random), angle(random), axis, scale) *
           poseOf(glm::dvec3(0.0), angle(random), randomVector(random), glm::dvec3(1.0));
}

shared::GridInstance instanceOf(const glm::dmat3& sceneFromGrid, const glm::dvec3& middle) {
    shared::GridInstance instance{};
    const glm::mat3 forth(sceneFromGrid);
    const glm::mat3 back(glm::inverse(sceneFromGrid));
    instance.gridX = back[0];
    instance.gridY = back[1];
    instance.gridZ = back[2];
    instance.sceneX = forth[0];
    instance.sceneY = forth[1];
    instance.sceneZ = forth[2];
    instance.middle = middle;
    instance.determinant = static_cast<float>(std::abs(glm::determinant(glm::dmat3(back))));
    return instance;
}

/// Points come back, and normals stay across what lies in the surface and on its side of it.
TEST(GridInstance, PointsAndNormalsGoBothWays) {
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const glm::dmat4 pose = randomPose(random, i % 2 == 1);
        const shared::GridInstance instance = instanceOf(glm::dmat3(pose), glm::dvec3(pose[3]));
        const glm::vec3 point(randomVector(random));
        EXPECT_LT(glm::length(shared::pointInScene(instance, shared::pointInGrid(instance, point)) - point), 1e-4F);
        const glm::vec3 normal = glm::normalize(glm::vec3(randomVector(random)));
        const glm::vec3 along = glm::normalize(glm::cross(normal, glm::vec3(randomVector(random))));
        const glm::vec3 moved = shared::normalInScene(instance, normal);
        EXPECT_LT(std::abs(glm::dot(moved, glm::normalize(shared::vectorInScene(instance, along)))), 1e-5F);
        EXPECT_GT(glm::dot(moved, shared::vectorInScene(instance, normal)), 0.0F);
        EXPECT_LT(glm::length(shared::normalInGrid(instance, moved) - normal), 1e-4F);
    }
}

/// Solid angles against the area that three close directions span.
TEST(GridInstance, SolidAnglesAreThoseOfCloseDirections) {
    std::mt19937 random(4);
    for (int i = 0; i < 100; ++i) {
        const glm::dmat3 gridFromScene(randomPose(random, false));
        const shared::GridInstance instance = instanceOf(glm::inverse(gridFromScene), glm::dvec3(0.0));
        const glm::dvec3 direction = glm::normalize(randomVector(random));
        const glm::dvec3 u = 1e-4 * glm::normalize(glm::cross(direction, randomVector(random)));
        const glm::dvec3 v = glm::cross(direction, u);
        const auto image = [&](const glm::dvec3& d) { return glm::normalize(gridFromScene * glm::normalize(d)); };
        const glm::dvec3 base = image(direction);
        const double area = glm::length(glm::cross(image(direction + u) - base, image(direction + v) - base));
        const double ratio = area / (1e-4 * 1e-4);
        EXPECT_NEAR(shared::solidAngleInGrid(instance, glm::vec3(direction)) / ratio, 1.0, 2e-3);
    }
}

/// The half of space that a lamp which looks one way shines in stays what lies before it, also in mirrored instances.
TEST(GridInstance, LampsLookAsTheyArePlaced) {
    std::mt19937 random(5);
    Octree octree;
    octree.levels = 2;
    octree.grid.size = glm::uvec3(16U);
    octree.grid.voxelSize = 1.0 / 16.0;
    EmitterArrays lamps;
    lamps.boxes = std::vector<shared::EmitterBox>{
        {{1.2F, 1.6F, 1.5F}, 2.0F, {1.0F, 0.0F, 0.0F}, 0, {0.0F, 1.0F, 0.0F}, glm::vec3(0.03F), NO_SIDE}};
    for (int i = 0; i < 20; ++i) {
        lamps.facings = std::vector{glm::vec3(0.0F)};
        lamps.facings[0][i % 3] = i % 2 == 0 ? 1.0F : -1.0F;
        const std::vector<GridPlacement> placements = {{0, randomPose(random, i % 4 > 1), "lamp"}};
        const GridInstances made =
            makeGridInstances(Scene{}, placements, Space{}, shapesOf(std::span(&octree, 1)), std::span(&lamps, 1));
        EXPECT_NEAR(glm::length(made.placed[0].axis), 1.0F, 1e-5F);
        for (int k = 0; k < 20; ++k) {
            const glm::vec3 from = glm::normalize(glm::vec3(randomVector(random)));
            const glm::vec3 inGrid = shared::vectorInGrid(made.instances[0], from);
            const bool isBefore = glm::dot(inGrid, lamps.facings[0]) > 0.0F;
            EXPECT_EQ(glm::dot(from, made.placed[0].axis) > 0.0F, isBefore);
        }
    }
}

/// Each lamp of each instance is where its own octree has it, however many are placed, which is done side by side.
TEST(GridInstance, LampsOfManyAreThoseOfEach) {
    std::mt19937 random(6);
    std::vector<Octree> octrees(3);
    std::vector<EmitterArrays> lamps(3);
    for (std::size_t i = 0; i < octrees.size(); ++i) {
        octrees[i].levels = 2;
        octrees[i].grid.size = glm::uvec3(16U);
        octrees[i].grid.voxelSize = 1.0 / 16.0;
        std::vector<shared::EmitterBox> boxes;
        for (std::size_t box = 0; box < 2 * i; ++box) { // the first has none
            boxes.push_back({glm::vec3(1.5F) + 0.1F * glm::vec3(randomVector(random)),
                             1.0F + static_cast<float>(box),
                             {1.0F, 0.0F, 0.0F},
                             0,
                             {0.0F, 1.0F, 0.0F},
                             glm::vec3(0.03F),
                             NO_SIDE});
        }
        lamps[i].facings = std::vector<glm::vec3>(boxes.size(), glm::vec3(0.0F));
        lamps[i].boxes = std::move(boxes);
    }
    std::vector<GridPlacement> placements;
    for (std::uint32_t i = 0; i < 100; ++i) {
        placements.push_back({i % 3, randomPose(random, i % 2 == 1), "lamps"});
    }
    const std::vector<GridShape> shapes = shapesOf(octrees);
    const GridInstances made = makeGridInstances(Scene{}, placements, Space{}, shapes, lamps);
    ASSERT_EQ(made.lamps.size(), 33U * 2U + 33U * 4U);
    ASSERT_EQ(made.placed.size(), made.lamps.size());
    double power = 0.0;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < placements.size(); ++i) {
        EXPECT_EQ(made.instances[i].firstLamp, next) << i;
        const GridInstances alone = makeGridInstances(Scene{}, std::span(&placements[i], 1), Space{}, shapes, lamps);
        for (std::uint32_t box = 0; box < alone.placed.size(); ++box, ++next) {
            EXPECT_EQ(made.lamps[next].instance, i);
            EXPECT_EQ(made.lamps[next].box, box);
            EXPECT_EQ(made.placed[next].leaf, LIGHT_LEAF_BOX | next);
            EXPECT_EQ(made.placed[next].middle, alone.placed[box].middle) << i << " " << box;
            EXPECT_EQ(made.placed[next].intensity, alone.placed[box].intensity) << i << " " << box;
        }
        power += alone.power;
    }
    EXPECT_EQ(next, made.placed.size());
    EXPECT_NEAR(made.power, power, 1e-9 * power);
}

/// In a closed box that emits and reflects alike, radiance is Le / (1 - rho) everywhere, by every strategy, however the
/// box is turned, stretched and mirrored: light that goes by wrong normals would leave it, and lamps whose solid angles
/// were wrong would count wrongly.
TEST_F(GridInstancesOnDevice, ClosedBoxesShowTheClosedFormInAllPoses) {
    std::mt19937 random(11);
    const std::array strategies = {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf};
    const std::size_t poses = quickOrFull(2U, 12U);
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        for (std::size_t pose = 0; pose < poses; ++pose) {
            for (const LightSampling strategy : strategies) {
                if (!fullSweep() && strategy != strategies.at(pose)) {
                    continue;
                }
                Scene scene = mattScene(0.5F, 0.75F, 0.0F);
                scene.integrator.lightSampling = strategy;
                const std::uint32_t box = addGrid(scene, boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F)), 0, 16, surface);
                const glm::dmat4 transform = randomPose(random, pose % 2 == 1);
                placeGrid(scene, box, transform);
                const auto at = [&](double x, double y, double z) {
                    return glm::dvec3(transform * glm::dvec4(x, y, z, 1.0));
                };
                scene.cameras = {cameraAt(at(0.1, -0.2, 0.3), at(0.7, 0.4, -0.8), 70.0)};
                const std::vector<Octree> octrees = octreesOf(scene);
                // Of 16 voxels, planes show some 0.2 % more than the lamp's triangles, and shine less by as much.
                const double emission = octrees.front().palette[1].emission.x;
                const ZTest test = zTest(renderGrids(device(), scene, octrees, furnaceSamples(768)), emission / 0.5);
                SCOPED_TRACE(::testing::Message() << "surface " << static_cast<int>(surface) << ", pose " << pose
                                                  << ", strategy " << static_cast<int>(strategy));
                EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
                EXPECT_NEAR(test.pictureMean, 1.5, 0.02);
            }
        }
    }
}

/// Six slabs, each an instance of one, around the inside of a cube, turned as a whole.
void addRoom(Scene& scene, std::uint32_t slab, const glm::dmat4& pose) {
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            // The slab lies across Y; its larger sides reach over its neighbours.
            const glm::dmat4 across = axis == 1 ? glm::dmat4(1.0)
                                      : axis == 0
                                          ? glm::rotate(glm::dmat4(1.0), glm::radians(90.0), glm::dvec3(0.0, 0.0, 1.0))
                                          : glm::rotate(glm::dmat4(1.0), glm::radians(90.0), glm::dvec3(1.0, 0.0, 0.0));
            glm::dvec3 place(0.0);
            place[axis] = 1.1 * side;
            placeGrid(scene, slab, pose * glm::translate(glm::dmat4(1.0), place) * across);
        }
    }
}

/// A sealed room lets nothing in of a bright sky, at whatever pose it stands.
TEST_F(GridInstancesOnDevice, RoomsOfSixInstancesLetNothingIn) {
    std::mt19937 random(5);
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        for (std::size_t pose = 0; pose < quickOrFull(2U, 26U); ++pose) {
            Scene scene = mattScene(0.8F, 0.0F, 1000.0F);
            const std::uint32_t slab =
                addGrid(scene, boxMesh({-1.2F, -0.1F, -1.2F}, {1.2F, 0.1F, 1.2F}), 0, 48, surface);
            const glm::dmat4 turned = pose == 0 ? glm::dmat4(1.0) : randomPose(random, pose % 2 == 1);
            addRoom(scene, slab, turned);
            const auto at = [&](double x, double y, double z) { return glm::dvec3(turned * glm::dvec4(x, y, z, 1.0)); };
            scene.cameras = {cameraAt(at(0.1, -0.2, 0.3), at(0.95, 0.9, -0.9), 100.0)};
            const FilmSums film = renderGrids(device(), scene, quickOrFull(128U, 1024U));
            EXPECT_EQ(meanRadiance(film), 0.0) << "surface " << static_cast<int>(surface) << ", pose " << pose;
        }
    }
}

/// Nor by a ball, of an octree of its own, that is next to a floor thinner than a voxel.
TEST_F(GridInstancesOnDevice, WhatStandsOnAThinFloorOfPlanesLetsNothingIn) {
    Scene scene = mattScene(0.8F, 0.0F, 1000.0F);
    const std::uint32_t slab =
        addGrid(scene, boxMesh({-1.2F, -0.01F, -1.2F}, {1.2F, 0.01F, 1.2F}), 0, 48, SurfaceKind::Planes);
    addRoom(scene, slab, glm::dmat4(1.0));
    const std::uint32_t ball = addGrid(scene, ballMesh(24), 0, 48, SurfaceKind::Planes);
    placeGrid(scene, ball, poseOf({0.2, -0.565, -0.1}, 0.0, {0.0, 1.0, 0.0}, {0.5, 0.5, 0.5})); // half a voxel over it
    scene.cameras = {cameraAt({0.8, -0.4, 0.8}, {0.1, -1.05, -0.1}, 80.0)};
    EXPECT_EQ(meanRadiance(renderGrids(device(), scene, quickOrFull(128U, 1024U))), 0.0);
}

/// The same room is a furnace inside: no light is lost at the joints either, but for what corners of cubes hide.
TEST_F(GridInstancesOnDevice, RoomsOfSixInstancesLoseNothing) {
    Scene scene = mattScene(0.5F, 0.75F, 0.0F);
    const std::uint32_t slab =
        addGrid(scene, boxMesh({-1.2F, -0.1F, -1.2F}, {1.2F, 0.1F, 1.2F}), 0, 48, SurfaceKind::Planes);
    addRoom(scene, slab, poseOf({3.0, 1.0, -2.0}, 33.0, {1.0, 2.0, 0.5}, {1.0, 1.3, 0.8}));
    const glm::dvec3 inside = scene.gridPlacements[0].worldFromGrid * glm::dvec4(0.1, -1.1, 0.2, 1.0);
    scene.cameras = {cameraAt(inside, inside + glm::dvec3(0.3, 0.2, -0.5), 100.0)};
    const ZTest test = zTest(renderGrids(device(), scene, furnaceSamples(768)), 1.5);
    EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
}

Scene litBall(bool twice, SurfaceKind surface) {
    Scene scene = mattScene(0.7F, 0.0F, 1.0F);
    scene.film.width = 16;
    scene.film.height = 12;
    const std::uint32_t ball = addGrid(scene, ballMesh(24), 0, 64, surface);
    const glm::dmat4 pose = poseOf({0.0, 0.0, 0.0}, 25.0, {1.0, 1.0, 0.0}, {1.0, 0.6, 1.4});
    placeGrid(scene, ball, pose);
    if (twice) {
        placeGrid(scene, ball, pose);
    }
    scene.cameras = {cameraAt({0.0, 1.0, 4.0}, {0.0, 0.0, 0.0}, 40.0)};
    return scene;
}

/// A ball under an even sky shows what it reflects: two of them in one place do, as one does.
TEST_F(GridInstancesOnDevice, TwoInstancesInOnePlaceAreNoWorseThanOne) {
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        const std::uint32_t samples = quickOrFull(128U, 512U);
        const ZTest test = zTestOfTwo(renderGrids(device(), litBall(false, surface), samples),
                                      renderGrids(device(), litBall(true, surface), samples));
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << "surface " << static_cast<int>(surface);
        EXPECT_LT(test.worstPixel, test.pixelLimit);
    }
}

const FilmPlane& planeOf(const FilmSums& film, const std::string& channel) {
    for (const FilmPlane& plane : film.planes) {
        if (plane.channel == channel) {
            return plane;
        }
    }
    throw std::runtime_error("no plane " + channel);
}

/// An ellipsoid's layers against its closed form: where rays meet it, and its normals there.
TEST_F(GridInstancesOnDevice, LayersOfAnEllipsoidAreItsClosedForm) {
    for (const bool mirrored : {false, true}) {
        Scene scene = mattScene(0.5F, 0.0F, 1.0F);
        scene.film.width = 24;
        scene.film.height = 18;
        scene.film.filterRadius = 0.5;
        scene.film.filter = PixelFilter::Box;
        for (const Aov aov : {Aov::Normal, Aov::Position, Aov::Id}) {
            scene.film.aovs.add(aov);
        }
        const std::uint32_t ball = addGrid(scene, ballMesh(64), 0, 256, SurfaceKind::Planes);
        const glm::dmat4 pose = poseOf({0.3, -0.2, 0.1}, 40.0, {1.0, -1.0, 0.5}, {mirrored ? -1.0 : 1.0, 0.4, 1.6}) *
                                poseOf(glm::dvec3(0.0), 30.0, {0.0, 0.3, 1.0}, glm::dvec3(1.0));
        placeGrid(scene, ball, pose);
        scene.cameras = {cameraAt({1.0, 2.0, 5.0}, {0.3, -0.2, 0.1}, 30.0)};
        const FilmSums film = renderGrids(device(), scene, 16);
        const glm::dmat4 inverse = glm::inverse(pose);
        std::size_t seen = 0;
        for (std::size_t i = 0; i < film.hits.size(); ++i) {
            if (film.hits[i] != 16.0) {
                continue;
            }
            ++seen;
            glm::dvec3 normal(0.0);
            glm::dvec3 position(0.0);
            for (int axis = 0; axis < 3; ++axis) {
                const std::string name(1, "XYZ"[axis]);
                normal[axis] = planeOf(film, "N." + name).values[i] / 16.0;
                position[axis] = planeOf(film, "P." + name).values[i] / 16.0;
            }
            const glm::dvec3 onBall(inverse * glm::dvec4(position, 1.0));
            EXPECT_NEAR(glm::length(onBall), 1.0, 0.02) << i;
            const glm::dvec3 expected = glm::normalize(glm::transpose(glm::dmat3(inverse)) * onBall);
            EXPECT_GT(glm::dot(glm::normalize(normal), expected), std::cos(glm::radians(2.5))) << i;
        }
        EXPECT_GT(seen, 60U);
    }
}

/// Instances of several octrees tell their materials, themselves and their assets by one numbering, and lamps in them
/// their light groups.
TEST_F(GridInstancesOnDevice, MaterialsAndLightGroupsAreThoseOfTheScene) {
    Scene scene = mattScene(0.5F, 0.0F, 1.0F);
    scene.film.width = 16;
    scene.film.filterRadius = 0.5;
    scene.film.filter = PixelFilter::Box;
    for (const Aov aov : {Aov::Id, Aov::Groups, Aov::Instance, Aov::Asset}) {
        scene.film.aovs.add(aov);
    }
    scene.lightGroups = {"", "lamp"};
    for (int i = 0; i < 2; ++i) {
        scene.materials.push_back(scene.materials.front());
    }
    scene.materials[2].albedo = glm::vec3(0.0F);
    scene.materials[2].emission = glm::vec3(3.0F);
    scene.materials[2].lightGroup = 1;
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t box =
            addGrid(scene, boxMesh(glm::vec3(-0.4F), glm::vec3(0.4F)), i % 3, 16, SurfaceKind::Planes);
        scene.grids.back().name = i < 2 ? "pair" : "single";
        placeGrid(scene, box, poseOf({1.0 * i - 1.5, 0.0, 0.0}, 90.0 * i, {0.0, 0.0, 1.0}, glm::dvec3(1.0)));
    }
    Camera camera = cameraAt({0.0, 0.0, 5.0}, glm::dvec3(0.0), 40.0);
    camera.projection = Projection::Orthographic;
    camera.height = 1.5;
    scene.cameras = {camera};
    const FilmSums film = renderGrids(device(), scene, 16);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::size_t at = 3 * 16 + 2 + 4 * i; // a pixel in the middle of the box
        EXPECT_EQ(planeOf(film, "id.Y").values[at], 1.0 + i % 3) << i;
        EXPECT_EQ(planeOf(film, "instance.Y").values[at], 1.0 + i) << i;
        EXPECT_EQ(planeOf(film, "asset.Y").values[at], i < 2 ? 1.0 : 2.0) << i;
        const double lamp = planeOf(film, "group.lamp.R").values[at] / 16.0;
        const double sky = planeOf(film, "group.default.R").values[at] / 16.0;
        EXPECT_NEAR(lamp, i == 2 ? 3.0 : 0.0, i == 2 ? 0.02 : 1e-5) << i; // of a lamp, by what its voxels show
        EXPECT_NEAR(sky, i == 2 ? 0.0 : 0.5, 0.2) << i;
    }
    EXPECT_EQ(planeOf(film, "instance.Y").values[0], 0.0); // nothing but the sky
}

/// Lamps of instances are counted where the scene's memory is.
TEST_F(GridInstancesOnDevice, LampsBeyondTheMemoryOfAScene) {
    Scene scene = mattScene(0.5F, 1.0F, 0.0F);
    scene.file = "scene.json";
    scene.cameras = {cameraAt({0.0, 0.0, 5.0}, glm::dvec3(0.0), 40.0)};
    const std::uint32_t lamp = addGrid(scene, boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F)), 0, 16);
    for (int i = 0; i < 40000; ++i) {
        scene.gridPlacements.push_back({lamp, poseOf({3.0 * i, 0.0, 0.0}, 0.0, {1.0, 0.0, 0.0}, glm::dvec3(1.0)), ""});
    }
    const std::vector<Octree> octrees = octreesOf(scene);
    sandbox::Settings settings = sandbox::settings();
    const std::uint64_t before = std::exchange(settings.memory, std::uint64_t{4} << 20U);
    sandbox::configure(settings);
    const testing::Caught error = testing::errorOf([&] { DeviceScene(device(), scene, octrees); });
    settings.memory = before;
    sandbox::configure(settings);
    EXPECT_TRUE(error.names("scene.json: /instances: found")) << error.message;
    EXPECT_TRUE(error.names("--asset-memory")) << error.message;
}

/// A lamp, a floor and two turned and stretched bodies against the reference renderer, which has the triangles.
TEST_F(GridInstancesOnDevice, PicturesAreThoseOfTheTriangles) {
    Scene scene = mattScene(0.6F, 0.0F, 0.2F);
    scene.film.width = 16;
    scene.film.height = 12;
    scene.materials.push_back(scene.materials.front());
    scene.materials[1].emission = glm::vec3(12.0F, 9.0F, 6.0F);
    scene.materials[1].albedo = glm::vec3(0.0F);
    const std::uint32_t floor =
        addGrid(scene, boxMesh({-4.0F, -0.1F, -4.0F}, {4.0F, 0.0F, 4.0F}), 0, 256, SurfaceKind::Planes);
    const std::uint32_t ball = addGrid(scene, ballMesh(48), 0, 128, SurfaceKind::Planes);
    const std::uint32_t lamp = addGrid(scene, boxMesh(glm::vec3(-0.3F), glm::vec3(0.3F)), 1, 32, SurfaceKind::Planes);
    placeGrid(scene, floor, glm::dmat4(1.0));
    placeGrid(scene, ball, poseOf({-0.9, 0.75, 0.0}, 35.0, {0.2, 1.0, 0.4}, {-0.9, 0.6, 0.5}));
    placeGrid(scene, ball, poseOf({1.0, 0.55, 0.6}, 70.0, {1.0, 0.3, 0.0}, {0.4, 0.5, 0.9}));
    placeGrid(scene, lamp, poseOf({0.4, 2.5, 0.2}, 40.0, {1.0, 0.2, 0.7}, {1.5, 0.3, 0.8}));
    placeGrid(scene, lamp, poseOf({-1.8, 1.2, -1.5}, 20.0, {0.0, 1.0, 0.7}, {0.5, 0.9, -0.5}));
    scene.cameras = {cameraAt({0.5, 2.2, 5.0}, {0.0, 0.6, 0.0}, 40.0)};
    const std::uint32_t samples = quickOrFull(1024U, 4096U);
    ReferenceRenderer renderer(scene, defaultView(scene));
    renderer.render(0, samples, [](double) { return true; });
    const PictureMean expected = pictureMean(renderer.film());
    const PictureMean found = pictureMean(renderGrids(device(), scene, samples));
    const double error = std::hypot(expected.error, found.error);
    EXPECT_LT(error, 0.012 * expected.value);
    EXPECT_NEAR(found.value, expected.value, 3.3 * error + 0.004 * expected.value); // what voxels are off by
}

TEST_F(GridInstancesOnDevice, PlacementsBeyondWhatNumbersTellAreRefused) {
    Scene scene = mattScene(0.5F, 0.0F, 1.0F);
    scene.file = "scene.json";
    scene.cameras = {cameraAt({0.0, 0.0, 5.0}, glm::dvec3(0.0), 40.0)};
    const std::uint32_t box = addGrid(scene, boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F)), 0, 16);
    placeGrid(scene, box, glm::dmat4(1.0));
    placeGrid(scene, box, glm::scale(glm::dmat4(1.0), glm::dvec3(1e-8)));
    const auto error = [&] { return testing::errorOf([&] { renderGrids(device(), scene, 1); }); };
    EXPECT_TRUE(error().names("scene.json: instance 'placed'")) << error().message;
    for (const double thin : {1e-13, 1e-18, 1e-45}) {
        scene.gridPlacements[1].worldFromGrid = glm::scale(glm::dmat4(1.0), glm::dvec3(1.0, thin, 1.0));
        EXPECT_TRUE(error().names("flat")) << error().message;
    }
}

} // namespace
} // namespace aureole
