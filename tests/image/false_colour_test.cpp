#include <cmath>

#include <gtest/gtest.h>

#include "error_of.h"
#include "image/colour/false_colour.h"
#include "image/colour/srgb.h"
#include "image/png/png.h"

namespace aureole {
namespace {

double lightness(const std::array<float, 3>& rgb) {
    const double y = luminance(rgb[0], rgb[1], rgb[2]);
    return y > 216.0 / 24389.0 ? 116.0 * std::cbrt(y) - 16.0 : y * 24389.0 / 27.0;
}

void expectColour(float value, const std::array<double, 3>& srgb) {
    const std::array<float, 3> found = magma(value);
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(srgbEncode(found[c]), srgb[c], 0.5 / 255.0 + 1e-6) << value << ", channel " << c;
    }
}

// From matplotlib 3, with six digits.
TEST(Magma, HasThePublishedColours) {
    expectColour(0.0F, {0.001462, 0.000466, 0.013866});
    expectColour(64.0F / 255.0F, {0.316654, 0.071690, 0.485380});
    expectColour(128.0F / 255.0F, {0.716387, 0.214982, 0.475290});
    expectColour(192.0F / 255.0F, {0.986700, 0.535582, 0.382210});
    expectColour(1.0F, {0.987053, 0.991438, 0.749504});
}

// What the map is for: equal steps of the value are about equal steps of lightness. A figure mistyped would jump. (8
// bits of the darkest colours are steps of up to 0.75 of L*.)
TEST(Magma, GrowsLighterEvenly) {
    double before = lightness(magma(0.0F));
    const double whole = lightness(magma(1.0F)) - before;
    for (int i = 1; i < 256; ++i) {
        const double now = lightness(magma(static_cast<float>(i) / 255.0F));
        EXPECT_GT(now, before) << i;
        EXPECT_NEAR(now - before, whole / 255.0, 0.4) << i;
        before = now;
    }
}

TEST(Magma, EndsWhereItsColoursDo) {
    EXPECT_EQ(magma(-1.0F), magma(0.0F));
    EXPECT_EQ(magma(1e30F), magma(1.0F));
}

TEST(FalseColour, IsExactInAPng) {
    Image errors = makeImage(256, 1, {"Y", "exposure"});
    for (std::size_t i = 0; i < 256; ++i) {
        errors.channels[0].values[i] = static_cast<float>(i) / 255.0F;
    }
    const Image colours = falseColour(errors);
    const Image read = decodePng(encodePng(colours, {}, "x.png"), "x.png");
    for (const char* name : {"R", "G", "B"}) {
        EXPECT_EQ(read.find(name)->values, colours.find(name)->values);
    }
    EXPECT_EQ(colours.find("R")->values[128], magma(128.0F / 255.0F)[0]);
    EXPECT_EQ(testing::errorOf([] { falseColour(makeImage(1, 1, {"R", "G", "B"})); }).code, ExitCode::Internal);
}

} // namespace
} // namespace aureole
