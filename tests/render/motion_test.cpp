// Instances that move, from frame to frame and while the shutter is open, on the device.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "grid_scenes.h"
#include "reference/reference_renderer.h"
#include "render/grid_instances.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "statistics.h"

namespace aureole {
namespace {

class MotionOnDevice : public gpu::GpuTest {};

PoseKey keyAt(std::uint32_t frame, const glm::dvec3& translation, double degrees, const glm::dvec3& scale) {
    PoseKey key;
    key.frame = frame;
    key.translation = translation;
    key.axis = glm::normalize(glm::dvec3(1.0, 2.0, 3.0));
    key.angle = glm::radians(degrees);
    key.scale = scale;
    return key;
}

/// A lamp over a floor: both matt and bright, so that they light each other, under a sky that is darker: what is as
/// bright as the sky, which it reflects, would be so wherever it went.
Scene lampOverFloor(const PoseKey& still, const std::vector<PoseKey>& keys) {
    Scene scene = mattScene(0.5F, 0.25F, 0.1F);
    const std::uint32_t floor = addGrid(scene, boxMesh({-2.0F, -0.25F, -2.0F}, {2.0F, 0.0F, 2.0F}), 0, 16);
    const std::uint32_t lamp = addGrid(scene, boxMesh(glm::vec3(-0.4F, -0.2F, -0.1F), {0.6F, 0.2F, 0.3F}), 0, 16);
    placeGrid(scene, floor, glm::dmat4(1.0));
    placeMoving(scene, lamp, still, keys);
    scene.cameras = {cameraAt({1.0, 3.0, 6.0}, {0.0, 0.5, 0.0}, 40.0)};
    return scene;
}

/// What an animation shrinks or flattens until nobody sees it, wherever that is, is not refused: of the lamp and its
/// light nothing is left.
TEST_F(MotionOnDevice, WhatShrinksToNextToNothingIsNotSeen) {
    const auto sumOf = [](const FilmSums& sums) {
        return std::accumulate(sums.radiance.begin(), sums.radiance.end(), 0.0);
    };
    const PoseKey large = keyAt(0, {1.03, 1.0, -0.79}, 0.0, glm::dvec3(1.0));
    Scene alone = lampOverFloor(large, {large});
    const std::vector<Octree> octrees = octreesOf(alone);
    alone.gridPlacements.resize(1);
    const double floorAlone = sumOf(renderGrids(device(), alone, octrees, 8));
    const std::vector<glm::dvec3> smallest = {{1e-14, -2e-14, 1e-15}, glm::dvec3(1e-17), {1e-5, 1e-16, 1e-5}};
    for (const glm::dvec3& scale : smallest) {
        Scene shrinks = lampOverFloor(large, {large, keyAt(4, {1.03, 1.0, -0.79}, 90.0, scale)});
        for (const double close : {0.0, 1.0}) {
            shrinks.film.shutterClose = close;
            EXPECT_NEAR(sumOf(renderFrame(device(), shrinks, octrees, 4.0, 8)), floorAlone, 0.01 * floorAlone)
                << scale.y << ' ' << close;
        }
        shrinks.film.shutterClose = 0.0;
        EXPECT_GT(sumOf(renderFrame(device(), shrinks, octrees, 0.0, 8)), 1.02 * floorAlone) << "it was there before";
    }
}

/// At a frame an instance, and what it lights, is as one that stands in that place, to the byte: all frames are in one
/// space.
TEST_F(MotionOnDevice, AFrameIsThatOfWhatStandsThere) {
    const std::vector<PoseKey> keys = {keyAt(0, {-1.0, 0.5, 0.0}, 0.0, glm::dvec3(1.0)),
                                       keyAt(4, {1.0, 1.5, 0.5}, 80.0, {1.0, 2.0, 1.5})};
    const PoseKey between = keyAt(0, {0.0, 1.0, 0.25}, 40.0, {1.0, 1.5, 1.25});
    const Scene moves = lampOverFloor(keys[0], keys);
    const Scene stands = lampOverFloor(between, keys);
    const std::vector<Octree> octrees = octreesOf(moves);
    const FilmSums frame = renderFrame(device(), moves, octrees, 2.0, 8);
    expectSameSums(frame, renderGrids(device(), stands, octrees, 8));
    // One scene goes from frame to frame, and back to none.
    DeviceScene scene(device(), moves, octrees);
    View view = defaultView(moves);
    view.moment = 3.0;
    PathTracer tracer(device(), scene.moveTo(device(), view), view);
    tracer.render(0, 8, [](double) { return true; });
    EXPECT_NE(tracer.film().radiance, frame.radiance);
    view.moment = 2.0;
    scene.moveTo(device(), view);
    tracer.setView(view);
    tracer.render(0, 8, [](double) { return true; });
    expectSameSums(tracer.film(), frame);
    view.moment.reset();
    scene.moveTo(device(), view);
    tracer.setView(view);
    tracer.render(0, 8, [](double) { return true; });
    expectSameSums(tracer.film(), renderGrids(device(), moves, octrees, 8));
}

FilmSums referenceFrame(const Scene& scene, double moment, std::uint32_t samples, std::uint32_t seed = 0) {
    View view = defaultView(scene);
    view.moment = moment;
    view.frame = seed;
    if (scene.animation) {
        view.moved = cameraAtFrame(scene, moment);
    }
    ReferenceRenderer renderer(scene, view);
    renderer.render(0, samples, [](double) { return true; });
    return renderer.film();
}

/// Has all that is bright seen along -Z, by a camera whose pixels are 0.25 wide.
void lookFlat(Scene& scene) {
    Camera camera = cameraAt({0.0, 0.0, 5.0}, glm::dvec3(0.0), 40.0);
    camera.projection = Projection::Orthographic;
    camera.height = 3.0;
    scene.cameras = {camera};
    scene.film.width = 16;
    scene.film.height = 12;
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
}

/// Compares red with what a place of the picture shows in the mean of all times, integrated over pixels. Each sample is
/// 0 or 1.
void expectBlur(const FilmSums& film, const std::function<double(double, double)>& shareOfTime) {
    constexpr int kAcross = 32;
    const auto samples = static_cast<double>(film.sampleCount());
    double worst = 0.0;
    double gap = 0.0;
    double variances = 0.0;
    for (std::uint32_t y = 0; y < film.height; ++y) {
        for (std::uint32_t x = 0; x < film.width; ++x) {
            double expected = 0.0;
            for (int i = 0; i < kAcross * kAcross; ++i) {
                const double u = x + (i % kAcross + 0.5) / kAcross;
                const double v = y + (i / kAcross + 0.5) / kAcross;
                expected += shareOfTime((u - 0.5 * film.width) * 0.25, (0.5 * film.height - v) * 0.25);
            }
            expected /= kAcross * kAcross;
            const double mean = film.radiance[3 * (std::size_t{y} * film.width + x)] / samples;
            const double variance = std::max(expected * (1.0 - expected), 1e-4) / samples;
            worst = std::max(worst, std::abs(mean - expected) / std::sqrt(variance));
            gap += mean - expected;
            variances += variance;
        }
    }
    EXPECT_LT(worst, 4.6);
    EXPECT_LT(std::abs(gap) / std::sqrt(variances), 3.3);
}

/// A black scene with nothing but a mesh that shines in itself alone.
Scene shining(Mesh mesh, const std::vector<PoseKey>& keys) {
    Scene scene = mattScene(0.0F, 1.0F, 0.0F);
    placeMoving(scene, addGrid(scene, std::move(mesh), 0, 16), keys.front(), keys);
    lookFlat(scene);
    scene.film.shutterClose = 1.0;
    return scene;
}

PoseKey flatKey(std::uint32_t frame, const glm::dvec3& translation, double degrees) {
    PoseKey key;
    key.frame = frame;
    key.translation = translation;
    key.axis = {0.0, 0.0, 1.0};
    key.angle = glm::radians(degrees);
    return key;
}

/// Half a turn about its middle shows a bar at a distance for as long as that is within it.
Scene spinningBar() {
    return shining(boxMesh({-1.0F, -0.25F, -0.25F}, {1.0F, 0.25F, 0.25F}),
                   {flatKey(0, glm::dvec3(0.0), 20.0), flatKey(1, glm::dvec3(0.0), 200.0)});
}

double shareOfBar(double x, double y) {
    const double distance = std::hypot(x, y);
    const double beside = std::asin(std::min(0.25 / distance, 1.0));
    const double beyond = std::acos(std::min(1.0 / distance, 1.0));
    return std::max(beside - beyond, 0.0) / (0.5 * kPi);
}

Mesh discMesh(double radius) {
    Mesh mesh;
    constexpr std::uint32_t kCorners = 256;
    mesh.positions.emplace_back(0.0F);
    for (std::uint32_t i = 0; i < kCorners; ++i) {
        const double angle = 2.0 * kPi * i / kCorners;
        mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
        mesh.triangles.emplace_back(0, 1 + i, 1 + (i + 1) % kCorners);
    }
    return mesh;
}

TEST(Motion, ASpinningBarShowsTheClosedForm) {
    expectBlur(referenceFrame(spinningBar(), 0.0, 512), shareOfBar);
}

/// By its own way, and by that of a camera that moves as far the other way.
TEST(Motion, AMovingDiscShowsTheClosedForm) {
    const auto share = [](double x, double y) { // of a way from x = -1 to 1
        const double half = std::sqrt(std::max(0.36 - y * y, 0.0));
        return std::max(std::min(x + half, 1.0) - std::max(x - half, -1.0), 0.0) / 2.0;
    };
    const std::vector<PoseKey> across = {flatKey(0, {-1.0, 0.0, 0.0}, 0.0), flatKey(1, {1.0, 0.0, 0.0}, 0.0)};
    Scene disc = shining(discMesh(0.6), across);
    expectBlur(referenceFrame(disc, 0.0, 512), share);
    // A shutter that takes 0.6 of its time to open and close.
    disc.film.shutterEase = 0.6;
    expectBlur(referenceFrame(disc, 0.0, 512), [](double x, double y) {
        const auto before = [](double time) { // the integral of a trapezoid
            const double t = std::clamp(std::min(time, 1.0 - time), 0.0, 1.0);
            const double light = (t < 0.3 ? t * t / 0.6 : t - 0.15) / 0.7;
            return time < 0.5 ? light : 1.0 - light;
        };
        const double half = std::sqrt(std::max(0.36 - y * y, 0.0));
        return half > 0.0 ? before((x + half + 1.0) / 2.0) - before((x - half + 1.0) / 2.0) : 0.0;
    });
    Scene scene = shining(discMesh(0.6), {flatKey(0, glm::dvec3(0.0), 0.0)});
    Animation animation;
    animation.kind = AnimationKind::Path;
    animation.smooth = false;
    for (const double side : {1.0, -1.0}) {
        CameraKey& key = animation.keys.emplace_back();
        key.frame = side > 0.0 ? 0 : 1;
        key.position = {side, 0.0, 5.0};
        key.target = {side, 0.0, 0.0};
        key.height = 3.0;
    }
    scene.animation = animation;
    expectBlur(referenceFrame(scene, 0.0, 512), share);
}

/// A lamp that goes, turns and grows over a floor that shines on it.
Scene blurredLamp() {
    const std::vector<PoseKey> keys = {keyAt(0, {-0.8, 0.6, 0.0}, 0.0, glm::dvec3(1.0)),
                                       keyAt(1, {0.8, 1.2, 0.5}, 200.0, {1.0, 1.6, 1.3})};
    Scene scene = lampOverFloor(keys[0], keys);
    scene.film.shutterClose = 1.0;
    return scene;
}

/// What is blurred is the mean of many stills.
TEST(Motion, ABlurredFrameIsTheMeanOfStills) {
    Scene scene = blurredLamp();
    const FilmSums blurred = referenceFrame(scene, 0.0, 1024);
    scene.film.shutterClose = 0.0;
    FilmSums mean;
    constexpr std::uint32_t kStills = 64;
    for (std::uint32_t i = 0; i < kStills; ++i) {
        const FilmSums still = referenceFrame(scene, (i + 0.5) / kStills, 32, 1 + i);
        if (i == 0) {
            mean = still;
            continue;
        }
        for (std::size_t k = 0; k < mean.radiance.size(); ++k) {
            mean.radiance[k] += still.radiance[k];
            mean.squared[k] += still.squared[k];
        }
    }
    mean.samples = {{0, 32 * kStills}};
    const ZTest test = zTestOfTwo(blurred, mean);
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3);
}

/// Poses between those that are kept are those of the motion, and boxes hold all that moves.
TEST(Motion, PosesAreThoseOfTheMotion) {
    const Scene scene = blurredLamp();
    const PoseOverTime moves = motionOf(scene, scene.gridPlacements.at(1), 0.0);
    const PoseTimes times = poseTimesFor(std::span(&moves, 1), {0.0, 1.0}, 4.0);
    EXPECT_EQ(times.steps, 2U) << "200 degrees are two turns of less than a half";
    std::vector<shared::MotionPose> poses;
    addMotionPoses(moves, times, Space{}, glm::dvec3(1.0), glm::dvec3(0.0), poses);
    ASSERT_EQ(poses.size(), 3U);
    for (int i = 0; i < 100; ++i) {
        const float time = static_cast<float>(i) / 100.0F;
        const shared::GridInstance instance = shared::instanceInPose(
            {}, shared::poseAt(reinterpret_cast<std::uint64_t>(poses.data()), 0, times.steps, time));
        const glm::dmat4 expected = moves(time).matrix();
        for (const glm::vec3 point : {glm::vec3(0.3F, 0.1F, -0.2F), glm::vec3(-0.1F, 0.4F, 0.2F)}) {
            const glm::vec3 at = shared::vectorInScene(instance, point) + instance.middle;
            EXPECT_LT(glm::length(glm::dvec3(at) - glm::dvec3(expected * glm::dvec4(point, 1.0))), 3e-5) << time;
            EXPECT_LT(glm::length(shared::vectorInGrid(instance, at - instance.middle) - point), 1e-5F) << time;
        }
        EXPECT_NEAR(instance.determinant * std::abs(glm::determinant(glm::dmat3(expected))), 1.0, 1e-5);
    }
}

/// Rays are stretched by what has shrunk to next to nothing in numbers of 32 bits.
TEST(Motion, PosesOfNextToNothingHaveInverses) {
    const std::vector<PoseKey> keys = {keyAt(0, glm::dvec3(0.0), 0.0, {1e-14, -2e-14, 1e-15})};
    const Scene scene = lampOverFloor(keys[0], keys);
    const std::vector<GridShape> shapes = shapesOf(octreesOf(scene));
    const std::vector<EmitterArrays> emitters(shapes.size());
    const GridInstances made = makeGridInstances(scene, placementsAt(scene, scene.gridPlacements, Space{}, shapes, 0.0),
                                                 Space{}, shapes, emitters, PoseTimes{{0.0, 1.0}, 1}, 0.0);
    ASSERT_EQ(made.poses.size(), 2U);
    for (const float time : {0.0F, 0.5F, 1.0F}) {
        const shared::GridInstance instance = shared::instanceInPose(
            made.instances[1], shared::poseAt(reinterpret_cast<std::uint64_t>(made.poses.data()), 0, 1, time));
        EXPECT_TRUE(std::isnormal(instance.determinant)) << instance.determinant;
        EXPECT_GT(glm::length(instance.sceneX), 1e-7F);
    }
}

/// Whole turns are turns, however many there are between two poses.
TEST(Motion, FastTurnsAreNotLost) {
    for (const double degrees : {1430.0, 1440.0, 2880.0, 36.0 * 360.0, 100.0 * 360.0}) {
        Scene scene = blurredLamp();
        scene.motions.front().keys = {{}, {}};
        scene.motions.front().keys.back().frame = 1;
        scene.motions.front().keys.back().angle = glm::radians(degrees);
        const PoseOverTime moves = motionOf(scene, scene.gridPlacements.at(1), 0.0);
        const PoseTimes times = poseTimesFor(std::span(&moves, 1), {0.0, 1.0}, 4.0);
        for (std::uint32_t step = 0; step < times.steps; ++step) {
            const glm::dquat half = glm::slerp(moves(times.at(step)).turn, moves(times.at(step + 1)).turn, 0.5);
            EXPECT_LT(angleOfTurn(half, moves((step + 0.5) / times.steps).turn), 1e-5) << degrees;
        }
        EXPECT_GE(times.steps, degrees / 180.0);
    }
}

/// Both backends blur alike, be it what is seen, what shines or what is lit.
TEST_F(MotionOnDevice, BlursAsTheReferenceDoes) {
    const Scene scene = blurredLamp();
    const std::vector<Octree> octrees = octreesOf(scene);
    const ZTest test = zTestOfTwo(renderFrame(device(), scene, octrees, 0.0, quickOrFull(256U, 4096U)),
                                  referenceFrame(scene, 0.0, quickOrFull(1024U, 8192U)));
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3);
    const Scene bar = spinningBar();
    expectBlur(renderFrame(device(), bar, octreesOf(bar), 0.0, quickOrFull(128U, 1024U)), shareOfBar);
}

/// By every strategy, where lamps whose bounds or solid angles were wrong would count wrongly.
TEST_F(MotionOnDevice, StrategiesAgreeOnWhatMoves) {
    for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf}) {
        Scene scene = blurredLamp();
        scene.integrator.lightSampling = strategy;
        const ZTest test = zTestOfTwo(renderFrame(device(), scene, octreesOf(scene), 0.0, quickOrFull(512U, 8192U)),
                                      referenceFrame(scene, 0.0, 4096));
        EXPECT_LT(test.worstPixel, test.pixelLimit) << static_cast<int>(strategy);
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << static_cast<int>(strategy);
    }
}

/// What stands, in a scene with a shutter, is what it was, and so is a frame whose instances have stopped.
TEST_F(MotionOnDevice, WhatStandsIsNotBlurred) {
    Scene scene = blurredLamp();
    const std::vector<Octree> octrees = octreesOf(scene);
    const FilmSums blurred = renderFrame(device(), scene, octrees, 2.0, 16);
    scene.film.shutterClose = 0.0;
    const FilmSums still = renderFrame(device(), scene, octrees, 2.0, 16);
    const ZTest test = zTestOfTwo(blurred, still);
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(meanRadiance(blurred) - meanRadiance(still)), 1e-3) << "they draw the same numbers";
    scene.motions[0].keys.resize(1);
    const FilmSums stands = renderGrids(device(), scene, octrees, 16);
    scene.film.shutterClose = 1.0;
    expectSameSums(renderGrids(device(), scene, octrees, 16), stands);
}

} // namespace
} // namespace aureole
