// Primary rays that start at coarse depths: they hit what those that start at the rim of the grid hit.

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "integrator/camera_params.h"
#include "render/coarse_depth.h"
#include "render/device_scene.h"
#include "render/support/field_samples.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/octree/coarse_depth.h"
#include "stream/stream_kernels.h"
#include "stream/stream_tracer.h"
#include "stream_rays.h"
#include "voxel/build/build.h"
#include "voxel/build/gyroid.h"
#include "voxel/tree/dag.h"

namespace aureole {
namespace {

const glm::uvec2 kSize(61, 35); // tiles stick out

/// A camera at `position`, in sides of the grid, as the benchmark has one.
shared::CameraParams lookFrom(const Octree& octree, const glm::dvec3& position, const glm::dvec3& target, double fov,
                              const glm::uvec2& size = kSize, const glm::dvec3& up = {0.0, 1.0, 0.0}) {
    const double side = std::ldexp(octree.grid.voxelSize, 2 * static_cast<int>(octree.levels));
    Camera camera;
    camera.position = octree.grid.origin + side * position;
    camera.target = octree.grid.origin + side * target;
    camera.up = up;
    camera.verticalFov = fov;
    Scene scene;
    scene.cameras = {camera};
    View view;
    view.size = size;
    view.cropSize = size;
    shared::CameraParams params = makeCameraParams(scene, view, gridSpace(octree));
    params.filterRadius = 0.0F;
    return params;
}

std::vector<shared::CameraParams> camerasAround(const Octree& octree) {
    const glm::dvec3 centre(0.5);
    return {
        lookFrom(octree, {1.15, 0.8, 1.3}, centre, 53.0),
        lookFrom(octree, {-0.4, 0.5, 0.5}, centre, 20.0),          // along an axis
        lookFrom(octree, {30.0, 41.0, -25.0}, centre, 1.5),        // from far away
        lookFrom(octree, {0.52, 0.47, 0.55}, {0.1, 0.4, 0.2}, 90), // from within
        lookFrom(octree, {0.5, 1.001, 0.5}, {0.9, 0.9, 0.1}, 150), // close over a face
        lookFrom(octree, {1.5, 0.5, 0.5}, {3.0, 0.5, 0.5}, 40),    // away
        lookFrom(octree, {1.0, 0.25, 0.5}, {0.0, 0.25, 0.5}, 90),  // on the far face, in planes of cells
        lookFrom(octree, {0.5, 0.0, 0.0}, {0.1, 0.7, 0.3}, 179, kSize, {0.3, 0.8, 0.2}),
    };
}

class CoarseDepthTest : public gpu::GpuTest {
protected:
    struct Traced {
        std::vector<shared::HitRecord> hits; ///< by pixel, each word 0xFFFFFFFF where there is no ray
        std::uint32_t steps = 0;
    };

    /// The camera's rays, started at the rim of the grid or at coarse depths.
    static Traced trace(const Octree& octree, const shared::CameraParams& camera, bool coarse,
                        std::uint32_t rounds = 0) {
        const DeviceOctree onDevice(device(), octree);
        const StreamKernels kernels(device());
        const std::uint32_t places = streamPlaces(kSize);
        const gpu::Buffer params = upload(device(), std::vector<shared::CameraParams>{camera});
        const gpu::Buffer rays = makeFilled<shared::RayRecord>(device(), places);
        const gpu::Buffer hits = makeFilled<shared::HitRecord>(device(), places);
        const gpu::Buffer byPixel = makeFilled<shared::HitRecord>(device(), kSize.x * kSize.y);
        const CoarseCells cells(device(), octree);
        const CoarseDepth depth(device(), cells, kSize);
        shared::StreamCameraPush push{};
        push.octree = onDevice.viewAddress();
        push.camera = params.address();
        push.target = rays.address();
        push.boxLow = glm::vec3(1.0F);
        push.boxHigh = glm::vec3(2.0F);
        push.count = places;
        gpu::CommandEncoder making = device().encoder();
        kernels.makePrimary(making, push);
        depth.record(making, params.address(), 0.01F);
        device().submit(std::move(making)).wait();
        StreamTracerOptions options;
        options.coarseStart = coarse;
        options.counting = true;
        options.rounds = rounds;
        options.stepsPerRound = rounds > 0 ? 2 : 0;
        const RayStream stream{rays.address(), hits.address(), places, 0.0F};
        const shared::StreamCounters counters =
            StreamTracer(device(), onDevice, options).run(coarse ? startedAt(depth.address(), camera, stream) : stream);
        gpu::CommandEncoder ordering = device().encoder();
        kernels.byPixel(ordering, rays.address(), hits.address(), byPixel.address(), places);
        ordering.barrier();
        device().submit(std::move(ordering)).wait();
        return {download<shared::HitRecord>(device(), byPixel, kSize.x * kSize.y), counters.steps.x};
    }

    static void expectSameHits(const std::string& name, const Octree& octree) {
        int number = 0;
        for (const shared::CameraParams& camera : camerasAround(octree)) {
            SCOPED_TRACE(testing::Message() << name << ", camera " << number++);
            const Traced plain = trace(octree, camera, false);
            const Traced coarse = trace(octree, camera, true);
            std::size_t different = 0;
            for (std::size_t i = 0; i < plain.hits.size(); ++i) {
                different += plain.hits[i].bits == coarse.hits[i].bits ? 0 : 1;
            }
            EXPECT_EQ(different, 0U);
            EXPECT_LE(coarse.steps, plain.steps);
        }
    }
};

TEST_F(CoarseDepthTest, RaysHitTheSameInTrees) {
    for (const OctreeSample& sample : sampleOctrees()) {
        expectSameHits(sample.name, sample.octree);
    }
    expectSameHits("gyroid", makeGyroid(128));
}

TEST_F(CoarseDepthTest, RaysHitTheSameInDagsAndFields) {
    expectSameHits("DAG", toDag(makeGyroid(64)));
    const std::vector<OctreeSample> samples = sampleOctrees();
    expectSameHits("field", randomField(samples[1], 3));
}

TEST_F(CoarseDepthTest, RaysHitTheSameInPlanes) {
    expectSameHits("planes", mergedPlanes(100));
}

/// Rays that missed when they started, and tiles that nothing is drawn to, among those that go on.
TEST_F(CoarseDepthTest, RaysHitTheSameHoweverOftenTheyAreCutShort) {
    const Octree octree = makeGyroid(64);
    for (const shared::CameraParams& camera : camerasAround(octree)) {
        const Traced whole = trace(octree, camera, true);
        const Traced cut = trace(octree, camera, true, 1);
        std::size_t different = 0;
        for (std::size_t i = 0; i < whole.hits.size(); ++i) {
            different += whole.hits[i].bits == cut.hits[i].bits ? 0 : 1;
        }
        EXPECT_EQ(different, 0U);
        EXPECT_EQ(whole.steps > 0, cut.steps > 0);
    }
}

TEST_F(CoarseDepthTest, RaysTakeFewerSteps) {
    const Octree octree = makeGyroid(128);
    const shared::CameraParams camera = camerasAround(octree)[0];
    EXPECT_LT(trace(octree, camera, true).steps, trace(octree, camera, false).steps * 3 / 4);
}

/// Of every point of a box that is seen, the tile is among those drawn to.
TEST(CoarseBounds, HoldTheTilesOfEveryPointOfABox) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    const auto three = [&] { return glm::vec3(unit(random), unit(random), unit(random)); };
    std::size_t seen = 0;
    std::size_t missed = 0;
    std::size_t wasted = 0;
    std::array<std::size_t, 3> kinds{};
    for (const shared::CameraParams& camera : camerasAround(makeGyroid(64))) {
        const auto address = reinterpret_cast<std::uint64_t>(&camera);
        for (int i = 0; i < 4000; ++i) {
            const glm::vec3 low = glm::vec3(1.0F) + three();
            const float side = std::ldexp(1.0F, -static_cast<int>(random() % 8));
            const shared::CoarseBounds bounds = shared::coarseBounds(address, low, side, 0.01F);
            ++kinds.at(bounds.kind);
            std::size_t inside = 0;
            for (int p = 0; p < 20; ++p) {
                const glm::vec3 point = low + side * three() - camera.position;
                const float depth = glm::dot(point, camera.forward);
                const glm::vec2 across(glm::dot(point, camera.right) / glm::dot(camera.right, camera.right),
                                       glm::dot(point, camera.up) / glm::dot(camera.up, camera.up));
                if (depth <= 0.0F || std::abs(across.x) >= depth || std::abs(across.y) >= depth) {
                    continue;
                }
                ++inside;
                const glm::uvec2 pixel((across.x / depth * 0.5F + 0.5F) * static_cast<float>(kSize.x),
                                       (0.5F - across.y / depth * 0.5F) * static_cast<float>(kSize.y));
                const glm::uvec2 tile =
                    pixel / glm::uvec2(PATH_TILE_WIDTH * COARSE_TILE_COLUMNS, PATH_TILE_HEIGHT * COARSE_TILE_ROWS);
                const bool held = bounds.kind == COARSE_EVERYWHERE ||
                                  (bounds.kind == COARSE_TILES && glm::all(glm::greaterThanEqual(tile, bounds.first)) &&
                                   glm::all(glm::lessThanEqual(tile, bounds.last)));
                missed += held ? 0 : 1;
            }
            seen += inside;
            wasted += inside == 0 && bounds.kind != COARSE_NOWHERE ? 1 : 0;
        }
    }
    EXPECT_GT(seen, 50000U);
    EXPECT_EQ(missed, 0U);
    EXPECT_LT(wasted, 3200U) << "of 32000 boxes, those with no point seen that are drawn all the same";
    for (const std::size_t count : kinds) {
        EXPECT_GT(count, 100U);
    }
}

/// The number of points of a box, as those of its edges and corners, that are seen, but in no tile drawn to.
std::size_t lostPoints(const shared::CameraParams& camera, const glm::vec3& low, float side, std::mt19937& random) {
    const auto address = reinterpret_cast<std::uint64_t>(&camera);
    const shared::CoarseBounds bounds = shared::coarseBounds(address, low, side, 0.0F);
    const glm::dvec3 right = glm::dvec3(camera.right) / glm::dot(glm::dvec3(camera.right), glm::dvec3(camera.right));
    const glm::dvec3 up = glm::dvec3(camera.up) / glm::dot(glm::dvec3(camera.up), glm::dvec3(camera.up));
    const glm::dvec2 tile(PATH_TILE_WIDTH * COARSE_TILE_COLUMNS, PATH_TILE_HEIGHT * COARSE_TILE_ROWS);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::size_t lost = 0;
    for (std::uint32_t p = 0; p < 8 + 12; ++p) {
        glm::dvec3 place(p & 1U, (p >> 1U) & 1U, (p >> 2U) & 1U);
        if (p >= 8) {
            place[static_cast<int>(p % 3)] = unit(random);
        }
        const glm::dvec3 point = glm::dvec3(low) + double{side} * place - glm::dvec3(camera.position);
        const double depth = glm::dot(point, glm::dvec3(camera.forward));
        const glm::dvec2 seen = glm::dvec2(glm::dot(point, right), glm::dot(point, up)) / depth;
        if (depth <= 0.0 || glm::any(glm::greaterThanEqual(glm::abs(seen), glm::dvec2(1.0)))) {
            continue;
        }
        const glm::dvec2 pixel = (glm::dvec2(0.5) + glm::dvec2(0.5, -0.5) * seen) * glm::dvec2(camera.size);
        const glm::uvec2 drawn(pixel / tile);
        const bool held = bounds.kind == COARSE_EVERYWHERE ||
                          (bounds.kind == COARSE_TILES && glm::all(glm::greaterThanEqual(drawn, bounds.first)) &&
                           glm::all(glm::lessThanEqual(drawn, bounds.last)));
        lost += held ? 0 : 1;
    }
    return lost;
}

/// The least and the widest view in the largest of pictures, from far and near, turned: where a rounding is a pixel.
TEST(CoarseBounds, HoldTheTilesWhateverTheRoundings) {
    const Octree octree = makeGyroid(64);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const auto three = [&] { return glm::dvec3(unit(random), unit(random), unit(random)); };
    std::size_t lost = 0;
    for (int i = 0; i < 3000; ++i) {
        const bool isNarrow = i % 2 == 0;
        const glm::dvec3 eye =
            0.5 + (isNarrow ? std::pow(10.0, 3.0 * unit(random)) : unit(random)) * glm::normalize(three() - 0.5);
        const glm::dvec3 target = three();
        const shared::CameraParams camera =
            lookFrom(octree, eye, target, isNarrow ? 0.1 : 179.0, {32768, 18432}, three() - 0.5);
        for (int k = 0; k < 40; ++k) {
            const std::uint32_t cells = 1U << (random() % 10);
            const float side = 1.0F / static_cast<float>(cells);
            const glm::uvec3 cell(glm::min((isNarrow ? target : three()), 0.9999) * static_cast<double>(cells));
            lost += lostPoints(camera, glm::vec3(1.0F) + side * glm::vec3(cell), side, random);
        }
    }
    EXPECT_EQ(lost, 0U);
}

/// Of every point of a box that is seen through some point of a lens, the tile is among those drawn to, and a ray
/// through both starts before it.
TEST(CoarseBounds, HoldTheTilesOfEveryPointSeenThroughALens) {
    const Octree octree = makeGyroid(64);
    const shared::OctreeView view = makeView(octree);
    const auto octreeAddress = reinterpret_cast<std::uint64_t>(&view);
    std::mt19937 random(17);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    const auto three = [&] { return glm::vec3(unit(random), unit(random), unit(random)); };
    std::size_t seen = 0;
    std::size_t missed = 0;
    std::size_t late = 0;
    std::size_t ahead = 0;
    for (int i = 0; i < 3000; ++i) {
        shared::CameraParams camera = lookFrom(octree, glm::dvec3(three()), glm::dvec3(three()),
                                               20.0 + 100.0 * unit(random), {640, 360}, glm::dvec3(three()) - 0.5);
        camera.apertureRadius = std::pow(10.0F, -1.0F - 2.0F * unit(random));
        camera.focusDistance = std::pow(10.0F, -1.5F + 2.0F * unit(random));
        const auto address = reinterpret_cast<std::uint64_t>(&camera);
        const float side = std::ldexp(1.0F, -3 - static_cast<int>(random() % 5));
        const glm::vec3 low = glm::vec3(1.0F) + (1.0F - side) * three();
        const shared::CoarseBounds bounds = shared::coarseBounds(address, low, side, 0.0F);
        const float depth = shared::distanceToBox(camera.position, low, low + glm::vec3(side));
        for (int p = 0; p < 20; ++p) {
            const float turn = 6.2831853F * unit(random);
            const glm::vec3 lens = camera.apertureRadius * (std::cos(turn) * glm::normalize(camera.right) +
                                                            std::sin(turn) * glm::normalize(camera.up));
            const glm::vec3 point = low + side * three();
            const glm::vec3 way = point - camera.position - lens;
            // Where the ray meets the plane of focus tells the pixel.
            const float travelled = glm::dot(way, camera.forward);
            const glm::vec3 focused = (way * (camera.focusDistance / travelled) + lens) / camera.focusDistance;
            const glm::vec2 place(glm::dot(focused, camera.right) / glm::dot(camera.right, camera.right),
                                  glm::dot(focused, camera.up) / glm::dot(camera.up, camera.up));
            if (travelled <= 0.0F || std::abs(place.x) >= 1.0F || std::abs(place.y) >= 1.0F) {
                continue;
            }
            ++seen;
            const glm::uvec2 pixel((place.x * 0.5F + 0.5F) * 640.0F, (0.5F - place.y * 0.5F) * 360.0F);
            const glm::uvec2 tile =
                pixel / glm::uvec2(PATH_TILE_WIDTH * COARSE_TILE_COLUMNS, PATH_TILE_HEIGHT * COARSE_TILE_ROWS);
            missed += bounds.kind == COARSE_EVERYWHERE ||
                              (bounds.kind == COARSE_TILES && glm::all(glm::greaterThanEqual(tile, bounds.first)) &&
                               glm::all(glm::lessThanEqual(tile, bounds.last)))
                          ? 0
                          : 1;
            const glm::vec3 origin = camera.position + lens;
            if (glm::any(glm::lessThan(origin, glm::vec3(1.0F))) ||
                glm::any(glm::greaterThan(origin, glm::vec3(2.0F)))) {
                continue;
            }
            const glm::vec3 direction = shared::traversalDirection(glm::normalize(way));
            shared::Traversal state{};
            shared::traversalBegin(octreeAddress, origin, direction, 1.0F / direction,
                                   shared::gridCell(origin, octree.levels), state);
            shared::coarseStart(state, camera.position, camera.apertureRadius, depth);
            const float begun = glm::length(shared::uintBitsToFloat(state.position) - state.origin);
            ahead += begun > 0.0F ? 1 : 0;
            late += begun > glm::length(way) ? 1 : 0;
        }
    }
    EXPECT_GT(seen, 5000U);
    EXPECT_GT(ahead, 1000U);
    EXPECT_EQ(missed, 0U);
    EXPECT_EQ(late, 0U);
}

/// Rays at the nearest point of a box, from which its depth is told, start before it, by more than the roundings.
TEST(CoarseStart, IsBeforeTheNearestPointOfABox) {
    const Octree octree = makeGyroid(64);
    const shared::OctreeView view = makeView(octree);
    std::mt19937 random(23);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    const auto three = [&] { return glm::vec3(unit(random), unit(random), unit(random)); };
    std::size_t ahead = 0;
    std::size_t late = 0;
    for (int i = 0; i < 20000; ++i) {
        const float side = std::ldexp(1.0F, -1 - static_cast<int>(random() % 9));
        const glm::vec3 low = 1.0F + side * glm::floor(three() / side);
        const glm::vec3 high = low + glm::vec3(side);
        const glm::vec3 eye = 1.5F + std::pow(10.0F, 3.0F * unit(random)) * (three() - 0.5F);
        const float depth = shared::distanceToBox(eye, low, high);
        const glm::vec3 direction = shared::traversalDirection(glm::normalize(glm::clamp(eye, low, high) - eye));
        glm::vec3 origin = eye;
        float travelled = 0.0F;
        std::uint32_t axis = 0;
        if (depth == 0.0F || shared::clipToBox(glm::vec3(1.0F), glm::vec3(2.0F), origin, direction, 1.0F / direction,
                                               travelled, axis) == 0) {
            continue;
        }
        shared::Traversal state{};
        shared::traversalBegin(reinterpret_cast<std::uint64_t>(&view), origin, direction, 1.0F / direction,
                               shared::entryCell(origin, direction, axis, octree.levels), state);
        const glm::uvec3 rim = state.position;
        if (shared::coarseStart(state, eye, 0.0F, depth) != TRAVERSAL_RUNNING || state.position == rim) {
            continue;
        }
        ++ahead;
        const glm::vec3 begun = shared::mirrorPoint(shared::uintBitsToFloat(state.position), state.mirrorAxes);
        late += begun == glm::clamp(begun, low, high) ? 1 : 0;
    }
    EXPECT_GT(ahead, 5000U);
    EXPECT_EQ(late, 0U);
}

} // namespace
} // namespace aureole
