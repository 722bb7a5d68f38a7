// What becomes of pixels that tell nothing.

#include "denoise/holes.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace aureole {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

/// Pixel i has the values i, 10 + i and 20 + i.
std::vector<float> ascending(std::size_t pixels) {
    std::vector<float> plane;
    for (std::size_t i = 0; i < pixels; ++i) {
        plane.insert(plane.end(),
                     {static_cast<float>(i), 10.0F + static_cast<float>(i), 20.0F + static_cast<float>(i)});
    }
    return plane;
}

TEST(Holes, AreTheMeanOfWhatIsAroundRingByRing) {
    std::vector<float> plane = ascending(5);
    std::vector<float> other = ascending(5);
    plane[3 * 0 + 1] = kInfinity;
    other[3 * 1] = kNoNumber; // a hole of one is a hole of both
    plane[3 * 2 + 2] = -1e15F;
    EXPECT_EQ(fillHoles(5, {plane, other}), 3U);
    // First 2 by 3 alone, 1 not yet; then 1 by 2, then 0 by 1.
    const std::vector<float> expected = {3, 13, 23, 3, 13, 23, 3, 13, 23, 3, 13, 23, 4, 14, 24};
    EXPECT_EQ(plane, expected);
    EXPECT_EQ(other, expected);
}

TEST(Holes, TakeAllEightAround) {
    std::vector<float> plane = ascending(9);
    plane[3 * 4] = kNoNumber;
    plane[3 * 8] = kInfinity;
    EXPECT_EQ(fillHoles(3, {plane}), 2U);
    EXPECT_FLOAT_EQ(plane[3 * 4], (0 + 1 + 2 + 3 + 5 + 6 + 7) / 7.0F);
    EXPECT_FLOAT_EQ(plane[3 * 8 + 1], (15 + 17) / 2.0F);
}

/// Ring by ring from both sides, each pixel looked at some times only: not once for each ring.
TEST(Holes, AsLargeAsAPictureAreFilledFromTheirEdges) {
    constexpr std::size_t kWidth = 2001;
    constexpr std::size_t kHeight = 500;
    std::vector<float> plane(3 * kWidth * kHeight, kNoNumber);
    for (std::size_t y = 0; y < kHeight; ++y) {
        std::fill_n(plane.begin() + static_cast<std::ptrdiff_t>(3 * y * kWidth), 3, 1.0F);
        std::fill_n(plane.begin() + static_cast<std::ptrdiff_t>(3 * ((y + 1) * kWidth - 1)), 3, 3.0F);
    }
    EXPECT_EQ(fillHoles(kWidth, {plane}), (kWidth - 2) * kHeight);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < plane.size(); ++i) {
        const std::size_t x = i / 3 % kWidth;
        wrong += plane[i] != (x < kWidth / 2 ? 1.0F : x > kWidth / 2 ? 3.0F : 2.0F) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U);
}

TEST(Holes, AloneBecomeBlack) {
    std::vector<float> plane(12, kNoNumber);
    EXPECT_EQ(fillHoles(2, {plane}), 4U);
    EXPECT_EQ(plane, std::vector<float>(12, 0.0F));
    std::vector<float> none;
    EXPECT_EQ(fillHoles(0, {none}), 0U);
}

TEST(Holes, OfFeaturesAreZero) {
    std::vector<float> plane = {1.0F, kInfinity, -2.0F, kNoNumber, 2e15F};
    zeroHoles(plane);
    EXPECT_EQ(plane, (std::vector<float>{1.0F, 0.0F, -2.0F, 0.0F, 0.0F}));
}

} // namespace
} // namespace aureole
