#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "image/colour/tonemap.h"
#include "settings/fields.h"

namespace aureole {
namespace {

using Colour = std::array<double, 3>;

struct ExpectedCurve {
    ToneMap operation;
    Colour in;
    Colour out;
};

// Calculated with numpy from the published formulas; AgX with its inset as a matrix derived from the primaries.
const std::vector<ExpectedCurve> kExpected = {
    {ToneMap::Reinhard, {0.18, 0.18, 0.18}, {0.154258475, 0.154258475, 0.154258475}},
    {ToneMap::Filmic, {0.18, 0.18, 0.18}, {0.128338449, 0.128338449, 0.128338449}},
    {ToneMap::Aces, {0.18, 0.18, 0.18}, {0.105591247, 0.105591247, 0.105590191}},
    {ToneMap::Agx, {0.18, 0.18, 0.18}, {0.217637641, 0.217637641, 0.217637641}},
    {ToneMap::Reinhard, {1, 0.5, 0.25}, {0.652772312, 0.326386156, 0.163193078}},
    {ToneMap::Filmic, {1, 0.5, 0.25}, {0.492918546, 0.304300561, 0.171969642}},
    {ToneMap::Aces, {1, 0.5, 0.25}, {0.634990375, 0.384600075, 0.203160361}},
    {ToneMap::Agx, {1, 0.5, 0.25}, {0.610997257, 0.429913632, 0.292407416}},
    {ToneMap::Reinhard, {8, 0.1, 0.02}, {1.0, 0.040048838, 0.008009768}},
    {ToneMap::Filmic, {8, 0.1, 0.02}, {1.0, 0.074214702, 0.015307659}},
    {ToneMap::Aces, {8, 0.1, 0.02}, {1.0, 0.453021039, 0.148969629}},
    {ToneMap::Agx, {8, 0.1, 0.02}, {1.0, 0.370648938, 0.327535718}},
    {ToneMap::Reinhard, {0.02, 0.3, 4}, {0.013686887, 0.205303304, 1.0}},
    {ToneMap::Filmic, {0.02, 0.3, 4}, {0.015307659, 0.201196813, 0.918030079}},
    {ToneMap::Aces, {0.02, 0.3, 4}, {0.162142908, 0.243713155, 0.938788396}},
    {ToneMap::Agx, {0.02, 0.3, 4}, {0.302561522, 0.434044217, 0.929802873}},
    {ToneMap::Linear, {0.5, 3.0, -1.0}, {0.5, 1.0, 0.0}},
};

TEST(ToneMap, AgreesWithThePublishedFormulas) {
    for (const ExpectedCurve& expected : kExpected) {
        const Colour out = toneMapColour(expected.operation, expected.in);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(out[c], expected.out[c], 2e-9) << toneMapNames()[static_cast<std::size_t>(expected.operation)];
        }
    }
    for (std::size_t k = 0; k < toneMapNames().size(); ++k) {
        const auto isOf = [&](const ExpectedCurve& one) { return one.operation == static_cast<ToneMap>(k); };
        EXPECT_TRUE(static_cast<ToneMap>(k) == ToneMap::Linear || std::any_of(kExpected.begin(), kExpected.end(), isOf))
            << toneMapNames()[k];
    }
}

TEST(ToneMap, IsMonotoneInGreyFromBlackToWhite) {
    for (std::size_t k = 0; k < toneMapNames().size(); ++k) {
        const auto operation = static_cast<ToneMap>(k);
        double last = -1.0;
        for (double stops = -20.0; stops < 20.0; stops += 0.25) {
            const double grey = std::exp2(stops);
            const double out = toneMapColour(operation, {grey, grey, grey})[1];
            EXPECT_GE(out, last) << toneMapNames()[k] << " at " << grey;
            EXPECT_LE(out, 1.0);
            last = out;
        }
        EXPECT_NEAR(last, 1.0, 1e-6) << toneMapNames()[k];
        EXPECT_NEAR(toneMapColour(operation, {0, 0, 0})[1], 0.0, 1e-9) << toneMapNames()[k];
    }
}

TEST(ToneMap, TakesAnyInput) {
    for (std::size_t k = 0; k < toneMapNames().size(); ++k) {
        const auto operation = static_cast<ToneMap>(k);
        for (const double value : {-HUGE_VAL, -1.0, 1e30, HUGE_VAL}) {
            for (const double c : toneMapColour(operation, {value, 0.5, 0.0})) {
                EXPECT_TRUE(c >= 0.0 && c <= 1.0) << toneMapNames()[k] << " of " << value;
            }
        }
        EXPECT_TRUE(std::isnan(toneMapColour(operation, {0.5, std::nan(""), 0.5})[1]));
    }
}

TEST(ToneMap, ExposesKeepsAlphaAndDropsTheRest) {
    Image image = makeImage(2, 1, {"A", "B", "G", "R", "depth.Z"});
    image.attributes.emplace("aureole.seed", "1");
    image.find("R")->values = {0.1F, 0.2F};
    image.find("G")->values = {0.3F, 0.01F};
    image.find("A")->values = {0.25F, 3.0F};
    const Image mapped = toneMap(image, ToneMap::Linear, 1.0, "in.exr");
    ASSERT_EQ(mapped.channels.size(), 4U);
    EXPECT_FLOAT_EQ(mapped.find("R")->values[1], 0.4F);
    EXPECT_FLOAT_EQ(mapped.find("G")->values[0], 0.6F);
    EXPECT_EQ(mapped.find("B")->values[0], 0.0F);
    EXPECT_EQ(mapped.find("A")->values, image.find("A")->values);
    EXPECT_EQ(mapped.attributes, image.attributes);
    EXPECT_FLOAT_EQ(toneMap(image, ToneMap::Linear, -2.0, "in.exr").find("R")->values[1], 0.05F);
}

} // namespace
} // namespace aureole
