#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "octree_samples.h"
#include "voxel/tree/octree_starts.h"

namespace aureole {
namespace {

/// Where a ray enters and leaves the cube of a voxel, in double; nothing where it misses.
struct Interval {
    double enter;
    double leave;
};

Interval slabs(const shared::GridRay& ray, const glm::uvec3& voxel, double size) {
    Interval interval{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (int axis = 0; axis < 3; ++axis) {
        const double low = (1.0 + voxel[axis] * size - ray.origin[axis]) / ray.direction[axis];
        const double high = (1.0 + (voxel[axis] + 1.0) * size - ray.origin[axis]) / ray.direction[axis];
        interval.enter = std::max(interval.enter, std::min(low, high));
        interval.leave = std::min(interval.leave, std::max(low, high));
    }
    return interval;
}

/// The first voxel that a ray passes through, by trying all of them. A ray that only touches a voxel's edge or corner
/// (within the rounding of floats) may or may not count as a hit, so the least and the greatest entry are told.
void expectHitAgrees(const shared::GridRay& ray, const shared::RayHit& hit, const std::vector<glm::uvec3>& voxels,
                     double size) {
    const double tolerance = 1e-5; // of lengths along the ray, in grid units
    double surely = std::numeric_limits<double>::infinity();
    for (const glm::uvec3& voxel : voxels) {
        const Interval interval = slabs(ray, voxel, size);
        if (interval.leave > 0.0 && interval.leave - std::max(interval.enter, 0.0) > tolerance) {
            surely = std::min(surely, std::max(interval.enter, 0.0));
        }
    }
    if (hit.face == RAY_MISSED) {
        EXPECT_EQ(surely, std::numeric_limits<double>::infinity()) << "a hit was missed";
        return;
    }
    const Interval found = slabs(ray, hit.voxel, size);
    EXPECT_LE(found.enter, found.leave + tolerance) << "the ray does not touch the voxel";
    EXPECT_NEAR(std::max(found.enter, 0.0), hit.distance, tolerance);
    EXPECT_LE(hit.distance, surely + tolerance) << "a nearer voxel was missed";
    EXPECT_NE(std::find(voxels.begin(), voxels.end(), hit.voxel), voxels.end()) << "the voxel is empty";
}

TEST(Traversal, AgreesWithTryingEveryVoxel) {
    for (const OctreeSample& sample : sampleOctrees()) {
        const Octree& octree = sample.octree;
        const std::vector<glm::uvec3>& voxels = sample.voxels;
        if (octree.levels > 4) {
            continue; // too large to try every voxel
        }
        SCOPED_TRACE(sample.name);
        const std::vector<shared::GridRay> rays = sampleRays(sample, 3000, 11);
        const std::vector<shared::RayHit> hits = castOnCpu(octree, rays);
        std::size_t found = 0;
        for (std::size_t i = 0; i < rays.size() && !::testing::Test::HasFailure(); ++i) {
            SCOPED_TRACE(i);
            expectHitAgrees(rays[i], hits[i], voxels, std::ldexp(1.0, -2 * static_cast<int>(octree.levels)));
            found += hits[i].face != RAY_MISSED ? 1 : 0;
        }
        EXPECT_EQ(found == 0, voxels.empty());
    }
}

TEST(Traversal, FaceIsTheSideThatWasEntered) {
    const Octree octree = octreeOf(3, {{31, 32, 33}});
    for (std::uint32_t face = 0; face < 6; ++face) {
        const glm::dvec3 normal(shared::faceNormal(face));
        const glm::dvec3 centre(31.5, 32.5, 33.5);
        const auto hit = castOnCpu(octree, std::vector{makeGridRay(octree, centre + 20.0 * normal, -normal)}).front();
        EXPECT_EQ(hit.face, face);
        EXPECT_EQ(hit.voxel, glm::uvec3(31, 32, 33));
        EXPECT_FLOAT_EQ(hit.distance, 19.5F / 64.0F);
    }
}

TEST(Traversal, StartInsideASolidVoxelIsAHitAtDistanceZero) {
    const Octree octree = octreeOf(2, {{5, 6, 7}});
    const auto hit = castOnCpu(octree, std::vector{makeGridRay(octree, {5.2, 6.7, 7.1}, {1, 2, 3})}).front();
    EXPECT_EQ(hit.face, FACE_INSIDE);
    EXPECT_EQ(hit.distance, 0.0F);
}

TEST(Traversal, SolidVoxelsAreThoseOfTheList) {
    for (const OctreeSample& sample : sampleOctrees()) {
        const std::uint32_t side = 1U << (2 * sample.octree.levels);
        if (side > 64) {
            continue; // too many voxels to ask for
        }
        SCOPED_TRACE(sample.name);
        std::vector<bool> solid(std::size_t{side} * side * side);
        for (const glm::uvec3& v : sample.voxels) {
            solid[(std::size_t{v.z} * side + v.y) * side + v.x] = true;
        }
        const shared::OctreeView view = makeView(sample.octree);
        const auto address = reinterpret_cast<std::uint64_t>(&view);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < solid.size(); ++i) {
            const glm::uvec3 voxel(i % side, i / side % side, i / side / side);
            wrong += (shared::octreeSolid(address, voxel) != 0) == solid[i] ? 0 : 1;
        }
        EXPECT_EQ(wrong, 0U);
        for (const glm::uvec3& outside :
             {glm::uvec3(side, 0, 0), glm::uvec3(0, side, 0), glm::uvec3(0, 0, side), glm::uvec3(0, 0xFFFFFFFFU, 0)}) {
            EXPECT_EQ(shared::octreeSolid(address, outside), 0U);
        }
    }
}

TEST(Traversal, StartedBelowTheRootGivesTheSameHitInFewerSteps) {
    std::uint32_t spared = 0;
    for (const OctreeSample& sample : sampleOctrees()) {
        SCOPED_TRACE(sample.name);
        const std::vector<shared::OctreeStart> starts = octreeStarts(sample.octree);
        shared::OctreeView view = makeView(sample.octree);
        view.startBits = OCTREE_START_BITS;
        const auto address = reinterpret_cast<std::uint64_t>(&view);
        for (const shared::GridRay& ray : sampleRays(sample, 3000, 17)) {
            std::array<shared::VoxelHit, 2> hits{};
            std::array<std::uint32_t, 2> statuses{};
            std::array<std::uint32_t, 2> left{};
            for (const std::size_t i : {0U, 1U}) {
                view.starts = i == 0 ? 0 : reinterpret_cast<std::uint64_t>(starts.data());
                shared::Traversal state{};
                shared::traversalBegin(address, ray.origin, ray.direction, ray.inverse, ray.cell, state);
                left.at(i) = 1000000;
                statuses.at(i) = shared::traversalRun(address, state, left.at(i));
                hits.at(i) = shared::traversalHit(address, state);
            }
            ASSERT_EQ(statuses[1], statuses[0]);
            ASSERT_GE(left[1], left[0]);
            spared += left[1] - left[0];
            if (statuses[0] == TRAVERSAL_HIT) {
                ASSERT_EQ(hits[1].voxel, hits[0].voxel);
                ASSERT_EQ(hits[1].face, hits[0].face);
                ASSERT_EQ(hits[1].leaf, hits[0].leaf);
                ASSERT_EQ(hits[1].distance, hits[0].distance);
            }
        }
    }
    EXPECT_GT(spared, 1000U);
}

TEST(Traversal, CutShortAndContinuedGivesTheSameHit) {
    for (const OctreeSample& sample : sampleOctrees()) {
        SCOPED_TRACE(sample.name);
        const Octree& octree = sample.octree;
        const shared::OctreeView view = makeView(octree);
        const auto address = reinterpret_cast<std::uint64_t>(&view);
        const std::vector<shared::GridRay> rays = sampleRays(sample, 2000, 13);
        const std::vector<shared::RayHit> whole = castOnCpu(octree, rays);
        for (std::size_t i = 0; i < rays.size(); ++i) {
            shared::Traversal state{};
            shared::traversalBegin(address, rays[i].origin, rays[i].direction, rays[i].inverse, rays[i].cell, state);
            std::uint32_t status = TRAVERSAL_RUNNING;
            std::uint32_t side = SIDE_UNKNOWN;
            shared::RayHit hit{};
            while (status == TRAVERSAL_RUNNING) {
                std::uint32_t steps = 9;
                shared::traversalLoadStart(address, state);
                status = shared::castRay(address, state, side, steps, hit);
            }
            ASSERT_EQ(hit.voxel, whole[i].voxel);
            ASSERT_EQ(hit.face, whole[i].face);
            ASSERT_EQ(hit.distance, whole[i].distance);
        }
    }
}

} // namespace
} // namespace aureole
