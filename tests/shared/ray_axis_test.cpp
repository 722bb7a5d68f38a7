// The axis that a ray came in through, found from where it stands, against the one that the traversal crossed.

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "shared/ray_stream.h"

namespace aureole::shared {
namespace {

constexpr uint kLevels = 2;
constexpr uint kSide = 16;

/// Two levels of random voxels: many merged steps, and some blocks without any.
class RayAxis : public ::testing::Test {
protected:
    RayAxis() {
        for (bool& solid : solid_) {
            solid = number(99) < 6;
        }
        uint64_t root = 0;
        for (uint bit = 0; bit < 64; ++bit) {
            uint64_t mask = 0;
            for (uint cell = 0; cell < 64; ++cell) {
                mask |= uint64_t{isSolid(4U * bitCell(bit) + bitCell(cell)) ? 1U : 0U} << cell;
            }
            if (mask != 0) {
                root |= uint64_t{1} << bit;
                leaves_.emplace_back(static_cast<uint>(mask), static_cast<uint>(mask >> 32U));
            }
        }
        root_ = {static_cast<uint>(root), static_cast<uint>(root >> 32U), 0, 0};
        view_.nodes[0] = reinterpret_cast<uint64_t>(&root_);
        view_.leaves[0] = reinterpret_cast<uint64_t>(leaves_.data());
        view_.levels = kLevels;
    }

    uint64_t view() const { return reinterpret_cast<uint64_t>(&view_); }
    bool isSolid(const uvec3& v) const { return solid_[(v.z * kSide + v.y) * kSide + v.x]; }
    uint number(uint most) { return std::uniform_int_distribution<uint>(0, most)(random_); }
    float uniform() { return std::uniform_real_distribution<float>(0.0F, 1.0F)(random_); }

    /// Half of them from corners of voxels along their diagonals, or so close to them that roundings tell.
    RayRecord ray() {
        const bool aligned = number(1) == 0;
        vec3 origin(1.0F);
        vec3 along(0.0F);
        for (int axis = 0; axis < 3; ++axis) {
            const float near = number(2) == 0 ? 1.2e-7F * static_cast<float>(number(8)) : 0.0F;
            origin[axis] += aligned ? static_cast<float>(number(kSide - 1)) / kSide + near : uniform();
            along[axis] = (number(1) == 0 ? 1.0F : -1.0F) * (aligned ? static_cast<float>(number(2)) : uniform());
        }
        const vec3 direction = traversalDirection(normalize(along + vec3(1e-9F)));
        return packRay(view(), origin, direction, gridCell(origin, kLevels), TRAVERSAL_NO_AXIS, 0U);
    }

private:
    std::array<bool, kSide * kSide * kSide> solid_{};
    OctreeNode root_{};
    std::vector<uvec2> leaves_;
    OctreeView view_{};
    std::mt19937 random_{3};
};

TEST_F(RayAxis, IsThatOfAFaceInTheOpen) {
    uint hits = 0;
    uint others = 0; // than the traversal's
    for (int i = 0; i < 300000; ++i) {
        const RayRecord record = ray();
        Traversal state{};
        rayBegin(view(), record, rayReciprocals(record), state);
        uint steps = 1000;
        if (traversalRun(view(), state, steps) != TRAVERSAL_HIT) {
            continue;
        }
        Traversal settled = state;
        settled.axis = 7U;
        raySettle(view(), reinterpret_cast<uint64_t>(&record), settled);
        ASSERT_EQ(settled.axis == TRAVERSAL_NO_AXIS, state.axis == TRAVERSAL_NO_AXIS);
        if (state.axis == TRAVERSAL_NO_AXIS) {
            continue;
        }
        ASSERT_LT(settled.axis, 3U);
        ++hits;
        const auto axis = static_cast<int>(settled.axis);
        const uvec3 voxel = traversalVoxel(view(), state);
        // The ray is on the face, and nothing lies before that.
        EXPECT_EQ(state.position[axis] & ((1U << (23U - 2U * kLevels)) - 1U), 0U);
        uvec3 before = voxel;
        before[axis] += ((state.mirrorAxes >> settled.axis) & 1U) != 0U ? 1U : ~0U;
        if (before[axis] < kSide) {
            EXPECT_FALSE(isSolid(before)) << i;
        }
        if (settled.axis != state.axis) {
            ++others; // at an edge only
            EXPECT_NEAR(traversalDistance(settled), traversalDistance(state), 1e-6F);
        }
    }
    EXPECT_GT(hits, 100000U);
    EXPECT_LT(others, hits / 50);
}

TEST_F(RayAxis, ARayThatHasNotMovedKeepsItsOwn) {
    for (uint axis = 0; axis < 4; ++axis) {
        const RayRecord record = packRay(view(), vec3(1.25F), vec3(0.6F, 0.64F, -0.48F), uvec3(4, 4, 3), axis, 0U);
        Traversal state{};
        rayBegin(view(), record, rayReciprocals(record), state);
        state.axis = 7U;
        raySettle(view(), reinterpret_cast<uint64_t>(&record), state);
        EXPECT_EQ(state.axis, axis);
    }
}

} // namespace
} // namespace aureole::shared
