// Automatic exposure against closed forms.

#include "image/colour/meter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace aureole {
namespace {

Image greys(const std::vector<float>& values) {
    Image image = makeImage(static_cast<std::uint32_t>(values.size()), 1, {"R", "G", "B"});
    for (Channel& channel : image.channels) {
        channel.values = values;
    }
    return image;
}

double byAverage(const Image& image) {
    return meteredStops(image, 0.0, true, "image").value();
}

TEST(Meter, TheLogAverageBecomesMiddleGrey) {
    EXPECT_NEAR(byAverage(greys({0.18F, 0.18F})), 0.0, 1e-6);
    EXPECT_NEAR(byAverage(greys({0.01F, 0.1F, 1.0F, 10.0F})), std::log2(0.18 / std::sqrt(0.1)), 1e-6);
    // Of colours it is the luminance.
    Image green = makeImage(1, 1, {"R", "G", "B"});
    green.channels[1].values = {2.0F};
    EXPECT_NEAR(byAverage(green), std::log2(0.18 / (2.0 * 0.7152)), 1e-6);
}

TEST(Meter, APercentileOfThePixelsStaysBelowWhite) {
    std::vector<float> values;
    for (int i = 100; i > 0; --i) {
        values.push_back(static_cast<float>(i));
    }
    const Image image = greys(values);
    for (const double percentile : {1.0, 50.0, 95.0, 99.5, 100.0}) {
        const double white = std::exp2(-meteredStops(image, percentile, true, "image").value());
        EXPECT_NEAR(white, std::ceil(percentile), 1e-9) << percentile;
    }
}

TEST(Meter, WhatHasNoLightDoesNotCount) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_NEAR(byAverage(greys({0.0F, 0.36F, -1.0F, kNan, kInfinity})), -1.0, 1e-6);
    EXPECT_FALSE(meteredStops(greys({0.0F, 0.0F}), 0.0, true, "image"));
    EXPECT_FALSE(meteredStops(greys({kNan}), 50.0, true, "image"));
    EXPECT_NEAR(byAverage(greys({1e-38F})), 100.0, 40.0); // and stays within the stops that there are
}

TEST(Meter, CoverIsNoLight) {
    Image image = greys({0.09F, 0.0F});
    image.add("A").values = {0.5F, 0.0F}; // half covered by what is 0.18
    EXPECT_NEAR(byAverage(image), 0.0, 1e-6);
    EXPECT_NEAR(meteredStops(image, 0.0, false, "image").value(), 1.0, 1e-6);
}

} // namespace
} // namespace aureole
