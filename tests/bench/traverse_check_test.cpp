#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "bench/bench_measure.h"
#include "bench/traverse/traverse_check.h"
#include "bench/traverse/traverse_scene.h"
#include "core/error.h"
#include "core/host_memory.h"

namespace aureole::bench {

namespace {

constexpr std::uint32_t kWidth = 5;

/// Hits of fifteen pixels, of which the last has no ray and the first one misses.
std::vector<shared::HitRecord> someHits() {
    std::vector<shared::HitRecord> hits;
    for (std::uint32_t i = 0; i < 14; ++i) {
        shared::VoxelHit hit{};
        hit.voxel = {i, 2 * i, 100 + i};
        hit.face = i % 6;
        hit.leaf = 7 * i;
        hit.distance = 0.25F * static_cast<float>(i);
        hits.push_back(i == 0 ? shared::packMiss() : shared::packHit(hit));
    }
    hits.push_back({glm::uvec4(TraverseArena::kNoHit)});
    return hits;
}

std::string messageOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::Internal);
        return error.what();
    }
    return "nothing thrown";
}

TEST(TraverseCheck, AcceptsHitsThatAreTheSame) {
    EXPECT_NO_THROW(expectSameHits("bounce1, thread", someHits(), someHits(), kWidth));
    EXPECT_NO_THROW(expectAllTraced("bounce1", someHits(), 14));
}

TEST(TraverseCheck, NamesTheRayAndBothHitsWhereTheyDiffer) {
    std::vector<shared::HitRecord> found = someHits();
    found[13].bits.x += 1; // a neighbouring voxel
    EXPECT_EQ(
        messageOf([&] { expectSameHits("bounce1, sorted 4/8", someHits(), found, kWidth); }),
        "bench traverse: bounce1, sorted 4/8: the ray of pixel (3, 2) hits face 1 of voxel (14, 26, 113), leaf 91, "
        "at 3.25, expected face 1 of voxel (13, 26, 113), leaf 91, at 3.25");
}

constexpr float kVoxel = 1.0F / 64;
constexpr float kDistance = 0.0625F;

/// Towards the x face, or along -x, of voxel (5, 6, 7) of 64^3, at a place of its face in voxels.
shared::RayRecord rayTo(float y, float z, bool mirrored) {
    const glm::vec3 at(1.0F + 5.0F * kVoxel, 1.0F + (6.0F + y) * kVoxel, 1.0F + (7.0F + z) * kVoxel);
    const glm::vec3 direction = glm::normalize(glm::vec3(1.0F, 0.25F, 0.5F));
    shared::RayRecord ray{};
    ray.origin = glm::uvec4(shared::floatBitsToUint(at - direction * kDistance), mirrored ? 7U : 0U);
    ray.direction = glm::uvec4(shared::floatBitsToUint(direction), 0U);
    return ray;
}

/// What such a ray hits: the x face of a voxel of as much further y and z.
shared::HitRecord hitOf(bool mirrored, std::uint32_t y = 0, std::uint32_t z = 0) {
    shared::VoxelHit hit{};
    hit.voxel = mirrored ? glm::uvec3(58, 57 - y, 56 - z) : glm::uvec3(5, 6 + y, 7 + z);
    hit.face = mirrored ? 1 : 0;
    hit.leaf = 9;
    hit.distance = kDistance;
    return shared::packHit(hit);
}

TEST(TraverseCheck, KnowsRaysThroughEdges) {
    for (const bool mirrored : {false, true}) {
        const auto meets = [&](float y, float z) { return meetsEdge(rayTo(y, z, mirrored), hitOf(mirrored), 3); };
        EXPECT_TRUE(meets(0.0F, 0.5F));
        EXPECT_TRUE(meets(1.0F, 0.5F));
        EXPECT_TRUE(meets(0.3F, 0.0F));
        EXPECT_TRUE(meets(0.3F, 1.0F));
        EXPECT_FALSE(meets(0.3F, 0.5F));
        EXPECT_FALSE(meets(0.01F, 0.99F));
        EXPECT_FALSE(meets(0.0F, 1.5F)) << "beside the face";
        EXPECT_FALSE(meets(-2.0F, 0.0F)) << "beside the face";
        shared::HitRecord elsewhere = hitOf(mirrored);
        elsewhere.bits.w = shared::floatBitsToUint(1.00001F * kDistance);
        EXPECT_FALSE(meetsEdge(rayTo(0.0F, 0.5F, mirrored), elsewhere, 3));
        shared::HitRecord behind = hitOf(mirrored);
        behind.bits.y ^= 1U << 16U; // the opposite face
        EXPECT_FALSE(meetsEdge(rayTo(0.0F, 0.5F, mirrored), behind, 3));
    }
    EXPECT_FALSE(meetsEdge(shared::noRay(0), shared::packMiss(), 3));
}

TEST(TraverseCheck, KnowsWhichHitsMayDifferAtEdges) {
    for (const bool mirrored : {false, true}) {
        const shared::HitRecord hit = hitOf(mirrored);
        const auto differ = [&](float y, const shared::HitRecord& other) {
            const shared::RayRecord ray = rayTo(y, 0.5F, mirrored);
            const bool differs = differAtEdge(ray, hit, other, 3);
            EXPECT_EQ(differAtEdge(ray, other, hit, 3), differs);
            return differs;
        };
        EXPECT_TRUE(differ(1.0F, shared::packMiss()));
        EXPECT_FALSE(differ(0.9F, shared::packMiss()));
        EXPECT_TRUE(differ(1.0F, hitOf(mirrored, 1)));
        EXPECT_FALSE(differ(1.0F, hitOf(mirrored, 2))) << "a voxel beside the ray";
        EXPECT_FALSE(differ(1.0F, {glm::uvec4(TraverseArena::kNoHit)}));
        EXPECT_FALSE(differ(1.0F, shared::packSuspended({}, 0)));
        shared::HitRecord other = hit;
        other.bits.z += 1;
        EXPECT_FALSE(differ(1.0F, other)) << "another leaf of the same voxel";
        other = hitOf(mirrored, 1);
        other.bits.w = shared::floatBitsToUint(std::numeric_limits<float>::quiet_NaN());
        EXPECT_FALSE(differ(1.0F, other));
    }
}

TEST(TraverseCheck, TellsEveryBitAndEveryKindOfHit) {
    for (std::uint32_t word = 0; word < 4; ++word) {
        for (const std::uint32_t bit : {0U, 31U}) {
            std::vector<shared::HitRecord> found = someHits();
            found[6].bits[static_cast<int>(word)] ^= 1U << bit;
            EXPECT_NE(messageOf([&] { expectSameHits("x", someHits(), found, kWidth); }).find("(1, 1)"),
                      std::string::npos)
                << word << ' ' << bit;
        }
    }
    std::vector<shared::HitRecord> found = someHits();
    found[2] = {glm::uvec4(TraverseArena::kNoHit)}; // lost by compaction, say
    EXPECT_NE(messageOf([&] { expectSameHits("x", someHits(), found, kWidth); }).find("(2, 0) hits none"),
              std::string::npos);
    found[2] = shared::packMiss();
    EXPECT_NE(messageOf([&] { expectSameHits("x", someHits(), found, kWidth); }).find("hits a miss"),
              std::string::npos);
    found[2].bits.w = 1; // a miss has no distance
    EXPECT_NE(messageOf([&] { expectSameHits("x", someHits(), found, kWidth); }).find("hits face 7 of"),
              std::string::npos);
    found[2] = shared::packSuspended({}, 0);
    EXPECT_NE(messageOf([&] { expectSameHits("x", someHits(), found, kWidth); }).find("hits unfinished"),
              std::string::npos);
    EXPECT_NE(messageOf([&] { expectAllTraced("x", someHits(), 15); }).find("found 14 rays with a result, expected 15"),
              std::string::npos);
}

/// Before it is made, which takes a while.
TEST(TraverseCheck, RefusesGyroidsThatThereIsNoRoomFor) {
    constexpr std::uint64_t kGibi = std::uint64_t{1} << 30U;
    gpu::DeviceInfo device;
    device.name = "small";
    device.memoryBytes = 24 * kGibi;
    TraverseSceneOptions options;
    const auto refusal = [&](std::uint32_t side, std::uint64_t hostBytes) -> std::string {
        try {
            checkGyroid(side, options, device, hostBytes);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::OutOfMemory);
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(8192, 96 * kGibi), "");
    EXPECT_EQ(refusal(16384, 96 * kGibi), "--gyroid: found 16384, which takes 58.0 GB and more; 'small' has 25.8 GB");
    EXPECT_EQ(refusal(16384, 48 * kGibi),
              "--gyroid: found 16384, which takes 58.0 GB and more; this machine has 51.5 GB");
    device.isCpu = true; // llvmpipe says 2 GiB
    device.memoryBytes = 2 * kGibi;
    EXPECT_EQ(refusal(16384, 96 * kGibi), "");
    EXPECT_NE(refusal(16384, 48 * kGibi), "");
    device.isCpu = false;
    options.level = 1; // made whole, but traced as a quarter
    EXPECT_EQ(refusal(16384, 96 * kGibi), "");
    EXPECT_NE(refusal(16384, 48 * kGibi), "");
    EXPECT_GT(hostMemoryBytes(), kGibi);
}

TEST(TraverseCheck, QuartilesLieBetweenMeasurements) {
    const Spread five = spreadOf({5.0, 1.0, 4.0, 2.0, 3.0});
    EXPECT_EQ(five.median, 3.0);
    EXPECT_EQ(five.lowerQuartile, 2.0);
    EXPECT_EQ(five.upperQuartile, 4.0);
    const Spread four = spreadOf({4.0, 1.0, 3.0, 2.0});
    EXPECT_EQ(four.median, 2.5);
    EXPECT_EQ(four.lowerQuartile, 1.75);
    EXPECT_EQ(four.upperQuartile, 3.25);
    const Spread one = spreadOf({7.0});
    EXPECT_EQ(one.median, 7.0);
    EXPECT_EQ(one.lowerQuartile, 7.0);
    EXPECT_EQ(one.upperQuartile, 7.0);
}

} // namespace

} // namespace aureole::bench
