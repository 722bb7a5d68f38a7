// Means of frames that were denoised one by one.

#include "session/denoise/steady_frames.h"

#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace aureole {
namespace {

constexpr std::uint32_t kSide = 24;
constexpr std::size_t kPixels = std::size_t{kSide} * kSide;

/// A frame of a flat wall, from a camera of which each pixel is 1 wide there.
struct TestFrame {
    Sight sight;
    DenoiseInput features;
    std::vector<float> noise = std::vector<float>(kPixels, 0.0F);
    FrameColour colour;
    std::vector<glm::vec3> lights;

    FrameView view() const { return {sight, features, noise, lights, colour.direct}; }
};

/// What `light` and `albedo` say of the wall at (x, y), seen by a camera that stands `left` to the right.
TestFrame frameAt(double left, const std::function<double(double, double)>& light,
                  const std::function<double(double, double)>& albedo) {
    TestFrame frame;
    glm::dmat4 matrix(1.0);
    matrix[3][0] = -left; // x in pixels, for any depth: w is 1
    frame.sight = {matrix, std::vector<float>(kPixels, 5.0F), kSide, kSide};
    frame.features.width = kSide;
    frame.features.height = kSide;
    for (std::size_t i = 0; i < kPixels; ++i) {
        const double x = static_cast<double>(i % kSide) + 0.5 + left;
        const double y = static_cast<double>(i / kSide) + 0.5;
        const double surface = albedo(x, y);
        for (int c = 0; c < 3; ++c) {
            frame.features.albedo.push_back(static_cast<float>(surface));
            frame.features.normal.push_back(c == 2 ? 1.0F : 0.0F);
            frame.colour.light.push_back(static_cast<float>(light(x, y) * (surface + 0.05)));
            frame.colour.direct.push_back(0.0F);
        }
    }
    frame.lights = lightsOf(frame.features, frame.colour.light);
    return frame;
}

double one(double /*x*/, double /*y*/) {
    return 1.0;
}

double half(double /*x*/, double /*y*/) {
    return 0.5;
}

/// A value about 1 that differs from pixel to pixel, and from seed to seed.
std::function<double(double, double)> noisy(std::uint32_t seed, double deviation) {
    return [random = std::mt19937(seed), deviation](double /*x*/, double /*y*/) mutable {
        return 1.0 + std::normal_distribution<double>(0.0, deviation)(random);
    };
}

double deviationOf(const std::vector<float>& values, float truth) {
    double sum = 0.0;
    for (const float value : values) {
        sum += static_cast<double>((value - truth) * (value - truth));
    }
    return std::sqrt(sum / static_cast<double>(values.size()));
}

std::vector<float> steadied(const TestFrame& frame, const std::vector<TestFrame>& others) {
    std::vector<FrameView> views;
    for (const TestFrame& other : others) {
        views.push_back(other.view());
    }
    return steadyColour(frame.view(), views);
}

TEST(SteadyFrames, LightIsTheMeanWhereverItsPointsFall) {
    for (const double step : {0.0, 0.4}) {
        std::vector<TestFrame> others;
        for (std::uint32_t i = 1; i <= 6; ++i) {
            others.push_back(frameAt(step * i, noisy(i, 0.02), half));
        }
        const TestFrame frame = frameAt(0.0, noisy(9, 0.02), half);
        EXPECT_LT(deviationOf(steadied(frame, others), 0.55F), 0.5 * deviationOf(frame.colour.light, 0.55F)) << step;
    }
}

/// As of a camera that moves past a texture by parts of a pixel.
TEST(SteadyFrames, TextureStaysAsTheFrameHasIt) {
    const auto texture = [](double x, double y) { return 0.5 + 0.4 * std::sin(2.0 * x) * std::cos(2.0 * y); };
    const TestFrame frame = frameAt(0.0, one, texture);
    const std::vector<float> found = steadied(frame, {frameAt(0.5, one, texture), frameAt(-0.3, one, texture)});
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], frame.colour.light[i], 1e-5) << i;
    }
}

TEST(SteadyFrames, AlbedoAndDirectLightAreMeansOnTheMiddle) {
    const auto framesAt = [](double step) {
        std::vector<TestFrame> frames;
        for (std::uint32_t i = 0; i < 7; ++i) {
            auto covered = noisy(i, 0.03);
            frames.push_back(frameAt(step * i, one, [&](double x, double y) { return 0.5 * covered(x, y); }));
            for (std::size_t p = 0; p < 3 * kPixels; ++p) {
                frames.back().colour.direct[p] = frames.back().features.albedo[p];
            }
        }
        return frames;
    };
    for (const double step : {0.0, 0.37}) {
        std::vector<TestFrame> frames = framesAt(step);
        TestFrame frame = frames.front();
        frames.erase(frames.begin());
        std::vector<float> before = frame.colour.light;
        for (std::size_t p = 0; p < before.size(); ++p) {
            before[p] += frame.colour.direct[p];
        }
        const double gain = deviationOf(steadied(frame, frames), 1.05F) / deviationOf(before, 1.05F);
        if (step == 0.0) {
            EXPECT_LT(gain, 0.5);
        } else {
            EXPECT_NEAR(gain, 1.0, 1e-3) << "no point is on the middle of a pixel";
        }
    }
}

TEST(SteadyFrames, WhatLooksDifferentHasNoWeight) {
    const TestFrame frame = frameAt(0.0, one, half);
    const auto expectAsItWas = [&](const TestFrame& other) {
        EXPECT_LT(deviationOf(steadied(frame, {other}), 0.55F), 1e-3);
    };
    expectAsItWas(frameAt(
        0.0, [](double, double) { return 1.5; }, half)); // a shadow has gone
    TestFrame turned = frameAt(
        0.0, [](double, double) { return 1.05; }, half);
    turned.features.normal.assign(3 * kPixels, 0.577F);
    expectAsItWas(turned);
    TestFrame before = frameAt(
        0.0, [](double, double) { return 1.05; }, half);
    before.sight.depth.assign(kPixels, 4.0F);
    expectAsItWas(before);
    expectAsItWas(frameAt(
        40.0, [](double, double) { return 1.05; }, half)); // it sees none of it
    TestFrame painted = frameAt(0.0, one, [](double, double) { return 0.9; });
    expectAsItWas(painted);
    // With as much noise as that, it may be the same.
    TestFrame grainy = frame;
    grainy.noise.assign(kPixels, 25.0F);
    EXPECT_GT(deviationOf(steadied(grainy, {frameAt(
                                               0.0, [](double, double) { return 1.5; }, half)}),
                          0.55F),
              0.1);
}

TEST(SteadyFrames, NoiseIsThatOfTheMean) {
    TestFrame frame = frameAt(0.0, one, half);
    std::vector<float> halfA(3 * kPixels, 0.55F);
    std::vector<float> halfB(3 * kPixels, 0.55F);
    for (std::size_t c = 0; c < 3; ++c) {
        halfA[std::size_t{3} * (12 * kSide + 12) + c] = 1.1F; // a light of 2 beside 1: the variance of the mean is 0.25
        halfA[c] = 1.1F;
    }
    const std::vector<float> noise = noiseOf(frame.features, halfA, halfB);
    EXPECT_NEAR(noise.at(12 * kSide + 12), 0.25 / 25.0, 1e-6);
    EXPECT_NEAR(noise.at(10 * kSide + 14), 0.25 / 25.0, 1e-6);
    EXPECT_EQ(noise.at(9 * kSide + 12), 0.0F);
    EXPECT_NEAR(noise.at(0), 0.25 / 9.0, 1e-6) << "of the window that lies in the picture";
    EXPECT_NEAR(noise.at(kSide + 2), 0.25 / 20.0, 1e-6);
}

} // namespace
} // namespace aureole
