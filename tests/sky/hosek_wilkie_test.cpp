// The formulae of Hosek and Wilkie's sky and sun, with made-up figures.

#include "sky/hosek_wilkie.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "hosek_files.h"
#include "sky/hosek_sky.h"
#include "sky/sky_model.h"

namespace aureole {
namespace {

/// The figures without their file; the sun's are those of one band for each channel.
sky::HosekData makeData() {
    sky::HosekData data;
    for (std::size_t channel = 0; channel < 3; ++channel) {
        for (std::size_t row = 0; row < 2 * 10 * 6; ++row) {
            data.sky[channel].mean[row] = madeUpMean(channel, row / 60, row / 6 % 10, row % 6);
            for (std::size_t i = 0; i < 9; ++i) {
                data.sky[channel].distribution[row * 9 + i] =
                    madeUpDistribution(channel, row / 60, row / 6 % 10, row % 6, i);
            }
        }
        for (std::size_t i = 0; i < data.sun[channel].size(); ++i) {
            data.sun[channel][i] = madeUpSun(channel, i / 180, i / 4 % 45, i % 4);
        }
    }
    return data;
}

/// A point of the curve by de Casteljau's construction, then linear between turbidities and albedos.
template <typename Figure>
double figureAt(double turbidity, double albedo, double elevation, const Figure& figure) {
    const double x = std::cbrt(elevation / 90.0);
    const auto curve = [&](std::size_t a, std::size_t t) {
        std::array<double, 6> points{};
        for (std::size_t k = 0; k < 6; ++k) {
            points[k] = figure(a, t, k);
        }
        for (std::size_t left = 5; left > 0; --left) {
            for (std::size_t k = 0; k < left; ++k) {
                points[k] += x * (points[k + 1] - points[k]);
            }
        }
        return points[0];
    };
    const auto ground = [&](std::size_t t) { return (1.0 - albedo) * curve(0, t) + albedo * curve(1, t); };
    const auto below = static_cast<std::size_t>(turbidity) - 1;
    const double share = turbidity - std::floor(turbidity);
    return share == 0.0 ? ground(below) : (1.0 - share) * ground(below) + share * ground(below + 1);
}

/// The paper's formula, term by term. Angles in degrees.
double paperRadiance(std::size_t channel, double turbidity, double albedo, double elevation, double zenithAngle,
                     double sunAngle) {
    const auto p = [&](std::size_t parameter) {
        return figureAt(turbidity, albedo, elevation, [&](std::size_t a, std::size_t t, std::size_t k) {
            return madeUpDistribution(channel, a, t, k, parameter);
        });
    };
    const double mean = figureAt(turbidity, albedo, elevation, [&](std::size_t a, std::size_t t, std::size_t k) {
        return madeUpMean(channel, a, t, k);
    });
    const double theta = glm::radians(zenithAngle);
    const double gamma = glm::radians(sunAngle);
    const double h = p(8);
    const double chi = (1.0 + std::pow(std::cos(gamma), 2.0)) / std::pow(1.0 + h * h - 2.0 * h * std::cos(gamma), 1.5);
    return (1.0 + p(0) * std::exp(p(1) / (std::cos(theta) + 0.01))) *
           (p(2) + p(3) * std::exp(p(4) * gamma) + p(5) * std::pow(std::cos(gamma), 2.0) + p(6) * chi +
            p(7) * std::sqrt(std::cos(theta))) *
           mean;
}

TEST(HosekWilkie, SkyFollowsThePaper) {
    const sky::HosekData data = makeData();
    for (const double turbidity : {1.0, 2.0, 3.25, 9.75, 10.0}) {
        for (const double albedo : {0.0, 0.3, 1.0}) {
            for (const double elevation : {0.0, 0.5, 12.0, 47.0, 90.0}) {
                for (std::size_t channel = 0; channel < 3; ++channel) {
                    const sky::SkyChannel sky(data.sky[channel], turbidity, albedo, glm::radians(elevation));
                    for (const double zenithAngle : {0.0, 30.0, 89.0}) {
                        for (const double sunAngle : {0.0, 25.0, 160.0}) {
                            const double expected =
                                paperRadiance(channel, turbidity, albedo, elevation, zenithAngle, sunAngle);
                            const double found = sky.radiance(std::cos(glm::radians(zenithAngle)),
                                                              glm::radians(sunAngle), std::cos(glm::radians(sunAngle)));
                            ASSERT_NEAR(found / expected, 1.0, 1e-12)
                                << turbidity << ' ' << albedo << ' ' << elevation << ' ' << zenithAngle;
                        }
                    }
                }
            }
        }
    }
}

TEST(HosekWilkie, SkyLiesAroundTheSun) {
    const sky::HosekData data = makeData();
    const HosekSky model(data, 4.5, {0.1F, 0.5F, 0.9F}, skyDirection(40.0, 70.0));
    for (const double turn : {0.0, 90.0, 180.0}) {
        const glm::vec3 found = model.radiance(skyDirection(25.0, 70.0 + turn));
        const double cosine =
            std::sin(glm::radians(25.0)) * std::sin(glm::radians(40.0)) +
            std::cos(glm::radians(25.0)) * std::cos(glm::radians(40.0)) * std::cos(glm::radians(turn));
        const std::array<double, 3> albedos = {0.1, 0.5, 0.9};
        for (std::size_t i = 0; i < 3; ++i) {
            const double expected = paperRadiance(i, 4.5, albedos[i], 40.0, 65.0, glm::degrees(std::acos(cosine)));
            EXPECT_NEAR(found[static_cast<int>(i)] / expected, 1.0, 1e-6) << turn << ' ' << i;
        }
    }
}

/// At the pieces' starts a cubic is its last coefficient; within, the polynomial; linear between turbidities.
TEST(HosekWilkie, SunFollowsThePaper) {
    const sky::HosekData data = makeData();
    const auto cubic = [](std::size_t band, std::size_t turbidity, std::size_t piece, double x) {
        return madeUpSun(band, turbidity, piece, 3) + madeUpSun(band, turbidity, piece, 2) * x +
               madeUpSun(band, turbidity, piece, 1) * x * x + madeUpSun(band, turbidity, piece, 0) * x * x * x;
    };
    const auto start = [](double piece) { return std::pow(piece / 45.0, 3.0) * 0.5 * kPi; };
    for (const std::size_t piece : {0U, 1U, 20U, 44U}) {
        for (const double share : {0.001, 0.5, 0.999}) {
            const double x = share * (start(static_cast<double>(piece) + 1.0) - start(static_cast<double>(piece)));
            const double elevation = start(static_cast<double>(piece)) + x;
            const glm::dvec3 at3 = sky::solarRadiance(data.sun, 3.0, elevation);
            const glm::dvec3 between = sky::solarRadiance(data.sun, 6.25, elevation);
            for (int i = 0; i < 3; ++i) {
                const auto band = static_cast<std::size_t>(i);
                EXPECT_NEAR(at3[i] / cubic(band, 2, piece, x), 1.0, 1e-9) << piece << ' ' << share;
                EXPECT_NEAR(between[i] / (0.75 * cubic(band, 5, piece, x) + 0.25 * cubic(band, 6, piece, x)), 1.0, 1e-9)
                    << piece << ' ' << share;
            }
        }
    }
    EXPECT_NEAR(sky::solarRadiance(data.sun, 10.0, 0.0).y, madeUpSun(1, 9, 0, 3), 1e-9);
    const double last = 0.5 * kPi - start(44.0);
    EXPECT_NEAR(sky::solarRadiance(data.sun, 10.0, 0.5 * kPi).z, cubic(2, 9, 44, last), 1e-6);
}

/// A disc of 0.255 degrees of radius.
TEST(HosekWilkie, SunlightIsTheDiscsRadianceOverItsSolidAngle) {
    const sky::HosekData data = makeData();
    const glm::vec3 found = hosekSunIrradiance(data, 4.0, skyDirection(30.0, 11.0));
    const glm::dvec3 radiance = sky::solarRadiance(data.sun, 4.0, glm::radians(30.0));
    EXPECT_NEAR(found.x / (radiance.x * 6.2228e-5), 1.0, 1e-4);
    EXPECT_NEAR(found.z / (radiance.z * 6.2228e-5), 1.0, 1e-4);
}

/// Irradiance by a fine grid in angles; ground that reflects it evenly, with the sun's.
TEST(HosekWilkie, TheGroundReflectsWhatItReceives) {
    const sky::HosekData data = makeData();
    const glm::dvec3 sun = skyDirection(35.0, 200.0);
    const HosekSky model(data, 3.0, glm::vec3(0.4F), sun);
    glm::dvec3 received(0.0);
    constexpr int kRows = 200;
    constexpr int kColumns = 200;
    for (int row = 0; row < kRows; ++row) {
        const double up = 90.0 * (row + 0.5) / kRows;
        const double weight = std::sin(glm::radians(up)) * std::cos(glm::radians(up));
        for (int column = 0; column < kColumns; ++column) {
            received += weight * glm::dvec3(model.radiance(skyDirection(up, 360.0 * (column + 0.5) / kColumns)));
        }
    }
    received *= 0.5 * kPi / kRows * 2.0 * kPi / kColumns;
    EXPECT_LT(glm::length(glm::dvec3(model.skyIrradiance()) - received), 2e-3 * glm::length(received));
    const glm::dvec3 shown(model.radiance(glm::normalize(glm::dvec3(0.3, -0.5, 0.2))));
    const glm::dvec3 expected = 0.4 / kPi * (received + glm::dvec3(hosekSunIrradiance(data, 3.0, sun)) * sun.y);
    EXPECT_LT(glm::length(shown - expected), 2e-3 * glm::length(expected));
}

TEST(HosekWilkie, WhatTheModelLacksIsAnError) {
    const sky::HosekData data = makeData();
    EXPECT_THROW(HosekSky(data, 3.0, glm::vec3(0.3F), skyDirection(-1.0, 0.0)), Error);
    EXPECT_THROW(HosekSky(data, 0.9, glm::vec3(0.3F), skyDirection(10.0, 0.0)), Error);
    EXPECT_THROW(hosekSunIrradiance(data, 10.1, skyDirection(10.0, 0.0)), Error);
}

/// Figures that would give infinities and negative light give neither.
TEST(HosekWilkie, RadianceIsAlwaysOne) {
    sky::HosekData data = makeData();
    for (sky::SkyFigures& figures : data.sky) {
        for (std::size_t i = 0; i < figures.distribution.size(); ++i) {
            figures.distribution[i] = i % 9 == 8 ? 1.0 : (i % 2 == 0 ? 1e12 : -1e12);
        }
    }
    data.sun[0].fill(-1.0);
    data.sun[1].fill(1e12);
    const glm::dvec3 sun = skyDirection(50.0, 0.0);
    const HosekSky model(data, 3.0, glm::vec3(1.0F), sun);
    for (const glm::dvec3& direction : {sun, glm::dvec3(0.0, 1.0, 0.0), glm::dvec3(1.0, 0.0, 0.0)}) {
        const glm::vec3 value = model.radiance(direction);
        EXPECT_TRUE(std::isfinite(value.x) && value.x >= 0.0F) << value.x;
    }
    EXPECT_EQ(hosekSunIrradiance(data, 3.0, sun).x, 0.0F);
    EXPECT_GT(hosekSunIrradiance(data, 3.0, sun).y, 0.0F);
}

} // namespace
} // namespace aureole
