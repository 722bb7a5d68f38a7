#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "bloom/kernel.h"
#include "core/error.h"

namespace aureole {
namespace {

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

Image greyKernel(std::vector<float> values, std::uint32_t width) {
    Image image;
    image.width = width;
    image.height = width == 0 ? 0 : static_cast<std::uint32_t>(values.size()) / width;
    image.channels.push_back({"Y", std::move(values)});
    return image;
}

std::string messageOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        return error.what();
    }
    return "no error";
}

void expectMessage(const Image& image, const std::string& part) {
    const std::string message = messageOf([&] { kernelFromImage(image, "star.exr"); });
    EXPECT_NE(message.find("star.exr"), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(BloomKernel, IsNormalisedByLuminanceAndKeepsColourDifferences) {
    Image image = makeImage(2, 1, {"R", "G", "B"});
    image.find("R")->values = {1, 3};
    image.find("G")->values = {2, 0};
    image.find("B")->values = {0, 1};
    const BloomKernel kernel = kernelFromImage(image, "k");
    const double total = 0.2126 * 4 + 0.7152 * 2 + 0.0722 * 1;
    EXPECT_NEAR(luminance(sum(kernel.planes[0]), sum(kernel.planes[1]), sum(kernel.planes[2])), 1.0, 1e-6);
    EXPECT_NEAR(kernel.planes[0][1], 3 / total, 1e-6);
    EXPECT_NEAR(kernel.planes[1][0], 2 / total, 1e-6);
    EXPECT_NEAR(kernel.planes[2][1], 1 / total, 1e-6);
}

TEST(BloomKernel, GreyImagesSumToOneInEachChannel) {
    const BloomKernel kernel = kernelFromImage(greyKernel({1, 2, 3, 4, 5, 6}, 3), "k");
    EXPECT_EQ(kernel.width, 3U);
    EXPECT_EQ(kernel.height, 2U);
    for (const std::vector<float>& plane : kernel.planes) {
        EXPECT_NEAR(sum(plane), 1.0, 1e-6);
    }
}

TEST(BloomKernel, BadKernelsAreNamed) {
    expectMessage(greyKernel({}, 0), "empty");
    expectMessage(greyKernel({0, 0, 0, 0}, 2), "all values are zero");
    expectMessage(greyKernel({1, -3, 0, 0}, 2), "sums to -2");
    expectMessage(greyKernel({1, -1, 0, 0}, 2), "sums to 0");
    expectMessage(greyKernel({1, 2, std::numeric_limits<float>::quiet_NaN(), 0}, 2), "at (0, 1)");
    expectMessage(greyKernel({1, std::numeric_limits<float>::infinity(), 0, 0}, 2), "at (1, 0)");
}

TEST(GlareKernel, SumsToOneAndIsSymmetric) {
    GlareOptions options;
    options.width = 65;
    options.height = 33;
    options.degreesPerPixel = 0.2;
    const BloomKernel kernel = glareKernel(options);
    for (const std::vector<float>& plane : kernel.planes) {
        EXPECT_NEAR(sum(plane), 1.0, 1e-6);
        const std::size_t last = plane.size() - 1;
        for (std::size_t i = 0; i < plane.size(); ++i) {
            ASSERT_GE(plane[i], 0.0F);
            ASSERT_NEAR(plane[i], plane[last - i], 1e-4 * plane[i]) << i; // turned by 180 degrees
            ASSERT_LE(plane[i], plane[last / 2]);
        }
    }
}

TEST(GlareKernel, DoesNotChangeWithTheResolution) {
    GlareOptions fine;
    fine.width = fine.height = 205;
    fine.degreesPerPixel = 0.05;
    GlareOptions coarse;
    coarse.width = coarse.height = 41; // the same angle: 5 x 5 fine pixels a coarse one
    coarse.degreesPerPixel = 0.25;
    const BloomKernel a = glareKernel(fine);
    const BloomKernel b = glareKernel(coarse);
    for (const std::size_t c : {0U, 1U, 2U}) {
        for (const auto& [x, y] : {std::pair{20U, 20U}, {23U, 20U}, {20U, 32U}, {32U, 12U}}) {
            double fineSum = 0;
            for (std::uint32_t j = 0; j < 5; ++j) {
                for (std::uint32_t i = 0; i < 5; ++i) {
                    fineSum += a.planes.at(c)[(5 * y + j) * 205 + 5 * x + i];
                }
            }
            EXPECT_NEAR(b.planes.at(c)[y * 41 + x] / fineSum, 1.0, 0.05) << "channel " << c << " at " << x << ", " << y;
        }
    }
}

TEST(GlareKernel, HasACoreThatIsAGaussian) {
    GlareOptions options;
    options.width = options.height = 65;
    options.degreesPerPixel = 0.01;
    options.scattered = 0;
    const BloomKernel kernel = glareKernel(options);
    const auto share = [](double texel) { // of exp(-(r / 0.02)^2), between the edges of a texel along one axis
        constexpr double kTexels = 2;     // of 0.01 degrees to 0.02
        return 0.5 * (std::erf((texel + 0.5) / kTexels) - std::erf((texel - 0.5) / kTexels));
    };
    for (const auto& [x, y] : {std::pair{0U, 0U}, {3U, 0U}, {2U, 5U}, {8U, 0U}, {6U, 7U}}) {
        EXPECT_NEAR(kernel.planes[1][(32 + y) * 65 + 32 + x] / (share(x) * share(y)), 1.0, 1e-3) << x << ", " << y;
    }
}

TEST(GlareKernel, HasStreaksOfTheLightThatIsTold) {
    GlareOptions options;
    options.width = 1801;
    options.height = 201;
    options.degreesPerPixel = 0.02;
    options.scattered = 1;
    options.blades = 1; // whose streak lies along x
    options.rotationDegrees = 0;
    const BloomKernel with = glareKernel(options);
    options.blades = 0;
    const BloomKernel without = glareKernel(options);
    const double spread = std::sqrt(549.0 / 568.0); // of green
    for (const std::uint32_t x : {100U, 200U, 400U}) {
        double found = 0;
        for (std::uint32_t y = 0; y < options.height; ++y) {
            const std::size_t texel = std::size_t{y} * options.width + options.width / 2 + x;
            found += double{with.planes[1][texel]} - without.planes[1][texel];
        }
        const double r = x * options.degreesPerPixel / spread + 0.6;
        const double told = 0.06 * 0.5 * 0.6 / (r * r) / spread * options.degreesPerPixel;
        EXPECT_NEAR(found / told, 1.0, 0.005) << x;
    }
}

TEST(GlareKernel, RefusesSettingsOutOfRange) {
    GlareOptions options;
    options.degreesPerPixel = 0;
    EXPECT_THROW(glareKernel(options), Error);
    options = {};
    options.width = 0;
    EXPECT_THROW(glareKernel(options), Error);
    options = {};
    options.scattered = 1.5;
    EXPECT_THROW(glareKernel(options), Error);
    options = {};
    options.blades = 65;
    EXPECT_THROW(glareKernel(options), Error);
}

TEST(GlareKernel, AnglesOfPixelsFollowTheFieldOfView) {
    EXPECT_NEAR(degreesPerPixel(90, 2), 45.0, 1e-9);
    EXPECT_NEAR(degreesPerPixel(40, 1080), 0.0386, 1e-4);
}

} // namespace
} // namespace aureole
