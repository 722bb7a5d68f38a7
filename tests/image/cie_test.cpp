#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "image/colour/cie.h"

namespace aureole {
namespace {

/// Values of the CIE 1931 tables; the paper gives the fit's largest errors as a few hundredths.
TEST(Cie, ColourMatchingIsThatOfTheTables) {
    const std::vector<std::pair<double, glm::dvec3>> table = {{450, {0.3362, 0.0380, 1.7721}},
                                                              {500, {0.0049, 0.3230, 0.2720}},
                                                              {550, {0.4334, 0.9950, 0.0087}},
                                                              {600, {1.0622, 0.6310, 0.0008}},
                                                              {650, {0.2835, 0.1070, 0.0000}}};
    for (const auto& [nanometres, expected] : table) {
        for (int c = 0; c < 3; ++c) {
            EXPECT_NEAR(colourMatching(nanometres)[c], expected[c], 0.035) << nanometres << " nm, " << c;
        }
    }
}

/// The tables' integrals in steps of 5 nm: 106.857 for all three.
TEST(Cie, EqualEnergyIsWithoutColour) {
    glm::dvec3 sum(0.0);
    for (int nanometres = 380; nanometres <= 780; ++nanometres) {
        sum += colourMatching(nanometres);
    }
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(sum[c], 106.857, 0.007 * 106.857) << c;
    }
}

/// The chromaticities of the primaries and the white that BT.709-6 names.
TEST(Cie, Rec709HasItsPrimariesAndItsWhite) {
    const auto xyzOf = [](double x, double y) { return glm::dvec3(x, y, 1.0 - x - y) / y; };
    const glm::dvec3 white = rec709FromXyz(xyzOf(0.3127, 0.3290));
    const glm::dvec3 red = rec709FromXyz(0.2126 * xyzOf(0.64, 0.33));
    const glm::dvec3 green = rec709FromXyz(0.7152 * xyzOf(0.30, 0.60));
    const glm::dvec3 blue = rec709FromXyz(0.0722 * xyzOf(0.15, 0.06));
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(white[c], 1.0, 1e-3) << c;
        EXPECT_NEAR(red[c], c == 0 ? 1.0 : 0.0, 1e-3) << c;
        EXPECT_NEAR(green[c], c == 1 ? 1.0 : 0.0, 1e-3) << c;
        EXPECT_NEAR(blue[c], c == 2 ? 1.0 : 0.0, 1e-3) << c;
    }
}

} // namespace
} // namespace aureole
