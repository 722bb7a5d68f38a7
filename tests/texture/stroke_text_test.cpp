#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <glm/glm.hpp>
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

struct Stroke {
    glm::dvec2 from;
    glm::dvec2 to;
};

/// The share of a cell that strokes of a radius cover, all in cells: by the distance of its middle.
double covered(const std::vector<Stroke>& strokes, double radius, const glm::dvec2& middle) {
    double nearest = 1e9;
    for (const Stroke& stroke : strokes) {
        const glm::dvec2 along = stroke.to - stroke.from;
        const double share = std::clamp(glm::dot(middle - stroke.from, along) / glm::dot(along, along), 0.0, 1.0);
        nearest = std::min(nearest, glm::distance(middle, stroke.from + share * along));
    }
    return std::clamp(radius - nearest + 0.5, 0.0, 1.0);
}

// An L and an H four units wide and two apart, six high; below, three units further, a dash in the middle. Strokes of
// 0.45 units; text and strokes as large as four fifths of the side that is shorter for them.
TEST(StrokeTextTest, StrokesAreWhereTheGridHasThem) {
    const std::vector<Stroke> units = {{{-5, -7.5}, {-5, -1.5}}, {{-5, -1.5}, {-1, -1.5}},                         // L
                                       {{1, -7.5}, {1, -1.5}},   {{5, -7.5}, {5, -1.5}},   {{1, -4.5}, {5, -4.5}}, // H
                                       {{-1, 4.5}, {1, 4.5}}};                                                     // -
    for (const auto& [width, height] : {std::pair{90U, 70U}, std::pair{60U, 200U}}) {
        const double unit = 0.8 * std::min(width / 10.9, height / 15.9);
        std::vector<Stroke> strokes;
        for (const Stroke& stroke : units) {
            const glm::dvec2 centre(0.5 * width, 0.5 * height);
            strokes.push_back({centre + unit * stroke.from, centre + unit * stroke.to});
        }
        const std::vector<float> plane = drawText("LH\n-", width, height);
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                ASSERT_NEAR(plane[std::size_t{y} * width + x], covered(strokes, 0.45 * unit, {x + 0.5, y + 0.5}), 1e-4)
                    << x << ", " << y << " of " << width << "x" << height;
            }
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
