#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "core/error.h"
#include "texture/stroke_text.h"

namespace aureole::texture {
namespace {

double sum(const std::vector<float>& plane) {
    return std::accumulate(plane.begin(), plane.end(), 0.0);
}

TEST(StrokeTextTest, ABarIsWhereItBelongs) {
    constexpr std::uint32_t kSize = 100;
    const std::vector<float> plane = drawText("I", kSize, kSize);
    const auto at = [&](std::uint32_t x, std::uint32_t y) { return plane[y * kSize + x]; };
    EXPECT_EQ(at(50, 50), 1.0F); // the bar
    EXPECT_EQ(at(42, 50), 0.0F); // beside it
    EXPECT_EQ(at(42, 15), 1.0F); // its upper serif
    EXPECT_EQ(at(42, 85), 1.0F); // and its lower one
    EXPECT_EQ(at(50, 8), 0.0F);  // margins: a tenth
    EXPECT_EQ(at(50, 91), 0.0F);
    for (std::uint32_t y = 0; y < kSize; ++y) {
        for (std::uint32_t x = 0; x < kSize; ++x) {
            ASSERT_NEAR(at(x, y), at(kSize - 1 - x, kSize - 1 - y), 1e-4F) << x << ", " << y;
        }
    }
}

TEST(StrokeTextTest, EveryLetterIsAnother) {
    std::set<std::vector<float>> seen;
    for (const char letter : knownLetters()) {
        if (letter != ' ') {
            const std::vector<float> plane = drawText(std::string(1, letter), 40, 40);
            EXPECT_GT(sum(plane), 3.0) << letter;
            EXPECT_TRUE(seen.insert(plane).second) << letter << " looks like another";
        }
    }
    EXPECT_EQ(seen.size(), 48U);
}

TEST(StrokeTextTest, LinesAndSmallLetters) {
    EXPECT_EQ(drawText("Ab", 50, 30), drawText("AB", 50, 30));
    EXPECT_NE(drawText("AB", 50, 30), drawText("A\nB", 50, 30));
    const std::vector<float> plane = drawText("L\nL", 60, 60);
    const std::vector<float> upper(plane.begin(), plane.begin() + 1800);
    const std::vector<float> lower(plane.begin() + 1800, plane.end());
    EXPECT_NEAR(sum(upper), sum(lower), 1.0);
    EXPECT_GT(sum(upper), 20.0);
}

TEST(StrokeTextTest, WhatCannotBeDrawnIsNamed) {
    const auto expect = [](const std::string& text, const std::string& words) {
        try {
            drawText(text, 10, 10);
            ADD_FAILURE() << "no error for '" << text << "'";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::BadInput);
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    expect("A%B", "found '%', expected");
    expect("\xc3\x84", "found the byte 195");
    expect(" \n ", "nothing to draw");
    expect(std::string(257, 'A'), "found 257 characters, expected at most 256");
}

} // namespace
} // namespace aureole::texture
