#include <gtest/gtest.h>

#include "octree_samples.h"
#include "shared/surface/sheet_ahead.h"

namespace aureole {
namespace {

constexpr std::uint32_t kLevels = 2;
constexpr float kSide = 1.0F / 16.0F;

/// Voxels in a row along X, each with a normal and no edge.
class SheetAhead : public ::testing::Test {
protected:
    void addVoxel(const glm::vec3& normal, std::uint32_t crease = 0, std::uint32_t doubleSided = 0) {
        const glm::vec3 n = glm::normalize(normal);
        surfaces_.push_back(
            {glm::vec3(0.5F), n, 1.0F, 0.0F, 0, n, crease, doubleSided, crease != 0 ? 3U : 1U, 0.1F, 0});
    }

    /// Whether a ray stays in front that comes into the first voxel at a height within it from 0 to 1.
    bool stays(float height, const glm::vec3& direction) const {
        return atFirst(height, direction, [&](std::uint64_t view, const shared::Traversal& state) {
            return shared::staysInFront(view, state, first(), first().geometricNormal) != 0;
        });
    }

    /// Whether it goes through the first voxel, which it leaves so, on the side `side` of that.
    bool passes(float height, const glm::vec3& direction, const glm::vec3& side, std::uint32_t leaves) const {
        const std::uint32_t sheet = shared::makeSheet(first(), side);
        return atFirst(height, direction, [&](std::uint64_t view, const shared::Traversal& state) {
            const std::uint32_t passed = shared::sheetPassed(view, state, first(), sheet, leaves);
            EXPECT_TRUE(passed == sheet || passed == NO_SHEET);
            return passed != NO_SHEET;
        });
    }

    std::uint32_t encoding_ = OCTREE_TREE;
    std::uint32_t firstX_ = 4; ///< beyond the last voxel of the grid the row goes on at its first

private:
    shared::VoxelSurface first() const { return shared::unpackAttributes(shared::packAttributes(surfaces_[0])); }

    template <typename Ask>
    bool atFirst(float height, const glm::vec3& direction, const Ask& ask) const {
        std::vector<glm::uvec3> voxels;
        for (std::uint32_t i = 0; i < surfaces_.size(); ++i) {
            voxels.emplace_back((firstX_ + i) % 16, 8, 8);
        }
        Octree octree = octreeOf(kLevels, voxels);
        for (std::size_t i = 0; i < voxels.size(); ++i) {
            setSurface(octree, voxels[i], surfaces_[i]);
        }
        shared::OctreeView view = makeView(octree);
        view.encoding = encoding_;
        const auto address = reinterpret_cast<std::uint64_t>(&view);
        const glm::vec3 start = 1.0F + kSide * glm::vec3(static_cast<float>(firstX_), 8.0F + height, 8.5F);
        const glm::vec3 d = shared::traversalDirection(glm::normalize(direction));
        shared::Traversal state{};
        shared::traversalBegin(address, start, d, 1.0F / d, voxels[0], state);
        return ask(address, state);
    }

    std::vector<shared::VoxelSurface> surfaces_;
};

const glm::vec3 kTilted = {-0.3F, 1.0F, 0.0F}; // against rays along X
const glm::vec3 kRay = {1.0F, 0.4F, 0.0F};     // leaves it by 5 degrees

TEST_F(SheetAhead, AVoxelIsLeftByAFaceInFront) {
    addVoxel(kTilted);
    EXPECT_TRUE(stays(0.9F, kRay));  // by the top
    EXPECT_FALSE(stays(0.1F, kRay)); // by the far face, which is behind
}

TEST_F(SheetAhead, AFaceAlongTheSurfaceIsOnTheSideThatTheRayGoesTo) {
    addVoxel({0.0F, 1.0F, 0.0F});
    EXPECT_TRUE(stays(0.1F, {1.0F, 0.1F, 0.0F}));
}

TEST_F(SheetAhead, VoxelsOfTheSheetAreFollowed) {
    addVoxel(kTilted);
    addVoxel(kTilted);
    addVoxel(kTilted);
    EXPECT_TRUE(stays(0.1F, kRay));   // by the top of the third
    EXPECT_FALSE(stays(-0.3F, kRay)); // which it does not reach
}

TEST_F(SheetAhead, WhatBendsTowardsTheRayStopsIt) {
    addVoxel(kTilted);
    addVoxel({-0.5F, 1.0F, 0.0F});
    EXPECT_FALSE(stays(0.5F, kRay));
}

TEST_F(SheetAhead, WhatIsNoSheetStopsIt) {
    addVoxel(kTilted);
    addVoxel(kTilted, 1);
    EXPECT_FALSE(stays(0.5F, kRay));
}

TEST_F(SheetAhead, AThinWallStopsIt) {
    addVoxel(kTilted);
    addVoxel(kTilted, 0, 1);
    EXPECT_FALSE(stays(0.5F, kRay));
}

TEST_F(SheetAhead, ASharpBendStopsIt) {
    addVoxel(kTilted);
    addVoxel({1.0F, 0.1F, 0.0F}); // which the ray leaves
    EXPECT_FALSE(stays(0.5F, kRay));
}

TEST_F(SheetAhead, BehindTheGridIsNothing) {
    addVoxel(kTilted);
    addVoxel(kTilted);
    EXPECT_TRUE(stays(0.5F, kRay)); // by the top of the second
    firstX_ = 15;
    EXPECT_FALSE(stays(0.5F, kRay)); // by the far face
}

TEST_F(SheetAhead, AnotherSheetStopsIt) {
    addVoxel(kTilted);
    addVoxel({0.3F, -1.0F, 0.0F});
    EXPECT_FALSE(stays(0.5F, kRay));
}

/// What is left in the mean alone asks for the look ahead, on whichever side of it the ray is.
TEST_F(SheetAhead, RaysGoThroughWhatTheyComeOutOfInFront) {
    addVoxel(-kTilted);
    EXPECT_TRUE(passes(0.9F, kRay, kTilted, LEAVES_MEAN));
    EXPECT_FALSE(passes(0.1F, kRay, kTilted, LEAVES_MEAN));
    EXPECT_FALSE(passes(0.9F, kRay, -kTilted, LEAVES_MEAN));
    EXPECT_TRUE(passes(0.1F, kRay, kTilted, LEAVES_ALL)) << "all of it is left";
}

TEST_F(SheetAhead, TheSideThatTheRayIsOnIsFollowed) {
    addVoxel(-kTilted);
    addVoxel(-kTilted);
    addVoxel(-kTilted);
    EXPECT_TRUE(passes(0.1F, kRay, kTilted, LEAVES_MEAN));
}

TEST_F(SheetAhead, IsNotForCellsOfPlanes) {
    addVoxel(kTilted);
    EXPECT_TRUE(passes(0.9F, kRay, kTilted, LEAVES_MEAN));
    encoding_ = OCTREE_PLANES;
    EXPECT_FALSE(passes(0.9F, kRay, kTilted, LEAVES_MEAN));
}

} // namespace
} // namespace aureole
