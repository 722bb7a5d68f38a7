// The records of rays and hits, against the traversal that they are packed from.

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "shared/stream/ray_stream.h"

namespace aureole::shared {
namespace {

constexpr uint kLevels = 3;
constexpr uint kSide = 64;

/// A view of an octree whose root is empty: enough to start rays.
class RayStream : public ::testing::Test {
protected:
    RayStream() {
        view_.nodes[0] = reinterpret_cast<uint64_t>(&root_);
        view_.levels = kLevels;
    }
    uint64_t view() const { return reinterpret_cast<uint64_t>(&view_); }

    float uniform() { return std::uniform_real_distribution<float>(0.0F, 1.0F)(random_); }
    uint number(uint most) { return std::uniform_int_distribution<uint>(0, most)(random_); }
    vec3 direction() {
        return traversalDirection(normalize(vec3(uniform() - 0.5F, uniform() - 0.5F, uniform() - 0.5F)));
    }

private:
    OctreeNode root_{};
    OctreeView view_{};
    std::mt19937 random_{7};
};

TEST_F(RayStream, RaysStartAsTheTraversalStartsThem) {
    for (int i = 0; i < 2000; ++i) {
        const vec3 origin(1.0F + uniform(), 1.0F + uniform(), 1.0F + uniform());
        const uvec3 cell = gridCell(origin, kLevels);
        const vec3 along = direction();
        Traversal expected{};
        traversalBegin(view(), origin, along, 1.0F / along, cell, expected);
        const RayRecord record = packRay(view(), origin, along, cell, TRAVERSAL_NO_AXIS, 99U);
        EXPECT_EQ(isRay(record), 1U);
        EXPECT_EQ(rayPixel(record), 99U);
        Traversal found{};
        rayBegin(view(), record, rayReciprocals(record), found);
        EXPECT_EQ(found.position, expected.position);
        EXPECT_EQ(found.direction, expected.direction);
        EXPECT_EQ(found.inverse, expected.inverse);
        EXPECT_EQ(found.mirrorAxes, expected.mirrorAxes);
        EXPECT_EQ(found.axis, expected.axis);
        // The origin is in its cell, and no further from where it was than the mirror rounds it.
        EXPECT_EQ(found.origin, uintBitsToFloat(found.position));
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(found.origin[axis], expected.origin[axis], 1.5e-7F);
        }
    }
}

TEST_F(RayStream, TheAxisEnteredThroughIsKept) {
    for (const uint axis : {0U, 1U, 2U, TRAVERSAL_NO_AXIS}) {
        const RayRecord record = packRay(view(), vec3(1.5F), direction(), uvec3(kSide / 2), axis, 0U);
        Traversal found{};
        rayBegin(view(), record, vec3(1.0F), found);
        EXPECT_EQ(found.axis, axis);
    }
}

TEST_F(RayStream, NoRayIsNone) {
    EXPECT_EQ(isRay(noRay(5U)), 0U);
    EXPECT_EQ(rayPixel(noRay(5U)), 5U);
}

TEST_F(RayStream, HitsAreUnpackedToWhatWasPacked) {
    for (int i = 0; i < 1000; ++i) {
        VoxelHit hit{};
        hit.voxel = uvec3(number(16383), number(16383), number(16383));
        hit.face = number(6);
        hit.leaf = number(0xFFFFFFFFU);
        hit.distance = 1.7F * uniform();
        const HitRecord record = packHit(hit);
        EXPECT_EQ(hitVoxel(record), hit.voxel);
        EXPECT_EQ(hitFace(record), hit.face);
        EXPECT_EQ(hitLeaf(record), hit.leaf);
        EXPECT_EQ(hitDistance(record), hit.distance);
        EXPECT_EQ(isSuspended(record), 0U);
    }
    EXPECT_EQ(hitFace(packMiss()), HIT_MISSED);
    EXPECT_EQ(isSuspended(packMiss()), 0U);
}

TEST_F(RayStream, AnUnfinishedRayGoesOnWhereItStood) {
    const RayRecord record = packRay(view(), vec3(1.25F), vec3(-0.6F, 0.64F, -0.48F), uvec3(16), 3U, 0U);
    Traversal state{};
    rayBegin(view(), record, rayReciprocals(record), state);
    state.position = uvec3(0x3F8ABCDEU, 0x3FFFFFFFU, 0x3F800001U);
    state.axis = 2U;
    const HitRecord saved = packSuspended(state, SIDE_BACK | SIDE_OF_OPAQUE);
    EXPECT_EQ(isSuspended(saved), 1U);
    Traversal found{};
    rayBegin(view(), record, rayReciprocals(record), found);
    EXPECT_EQ(resumeSuspended(saved, found), SIDE_BACK | SIDE_OF_OPAQUE);
    EXPECT_EQ(found.position, state.position);
    EXPECT_EQ(found.axis, 2U);
}

/// Where a ray starts, not mirrored.
vec3 originOf(const RayRecord& ray) {
    const vec3 mirrored = uintBitsToFloat(rayStart(ray));
    return {mirrorCoordinate(mirrored.x, rayMirrorAxes(ray) & 1U),
            mirrorCoordinate(mirrored.y, rayMirrorAxes(ray) & 2U),
            mirrorCoordinate(mirrored.z, rayMirrorAxes(ray) & 4U)};
}

TEST_F(RayStream, RaysFromAHitStartOnItsFaceInTheCellBeforeIt) {
    const float size = 1.0F / kSide;
    for (int i = 0; i < 5000; ++i) {
        VoxelHit hit{};
        hit.face = number(5);
        hit.voxel = uvec3(1 + number(kSide - 3), 1 + number(kSide - 3), 1 + number(kSide - 3));
        const auto axis = static_cast<int>(hit.face >> 1U);
        const vec3 normal = faceNormal(hit.face);
        // From a point on the face, backwards.
        vec3 point = vec3(1.0F) + size * (vec3(hit.voxel) + vec3(uniform(), uniform(), uniform()));
        point[axis] = 1.0F + size * static_cast<float>(hit.voxel[axis] + (hit.face & 1U));
        vec3 along = direction();
        along = dot(along, normal) > 0.0F ? -along : along;
        hit.distance = 0.5F * size;
        const vec3 origin = point - hit.distance * along;
        const RayRecord from =
            packRay(view(), origin, along, gridCell(origin, kLevels), TRAVERSAL_NO_AXIS, static_cast<uint>(i));
        vec3 out = direction();
        out = dot(out, normal) < 0.0F ? -out : out;
        const RayRecord ray = rayFromHit(view(), from, packHit(hit), out);
        ASSERT_EQ(isRay(ray), 1U);
        EXPECT_EQ(rayPixel(ray), static_cast<uint>(i));
        const vec3 start = originOf(ray);
        EXPECT_EQ(start[axis], point[axis]) << "on the face itself";
        for (int a = 0; a < 3; ++a) {
            EXPECT_NEAR(start[a], point[a], 1e-6F);
            // In mirrored terms, the cell is the one before the face.
            const uint mirrored = rayMirrorAxes(ray) >> static_cast<uint>(a) & 1U;
            const uint ahead = hit.voxel[a] + (a != axis ? 0U : (hit.face & 1U) != 0U ? 1U : ~0U);
            EXPECT_EQ((ray.origin[a] & 0x7FFFFFU) >> (23U - 2U * kLevels), mirrored != 0U ? kSide - 1U - ahead : ahead);
        }
    }
}

TEST_F(RayStream, NoRayStartsFromAMissOrOutsideTheGrid) {
    const RayRecord from = packRay(view(), vec3(1.5F), vec3(0.6F, 0.64F, 0.48F), uvec3(32), TRAVERSAL_NO_AXIS, 3U);
    EXPECT_EQ(isRay(rayFromHit(view(), from, packMiss(), vec3(1.0F))), 0U);
    for (uint face = 0; face < 6; ++face) {
        VoxelHit hit{};
        hit.face = face;
        hit.voxel = uvec3((face & 1U) != 0U ? kSide - 1U : 0U);
        const RayRecord ray = rayFromHit(view(), from, packHit(hit), faceNormal(face));
        EXPECT_EQ(isRay(ray), 0U) << face;
        EXPECT_EQ(rayPixel(ray), 3U);
    }
    VoxelHit inside{};
    inside.face = FACE_INSIDE;
    EXPECT_EQ(isRay(rayFromHit(view(), from, packHit(inside), vec3(1.0F))), 0U);
}

TEST_F(RayStream, CameraRaysStartWhereTheyEnterTheBox) {
    const vec3 high(1.5F, 1.75F, 2.0F);
    for (int i = 0; i < 2000; ++i) {
        const vec3 target = vec3(1.0F) + (high - vec3(1.0F)) * vec3(uniform(), uniform(), uniform());
        CameraRay seen{};
        seen.direction = normalize(vec3(uniform() - 0.5F, uniform() - 0.5F, uniform() - 0.5F));
        seen.origin = target - 3.0F * seen.direction;
        const RayRecord ray = rayFromCamera(view(), seen, vec3(1.0F), high, 11U);
        ASSERT_EQ(isRay(ray), 1U);
        const uint axis = rayAxis(ray);
        ASSERT_LT(axis, 3U);
        const vec3 start = originOf(ray);
        const int a = static_cast<int>(axis);
        EXPECT_EQ(start[a], seen.direction[a] > 0.0F ? 1.0F : high[a]);
        EXPECT_NEAR(length(cross(start - seen.origin, seen.direction)), 0.0F, 2e-6F);
        // The cell lies within the box.
        const uint last = static_cast<uint>((high[a] - 1.0F) * kSide) - 1U;
        const uint cell = (ray.origin[a] & 0x7FFFFFU) >> (23U - 2U * kLevels);
        const bool mirrored = (rayMirrorAxes(ray) >> axis & 1U) != 0U;
        EXPECT_EQ(mirrored ? kSide - 1U - cell : cell, mirrored ? last : 0U);
    }
    CameraRay past{};
    past.origin = vec3(3.0F);
    past.direction = vec3(0.0F, 1.0F, 0.0F);
    EXPECT_EQ(isRay(rayFromCamera(view(), past, vec3(1.0F), high, 0U)), 0U);
}

TEST_F(RayStream, KeysAreTheOctantAndTheBitsOfTheOriginInTurn) {
    for (int i = 0; i < 1000; ++i) {
        const vec3 origin(1.0F + uniform(), 1.0F + uniform(), 1.0F + uniform());
        const RayRecord ray = packRay(view(), origin, direction(), gridCell(origin, kLevels), 3U, 0U);
        const uint bits = 1U + number(8);
        uint expected = 0;
        for (uint bit = 0; bit < bits; ++bit) {
            for (int axis = 0; axis < 3; ++axis) {
                const uint digit = ray.origin[axis] >> (23U - bits + bit) & 1U;
                expected |= digit << (3U * bit + static_cast<uint>(axis));
            }
        }
        EXPECT_EQ(rayKey(ray, bits), expected | (rayMirrorAxes(ray)) << (3U * bits));
    }
}

} // namespace
} // namespace aureole::shared
