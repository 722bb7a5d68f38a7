// Black bodies: against published chromaticities, and luminances by the eye's sensitivity of 1924.

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "image/colour/black_body.h"
#include "image/image.h"

namespace aureole {
namespace {

struct Published {
    double kelvin;
    double x;
    double y;
};

/// Points of Planck's locus as tables of colour science have them; 2856 K is the CIE's illuminant A.
constexpr std::array<Published, 10> kLocus = {{{1500.0, 0.5857, 0.3931},
                                               {2000.0, 0.5267, 0.4133},
                                               {2500.0, 0.4770, 0.4137},
                                               {2856.0, 0.4476, 0.4075},
                                               {3000.0, 0.4369, 0.4041},
                                               {4000.0, 0.3805, 0.3768},
                                               {5000.0, 0.3451, 0.3516},
                                               {6504.0, 0.3135, 0.3237},
                                               {8000.0, 0.2952, 0.3048},
                                               {10000.0, 0.2807, 0.2884}}};

/// By the primaries and the white of BT.709-6, not by the inverse of the code's matrix.
glm::dvec3 xyzOf(const glm::dvec3& rgb) {
    const auto primary = [](double x, double y) { return glm::dvec3(x, y, 1.0 - x - y) / y; };
    return rgb.x * 0.2126 * primary(0.64, 0.33) + rgb.y * 0.7152 * primary(0.30, 0.60) +
           rgb.z * 0.0722 * primary(0.15, 0.06);
}

void expectChromaticity(const glm::dvec3& xyz, const Published& expected, double within) {
    const double sum = xyz.x + xyz.y + xyz.z;
    EXPECT_NEAR(xyz.x / sum, expected.x, within) << expected.kelvin << " K";
    EXPECT_NEAR(xyz.y / sum, expected.y, within) << expected.kelvin << " K";
}

TEST(BlackBody, LiesOnPlancksLocus) {
    for (const Published& one : kLocus) {
        expectChromaticity(blackBodyXyz(one.kelvin), one, 0.0003);
        if (one.kelvin >= 2000.0) { // else it is of a purer colour than the primaries make
            expectChromaticity(xyzOf(blackBodyRec709(one.kelvin)), one, 0.0005);
        }
    }
}

/// What Planck's law has in the eye's sensitivity V, every 20 nm from 400 nm on.
double seen(double kelvin) {
    constexpr std::array<double, 16> kSensitivity = {0.0004, 0.0040, 0.0230, 0.0600, 0.1390, 0.3230, 0.7100, 0.9540,
                                                     0.9950, 0.8700, 0.6310, 0.3810, 0.1750, 0.0610, 0.0170, 0.0041};
    double sum = 0.0;
    for (std::size_t i = 0; i < kSensitivity.size(); ++i) {
        const double metres = (400.0 + 20.0 * static_cast<double>(i)) * 1e-9;
        constexpr double kSecondRadiation = 6.62607015e-34 * 299792458.0 / 1.380649e-23;
        sum += kSensitivity.at(i) / std::pow(metres * 1e9, 5.0) / (std::exp(kSecondRadiation / (metres * kelvin)) - 1);
    }
    return sum;
}

TEST(BlackBody, IsAsBrightAsPlanckSays) {
    EXPECT_EQ(blackBodyXyz(kBlackBodyReference).y, 1.0);
    for (const double kelvin : {1000.0, 1500.0, 1800.0, 2856.0, 6504.0, 40000.0}) {
        const double expected = seen(kelvin) / seen(2000.0);
        EXPECT_NEAR(blackBodyXyz(kelvin).y / expected, 1.0, 0.01) << kelvin << " K";
        const glm::dvec3 shown = blackBodyRec709(kelvin);
        EXPECT_NEAR(luminance(shown.x, shown.y, shown.z) / expected, 1.0, 0.01) << kelvin << " K";
        EXPECT_NEAR(luminance(shown.x, shown.y, shown.z) / blackBodyXyz(kelvin).y, 1.0, 1e-4) << kelvin << " K";
        EXPECT_GE(std::min({shown.x, shown.y, shown.z}), 0.0) << kelvin << " K";
    }
    EXPECT_EQ(blackBodyRec709(1500.0).z, 0.0);
}

TEST(BlackBody, IsDarkWhereItIsCold) {
    for (const double kelvin : {-300.0, 0.0, 1e-300, 3.0}) {
        EXPECT_EQ(blackBodyXyz(kelvin), glm::dvec3(0.0)) << kelvin << " K";
        EXPECT_EQ(blackBodyRec709(kelvin), glm::dvec3(0.0)) << kelvin << " K";
    }
}

} // namespace
} // namespace aureole
