// Flat lamps, and lamps that look one way, of instances that move while the shutter is open.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "grid_scenes.h"
#include "render/grid_instances.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "statistics.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole {
namespace {

constexpr std::uint32_t kStillFrames = 64;
constexpr std::uint32_t kSamplesOfStill = 16;

class MotionLamps : public gpu::GpuTest {};

Mesh sheetMesh(float half, float height) {
    Mesh mesh;
    mesh.positions = {{-half, height, -half}, {half, height, -half}, {half, height, half}, {-half, height, half}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

PoseKey swingKey(std::uint32_t frame, const glm::dvec3& translation, double degrees) {
    PoseKey key;
    key.frame = frame;
    key.translation = translation;
    key.axis = glm::normalize(glm::dvec3(1.0, 0.2, 0.4));
    key.angle = glm::radians(degrees);
    return key;
}

void addToGrid(Scene& scene, std::uint32_t grid, Mesh mesh, std::uint32_t material) {
    mesh.material = material;
    scene.grids[grid].meshInstances.push_back(
        {static_cast<std::uint32_t>(scene.meshes.size()), glm::dmat4(1.0), kNone});
    scene.meshes.push_back(std::move(mesh));
}

/// A sheet that swings over a floor and turns from it and back, beside one that stands, so that lights are chosen;
/// `isSet` sets it into the lower side of a matt block, so that it looks one way. Of the block, voxels are 0.0625 wide,
/// and the sheet's are its lowest but those of its rim.
Scene swingingLamp(bool isSet) {
    Scene scene = mattScene(0.5F, 0.0F, 0.02F);
    scene.materials.push_back(scene.materials[0]);
    scene.materials[1].emission = glm::vec3(2.0F);
    const std::uint32_t floor = addGrid(scene, boxMesh({-2.0F, -0.25F, -2.0F}, {2.0F, 0.0F, 2.0F}), 0, 16);
    const std::uint32_t lamp = addGrid(scene, sheetMesh(0.47F, 0.0F), 1, isSet ? 24 : 16);
    if (isSet) {
        addToGrid(scene, lamp, boxMesh({-0.75F, 0.05F, -0.75F}, {0.75F, 0.375F, 0.75F}), 0);
        for (const float side : {-1.0F, 1.0F}) {
            addToGrid(
                scene, lamp,
                boxMesh({side > 0.0F ? 0.53F : -0.75F, -0.03F, -0.75F}, {side > 0.0F ? 0.75F : -0.53F, 0.375F, 0.75F}),
                0);
            addToGrid(
                scene, lamp,
                boxMesh({-0.75F, -0.03F, side > 0.0F ? 0.53F : -0.75F}, {0.75F, 0.375F, side > 0.0F ? 0.75F : -0.53F}),
                0);
        }
    }
    placeGrid(scene, floor, glm::dmat4(1.0));
    const std::vector<PoseKey> keys = {swingKey(0, {-0.5, 1.0, 0.0}, -30.0), swingKey(1, {0.6, 1.3, 0.2}, 35.0)};
    placeMoving(scene, lamp, keys[0], keys);
    placeGrid(scene, lamp, poseOf({-1.2, 1.2, -1.0}, 30.0, {1.0, 0.0, 0.5}, glm::dvec3(1.0)));
    scene.cameras = {cameraAt({1.0, 2.5, 5.0}, {0.0, 0.4, 0.0}, 45.0)};
    scene.film.shutterClose = 1.0;
    return scene;
}

/// The shutter's time cut into so many frames that it does not blur, in one sum.
FilmSums stillFrames(const gpu::Device& device, Scene scene, const std::vector<Octree>& octrees) {
    scene.film.shutterClose = 0.0;
    DeviceScene onDevice(device, scene, octrees);
    View view = defaultView(scene);
    view.moment = 0.0;
    PathTracer tracer(device, onDevice.moveTo(device, view), view);
    FilmSums sum;
    for (std::uint32_t i = 0; i < kStillFrames; ++i) {
        view.moment = (i + 0.5) / kStillFrames;
        view.frame = 1 + i; // random numbers of its own
        onDevice.moveTo(device, view);
        tracer.setView(view);
        tracer.render(0, kSamplesOfStill, [](double) { return true; });
        const FilmSums still = tracer.film();
        if (i == 0) {
            sum = still;
            continue;
        }
        for (std::size_t k = 0; k < sum.radiance.size(); ++k) {
            sum.radiance[k] += still.radiance[k];
            sum.squared[k] += still.squared[k];
        }
    }
    sum.samples = {{0, kStillFrames * kSamplesOfStill}};
    return sum;
}

/// What the tree of lights knows of a lamp that swings holds it all the way: where it is, and where it looks. Elsewhere
/// it would not be drawn.
TEST(Motion, BoundsOfLampsHoldThemAllTheWay) {
    const Scene scene = swingingLamp(true);
    const std::vector<Octree> octrees = octreesOf(scene);
    std::vector<EmitterArrays> emitters;
    for (const Octree& octree : octrees) {
        emitters.push_back(makeEmitterBoxes(octree, collectEmissiveVoxels(octree)));
    }
    const auto lampAt = [&](double moment, const std::optional<PoseTimes>& times) {
        const std::vector<GridPlacement> placements =
            placementsAt(scene, scene.gridPlacements, Space{}, shapesOf(octrees), moment);
        return makeGridInstances(scene, placements, Space{}, shapesOf(octrees), emitters, times, moment).placed.at(0);
    };
    const PoseOverTime moves = motionOf(scene, scene.gridPlacements.at(1), 0.0);
    const PlacedLight held = lampAt(0.0, poseTimesFor(std::span(&moves, 1), {0.0, 1.0}, 4.0));
    EXPECT_LT(held.cone, kPi);
    for (int i = 0; i <= 100; ++i) {
        const PlacedLight lamp = lampAt(i / 100.0, {});
        EXPECT_LE(glm::distance(lamp.middle, held.middle) + lamp.radius, held.radius) << i;
        const double apart = std::acos(std::min(double{glm::dot(lamp.axis, held.axis)}, 1.0));
        EXPECT_LE(apart + lamp.cone, held.cone) << i;
    }
}

/// Lamps are sampled, and met by chance, where they are at a path's time.
TEST_F(MotionLamps, LightAsTheMeanOfStills) {
    for (const bool isSet : {false, true}) {
        Scene scene = swingingLamp(isSet);
        const std::vector<Octree> octrees = octreesOf(scene);
        const EmitterArrays lamps = makeEmitterBoxes(octrees[1], collectEmissiveVoxels(octrees[1]));
        ASSERT_EQ(lamps.boxes.size(), 1U);
        EXPECT_NE(lamps.boxes[0].across, NO_SIDE) << "it is flat";
        EXPECT_EQ(lamps.facings[0], glm::vec3(0.0F, isSet ? -1.0F : 0.0F, 0.0F));
        for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Lights}) {
            scene.integrator.lightSampling = strategy;
            const ZTest test = zTestOfTwo(renderFrame(device(), scene, octrees, 0.0, kStillFrames * kSamplesOfStill),
                                          stillFrames(device(), scene, octrees));
            EXPECT_LT(test.worstPixel, test.pixelLimit) << isSet << static_cast<int>(strategy);
            EXPECT_LT(std::abs(test.pictureZ), 3.3) << isSet << static_cast<int>(strategy);
        }
    }
}

} // namespace
} // namespace aureole
