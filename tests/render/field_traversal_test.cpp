#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "field_samples.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "shared/surface/surface_hit.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

class GpuField : public gpu::GpuTest {};

shared::CornerDistances randomCorners(std::mt19937& random) {
    return {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
            static_cast<std::uint32_t>(random())};
}

TEST(FieldCrossing, IsWhereADenseMarchFindsIt) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    constexpr int kSteps = 2000;
    int crossings = 0;
    for (int i = 0; i < 20000; ++i) {
        shared::CornerDistances corners = randomCorners(random);
        shared::SurfaceSegment segment{};
        glm::dvec3 enter(unit(random), unit(random), unit(random));
        glm::dvec3 leave(unit(random), unit(random), unit(random));
        enter[i % 3] = i % 2;
        leave[(i / 2) % 3] = 1 - i % 2;
        segment.enter = glm::vec3(enter);
        segment.leave = glm::vec3(leave);
        enter = segment.enter;
        leave = segment.leave;
        std::uint32_t side = SIDE_UNKNOWN;
        float t = 0.0F;
        glm::vec3 normal(0.0F);
        const bool met = shared::fieldMet(corners, segment, side, t, normal) != 0;
        const auto at = [&](double share) { return trilinear(corners, enter + (leave - enter) * share); };
        const double sign = at(0.0) > 0.0 ? 1.0 : -1.0;
        if (std::abs(at(0.0)) < 1e-5) {
            continue; // rounding may decide either way
        }
        ASSERT_EQ(side, sign > 0.0 ? SIDE_FRONT : SIDE_BACK);
        int first = 0;
        while (first <= kSteps && sign * at(static_cast<double>(first) / kSteps) > 0.0) {
            ++first;
        }
        const double marched = static_cast<double>(first) / kSteps;
        const double slack = 1.0 / kSteps + 1.0 / 4096.0 + 1e-6;
        if (!met) {
            // What is not met may at most be touched.
            for (int step = first; step <= kSteps; ++step) {
                ASSERT_GT(sign * at(static_cast<double>(step) / kSteps), -1e-5);
            }
            continue;
        }
        ++crossings;
        ASSERT_LE(t, marched + slack);
        double least = 1e30;
        for (double near = t; near <= t + slack; near += 0.1 / kSteps) {
            least = std::min(least, sign * at(std::min(near, 1.0)));
        }
        ASSERT_LT(least, 1e-3) << "nothing is there";
        // The normal is the gradient's, by differences.
        const glm::dvec3 point = enter + (leave - enter) * static_cast<double>(t);
        glm::dvec3 gradient(0.0);
        for (int axis = 0; axis < 3; ++axis) {
            glm::dvec3 step(0.0);
            step[axis] = 0.5;
            gradient[axis] = trilinear(corners, point + step) - trilinear(corners, point - step);
        }
        ASSERT_GT(glm::dot(glm::normalize(gradient) * sign, glm::dvec3(normal)), 1.0 - 1e-4);
    }
    EXPECT_GT(crossings, 5000);
}

/// Rays that graze or run in the surface end, and report no crossing where all is on their side.
TEST(FieldCrossing, EndsWhateverTheNumbers) {
    const auto met = [](std::uint32_t low, std::uint32_t middle, std::uint32_t high, std::uint32_t side) {
        shared::SurfaceSegment segment{};
        segment.enter = glm::vec3(0.0F, 0.25F, 0.5F);
        segment.leave = glm::vec3(1.0F, 0.75F, 0.5F);
        segment.startsHere = 1;
        float t = 0.0F;
        glm::vec3 normal(0.0F);
        return shared::fieldMet({low, middle, high}, segment, side, t, normal) != 0 ? t : 2.0F;
    };
    EXPECT_EQ(met(~0U, ~0U, ~0U, SIDE_FRONT), 2.0F);
    EXPECT_EQ(met(0, 0, 0, SIDE_BACK), 2.0F);
    EXPECT_LT(met(0, 0, 0, SIDE_FRONT), 0.01F);
    EXPECT_LT(met(~0U, ~0U, ~0U, SIDE_BACK), 0.01F);
    EXPECT_LT(shared::fieldCrossing({1e-6F, -1e-6F, 1e-6F, -1e-6F}), 1.0F);
    EXPECT_LT(shared::fieldCrossing({1.0F, -0.33333F, 0.0F, 0.0F}), 1.0F);
}

/// A million rays over fields of random bits, compared bit by bit with the CPU.
TEST_F(GpuField, GivesTheVoxelsFacesAndDistancesOfTheCpu) {
    const RayCaster caster(device(), OctreeEncoding::Field);
    const std::vector<OctreeSample> samples = sampleOctrees();
    const std::size_t raysEach = quickOrFull(200000U, 1000000U) / samples.size() + 1;
    for (const OctreeSample& sample : samples) {
        SCOPED_TRACE(sample.name);
        const Octree octree = randomField(sample, 23);
        const std::vector<shared::GridRay> rays = sampleRays(sample, raysEach, 29);
        const std::vector<shared::RayHit> expected = castOnCpu(octree, rays);
        const DeviceOctree onDevice(device(), octree);
        for (const std::uint32_t steps : {4096U, 40U}) {
            const std::vector<shared::RayHit> found = caster.cast(onDevice, rays, steps);
            std::size_t differing = 0;
            for (std::size_t i = 0; i < rays.size(); ++i) {
                differing += std::memcmp(&expected[i], &found[i], sizeof(shared::RayHit)) == 0 ? 0 : 1;
            }
            EXPECT_EQ(differing, 0U) << steps;
        }
    }
}

/// A sphere's hits lie on the sphere, and rays that pass it by miss it.
TEST(FieldTraversal, HitsASphereWhereItIs) {
    const glm::dvec3 centre(31.3, 32.1, 30.7);
    const double radius = 20.0;
    const Octree octree = fieldOf(3, [&](const glm::dvec3& p) { return glm::distance(p, centre) - radius; });
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::vector<shared::GridRay> rays;
    std::vector<double> expected;
    while (rays.size() < 50000) {
        const glm::dvec3 from = glm::dvec3(unit(random), unit(random), unit(random)) * 64.0;
        const glm::dvec3 direction = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
        const double along = glm::dot(centre - from, direction);
        const double over = glm::length(centre - from - direction * along);
        const double half = std::sqrt(std::max(radius * radius - over * over, 0.0));
        const bool inside = glm::distance(from, centre) < radius;
        if (std::abs(over - radius) < 0.3 || std::abs(glm::distance(from, centre) - radius) < 1.0) {
            continue; // nearly tangent, or started by the surface
        }
        rays.push_back(makeGridRay(octree, from, direction));
        expected.push_back(inside ? along + half : (over < radius && along > 0.0 ? along - half : -1.0));
    }
    const std::vector<shared::RayHit> hits = castOnCpu(octree, rays);
    for (std::size_t i = 0; i < rays.size(); ++i) {
        if (expected[i] < 0.0) {
            ASSERT_EQ(hits[i].face, RAY_MISSED);
        } else {
            ASSERT_NE(hits[i].face, RAY_MISSED);
            ASSERT_NEAR(hits[i].distance * 64.0, expected[i], 0.08);
        }
    }
}

/// A box that is turned, as a conversion of a mesh makes it: creases run through voxels, where interpolation is bent
/// most. A ray meets it where what is interpolated between exact distances is 0, to the steps of codes, and not later.
TEST(FieldTraversal, MeetsCreasesWhereInterpolationIsZero) {
    const glm::dmat3 turn = glm::dmat3(glm::mat3_cast(glm::angleAxis(0.7, glm::normalize(glm::dvec3(1.0, 2.0, 3.0)))));
    const auto distance = [&](const glm::dvec3& p) {
        const glm::dvec3 beyond = glm::abs(turn * (p - glm::dvec3(31.7, 32.2, 31.1))) - glm::dvec3(15.3, 12.1, 9.7);
        return glm::length(glm::max(beyond, 0.0)) + std::min(std::max({beyond.x, beyond.y, beyond.z}), 0.0);
    };
    const auto interpolated = [&](const glm::dvec3& p) {
        const glm::dvec3 low = glm::floor(p);
        double sum = 0.0;
        for (int corner = 0; corner < 8; ++corner) {
            const glm::dvec3 offset(corner & 1, corner >> 1 & 1, corner >> 2);
            const glm::dvec3 share = 1.0 - glm::abs(p - low - offset);
            sum += share.x * share.y * share.z * distance(low + offset);
        }
        return sum;
    };
    const Octree octree = fieldOf(3, distance);
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::vector<shared::GridRay> rays;
    std::vector<std::array<glm::dvec3, 2>> ways;
    while (rays.size() < 3000) {
        const glm::dvec3 from = glm::dvec3(unit(random), unit(random), unit(random)) * 64.0;
        const glm::dvec3 direction = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
        if (distance(from) > 2.0) {
            rays.push_back(makeGridRay(octree, from, direction));
            ways.push_back({from, direction});
        }
    }
    const std::vector<shared::RayHit> hits = castOnCpu(octree, rays);
    constexpr double kNear = 2e-3; // codes are 0.00085 voxels apart
    std::size_t met = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const auto& [from, direction] = ways[i];
        const bool isHit = hits[i].face != RAY_MISSED;
        const double end = isHit ? hits[i].distance * 64.0 : 64.0;
        for (double t = 0.0; t < end; t += 0.05) {
            ASSERT_GT(interpolated(from + direction * t), -kNear) << i;
        }
        if (isHit) {
            ASSERT_LT(std::abs(interpolated(from + direction * end)), kNear) << i;
            ++met;
        }
    }
    EXPECT_GT(met, 200U);
}

} // namespace
} // namespace aureole
