// Where paths stand and where their rays start, on the CPU: which sheet they are on, which voxel they are in, and what
// waves keep of it.

#include <utility>
#include <vector>

#include "cpu_paths.h"
#include "shared/stream/ray_stream.h"

namespace aureole {
namespace {

const glm::vec3 kUp(0.0F, 1.0F, 0.0F);

class PathStart : public CpuPaths {};

/// In the voxel before the face that was hit, on the sheet ahead; or in the hit voxel, on its own sheet.
TEST_F(PathStart, RaysStartOnTheSideOfTheFaceThatTheyLeaveBy) {
    use(octreeOf(2, {}));
    const glm::uvec3 voxel(5, 0, 15);
    for (std::uint32_t face = 0; face <= FACE_INSIDE; ++face) {
        for (int i = 0; i < 200; ++i) {
            shared::VoxelPath state{};
            state.from.voxel = voxel;
            state.from.face = face;
            state.from.sheet = SHEET_VALID | 11U;
            state.from.sheetAhead = i % 2 == 0 ? NO_SHEET : SHEET_VALID | 22U;
            const glm::vec3 out = face == FACE_INSIDE ? glm::vec3(0.0F) : shared::faceNormal(face);
            state.from.position = 1.0F + params_.voxelSize * (glm::vec3(voxel) + 0.5F + 0.5F * out);
            const glm::vec3 direction = numbers_.direction();
            const bool outwards = glm::dot(direction, out) > 0.0F;
            const glm::ivec3 expected = glm::ivec3(voxel) + glm::ivec3(outwards ? out : glm::vec3(0.0F));
            const std::uint32_t status = shared::voxelRayFrom(params(), state, direction, 0);
            EXPECT_EQ(state.raysStarted, 1U);
            if (expected.y < 0 || expected.z > 15) {
                EXPECT_EQ(status, TRAVERSAL_MISS) << face;
                continue;
            }
            ASSERT_EQ(status, TRAVERSAL_RUNNING);
            EXPECT_EQ(glm::ivec3(shared::traversalVoxel(view(), state.ray)), expected);
            EXPECT_LT(glm::distance(shared::traversalPosition(state.ray), state.from.position), 1e-6F);
            EXPECT_EQ(state.passedSheet, outwards ? state.from.sheetAhead : state.from.sheet);
            EXPECT_EQ(shared::voxelBefore(state, {{}, 0, 0, 0, 0.0F}), state.passedSheet) << "at the start";
            EXPECT_EQ(shared::voxelBefore(state, {{}, 0, 0, 0, 0.1F}), NO_SHEET);
            EXPECT_EQ(shared::traversalRayDirection(state.ray), shared::traversalDirection(direction));
            const shared::RayRecord ray = shared::packVoxelRay(view(), state);
            EXPECT_EQ(shared::rayFirstSheet(ray), state.passedSheet);
            EXPECT_EQ(shared::raySheet(ray), state.from.sheet);
            EXPECT_EQ(shared::raySheetAhead(ray), state.from.sheetAhead);
            EXPECT_LT(glm::distance(shared::rayOrigin(ray).position, state.from.position), 1e-6F);
        }
    }
}

/// Every bit of a sheet that a path can be on or have gone through.
TEST_F(PathStart, WavesKeepSheetsWholly) {
    EXPECT_EQ((SHEET_VALID | SHEET_REVERSED | SHEET_DOUBLE | SHEET_EDGE | SHEET_LOST) & ~WAVE_SHEET_MASK, 0U);
    use(octreeOf(2, {}));
    for (int i = 0; i < 1000; ++i) {
        shared::VoxelPath state = pathFrom({3.5, 4.5, 5.5}, numbers_.direction());
        state.from.voxel = {3, 4, 5};
        state.from.sheet = SHEET_VALID | numbers_.bits(26);
        state.from.sheetAhead = SHEET_VALID | numbers_.bits(26);
        state.passedSheet = i % 2 == 0 ? state.from.sheet : state.from.sheetAhead;
        state.ray.axis = numbers_.bits(2);
        const shared::RayRecord ray = shared::rayThatResumes(shared::packVoxelRay(view(), state));
        EXPECT_EQ(shared::raySheet(ray), state.from.sheet);
        EXPECT_EQ(shared::raySheetAhead(ray), state.from.sheetAhead);
        EXPECT_EQ(shared::rayFirstSheet(ray), state.passedSheet);
        EXPECT_NE(shared::rayResumes(ray), 0U);
        shared::Traversal started{};
        shared::rayBegin(view(), ray, shared::rayReciprocals(ray), started);
        EXPECT_EQ(started.position, state.ray.position);
        EXPECT_EQ(started.axis, state.ray.axis);
        EXPECT_EQ(started.mirrorAxes, state.ray.mirrorAxes);
        // And where it stands at the end of a wave.
        const std::uint32_t left = SHEET_VALID | numbers_.bits(28);
        shared::Traversal stopped = started;
        stopped.position += glm::uvec3(numbers_.bits(10));
        stopped.axis = numbers_.bits(2);
        const shared::WaveHit suspended = shared::packWaveSuspended(stopped, left, numbers_.bits(1));
        EXPECT_EQ(shared::isWaveSuspended(suspended), 1U);
        EXPECT_EQ(shared::standingSheet(suspended), left);
        shared::resumeTraversal(suspended.bits, started);
        EXPECT_EQ(started.position, stopped.position);
        EXPECT_EQ(started.axis, stopped.axis);
    }
}

/// A hit is stored without where the ray stands: that is found again to the last bit, and from there the next voxel.
TEST_F(PathStart, WavesFindAgainWhereARayHit) {
    for (OctreeSample& sample : sampleOctrees()) {
        SCOPED_TRACE(sample.name);
        const std::vector<shared::GridRay> rays = sampleRays(sample, 1000, 23);
        use(std::move(sample.octree));
        std::size_t hits = 0;
        for (const shared::GridRay& cast : rays) {
            const shared::RayRecord ray =
                shared::packRay(view(), cast.origin, cast.direction, cast.cell, TRAVERSAL_NO_AXIS, 0);
            shared::Traversal there{};
            shared::rayBegin(view(), ray, shared::rayReciprocals(ray), there);
            shared::Traversal again = there;
            std::uint32_t steps = ~0U;
            // Full nodes are no cells of waves' hits: cubes have attributes.
            if (shared::traversalRun(view(), there, steps) != TRAVERSAL_HIT ||
                shared::traversalHitShift(view(), there) != shared::traversalLeafShift(view())) {
                continue;
            }
            ++hits;
            const shared::VoxelHit hit = shared::traversalHit(view(), there);
            const shared::WaveHit packed = shared::packWaveHit(view(), there, SHEET_VALID);
            const shared::VoxelHit found = shared::resumeAtHit(view(), packed, again);
            ASSERT_EQ(again.position, there.position);
            ASSERT_EQ(again.axis, there.axis);
            EXPECT_EQ(found.voxel, hit.voxel);
            EXPECT_EQ(found.face, hit.face);
            EXPECT_EQ(found.leaf, hit.leaf);
            EXPECT_EQ(found.bit, hit.bit);
            EXPECT_EQ(found.distance, hit.distance);
            const std::uint32_t past = shared::traversalSkip(view(), there);
            ASSERT_EQ(shared::waveSkip(view(), again), past);
            EXPECT_EQ(again.position, there.position);
            EXPECT_EQ(again.axis, there.axis);
        }
        EXPECT_EQ(hits > 0, !sample.voxels.empty());
    }
}

TEST_F(PathStart, OnAnEdgeAPathIsOnOneOfItsSheets) {
    Octree octree = octreeOf(2, {{5, 5, 5}});
    setSurface(octree, {5, 5, 5}, {glm::vec3(0.5F), glm::vec3(1, 0, 0), 1.0F, 0.0F, 0, kUp, 1, 0, 0, 0.0F, 0});
    use(std::move(octree));
    for (const glm::vec3& side : {kUp, glm::vec3(1, 0, 0)}) {
        shared::VoxelPath state = pathFrom(glm::dvec3(5.5F + 2.0F * side), -glm::dvec3(side) + glm::dvec3(0, 0, 0.1));
        ASSERT_TRUE(arrive(state));
        ASSERT_NE(state.from.sheet, NO_SHEET);
        EXPECT_GT(glm::dot(shared::sheetSide(state.from.sheet), side), 0.999F);
        EXPECT_EQ(state.from.sheet & SHEET_EDGE, 0U) << "it is known which";
    }
}

/// Where a path goes through a voxel of its sheet and stands on the next, it keeps both.
TEST_F(PathStart, BehindAVoxelThatItWentThroughAPathKeepsTheSheetAhead) {
    Octree octree = octreeOf(2, {{5, 5, 5}, {6, 5, 5}});
    const glm::vec3 ahead = glm::normalize(glm::vec3(0.3F, 1.0F, 0.0F));
    const glm::vec3 met = glm::normalize(glm::vec3(-0.8F, 1.0F, 0.0F));
    setSurface(octree, {5, 5, 5}, {glm::vec3(0.5F), ahead, 1.0F, 0.0F, 0, ahead, 0, 0, 0, 0.0F, 0});
    setSurface(octree, {6, 5, 5}, {glm::vec3(0.5F), met, 1.0F, 0.0F, 0, met, 0, 0, 0, 0.0F, 0});
    use(std::move(octree));
    // By the top of the first, which it leaves, into the side of the second, which it meets in front.
    shared::VoxelPath state = pathFrom({4.7, 6.05, 5.5}, {1.0, -0.1, 0.0});
    ASSERT_TRUE(arrive(state));
    EXPECT_EQ(state.from.voxel, glm::uvec3(6, 5, 5));
    EXPECT_EQ(state.from.face, 0U);
    EXPECT_GT(glm::dot(shared::sheetSide(state.from.sheet), met), 0.999F);
    ASSERT_NE(state.from.sheetAhead, NO_SHEET);
    EXPECT_GT(glm::dot(shared::sheetSide(state.from.sheetAhead), ahead), 0.999F);
    EXPECT_LT(glm::dot(state.from.side, shared::traversalRayDirection(state.ray)), 0.0F);
    // From an empty voxel there is none ahead.
    state = pathFrom({7.5, 5.5, 5.5}, {-1.0, -0.2, 0.0});
    ASSERT_TRUE(arrive(state));
    EXPECT_EQ(state.from.voxel, glm::uvec3(6, 5, 5));
    EXPECT_EQ(state.from.sheetAhead, NO_SHEET);
    // With the normals of faces there are no sheets.
    params_.smoothNormals = 0;
    state = pathFrom({4.5, 5.5, 5.5}, {1.0, 0.1, 0.0});
    ASSERT_TRUE(arrive(state));
    EXPECT_EQ(state.from.sheet, NO_SHEET);
    EXPECT_EQ(state.from.side, glm::vec3(-1.0F, 0.0F, 0.0F));
}

} // namespace
} // namespace aureole
