// Images from one pixel to 8192 x 8192, and the light that mirror padding keeps.

#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "filter_util.h"
#include "full_sweep.h"

namespace aureole {
namespace {

using testing::Picture;

class BloomSizesTest : public testing::FilterTest {};

TEST_F(BloomSizesTest, LinesAndPrimesInBothModes) {
    const BloomKernel kernel = testing::randomKernel(6, 5, 1);
    const auto compact = std::make_shared<const KernelSpectrum>(device(), kernel);
    std::uint32_t seed = 0;
    for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 211U}, {211U, 1U}, {101U, 67U}}) {
        const Picture picture = testing::randomPicture(width, height, ++seed);
        const testing::Planes expected = testing::convolve(picture, kernel);
        const Picture exact = run(BloomFilter(device(), width, height, kernel), picture);
        EXPECT_LE(testing::relativeError(exact, expected), 1e-5) << width << "x" << height;
        const Picture resampled = run(BloomFilter(device(), width, height, compact), picture);
        // Relative to the kernel's sum, of which a single pixel sees little.
        EXPECT_LE(testing::relativeError(resampled, expected), 3e-5) << width << "x" << height << ", resampled";
    }
}

/// A kernel whose texels each equal those mirrored along either axis, in three colours, of luminance 1.
BloomKernel axisSymmetricKernel(std::uint32_t width, std::uint32_t height) {
    Image image = makeImage(width, height, {"R", "G", "B"});
    std::mt19937 random(width + height);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    for (Channel& channel : image.channels) {
        for (std::uint32_t y = 0; y <= height / 2; ++y) {
            for (std::uint32_t x = 0; x <= width / 2; ++x) {
                const float value = uniform(random);
                for (const std::uint32_t row : {y, height - 1 - y}) {
                    for (const std::uint32_t column : {x, width - 1 - x}) {
                        channel.values[row * width + column] = value;
                    }
                }
            }
        }
    }
    return kernelFromImage(image, "kernel");
}

double luminanceOf(const Picture& picture) {
    const auto sum = [&](std::size_t c) {
        return std::accumulate(picture.planes.at(c).begin(), picture.planes.at(c).end(), 0.0);
    };
    return luminance(sum(0), sum(1), sum(2));
}

TEST_F(BloomSizesTest, MirrorPaddingKeepsTheLuminanceOfAGreyImage) {
    std::uint32_t seed = 100;
    std::vector<std::array<std::uint32_t, 4>> sizes = {{33, 20, 15, 9}, {12, 9, 35, 31}};
    if (fullSweep()) {
        sizes.insert(sizes.end(), {{1, 1, 3, 3}, {50, 31, 5, 61}});
    }
    for (const auto& [width, height, kernelWidth, kernelHeight] : sizes) {
        Picture grey = testing::randomPicture(width, height, ++seed);
        grey.planes[1] = grey.planes[2] = grey.planes[0];
        const BloomKernel kernel = axisSymmetricKernel(kernelWidth, kernelHeight);
        const auto compact = std::make_shared<const KernelSpectrum>(device(), kernel);
        const double before = luminanceOf(grey);
        const BloomFilter exact(device(), width, height, kernel, {}, BloomPadding::Mirror);
        const BloomFilter resampled(device(), width, height, compact, {}, BloomPadding::Mirror);
        EXPECT_TRUE(exact.realKernel());
        EXPECT_NEAR(luminanceOf(run(exact, grey)), before, 1e-5 * before) << width << "x" << height;
        // Tails as bright as the centre are the worst case of resampling.
        EXPECT_NEAR(luminanceOf(run(resampled, grey)), before, 3e-5 * before) << width << "x" << height;
    }
}

TEST_F(BloomSizesTest, PeriodsThatAreTooLongAreNamed) {
    const auto expectMessage = [](std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
                                  const std::vector<std::string>& parts) {
        try {
            const BloomFilter filter(device(), width, height, kernel);
            FAIL() << "no error";
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_EQ(error.code(), ExitCode::BadInput);
            for (const std::string& part : parts) {
                EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
            }
        }
    };
    expectMessage(16384, 2, testing::randomKernel(3, 1, 1),
                  {"16384 pixels wide", "3 texels", "16385", "at most 16384"});
    expectMessage(3, 16000, testing::randomKernel(1, 801, 1), {"16000 pixels high", "801 texels", "16400"});
}

TEST_F(BloomSizesTest, TheLargestImageEqualsDirectConvolution) {
    const std::uint32_t size = fullSweep() ? 8192 : 512;
    const std::uint32_t kernelSize = fullSweep() ? 512 : 40;
    const BloomKernel kernel = testing::randomKernel(kernelSize, kernelSize, 11);
    const Picture picture = testing::randomPicture(size, size, 12);
    const Picture result = run(BloomFilter(device(), size, size, kernel), picture);
    std::mt19937 random(13);
    std::uniform_int_distribution<std::int64_t> place(0, size - 1);
    double error = 0;
    double norm = 0;
    const auto add = [&](std::size_t colour, std::int64_t x, std::int64_t y) {
        const double expected = testing::convolveAt(picture, kernel, BloomPadding::Zero, colour, x, y);
        const double found = result.planes.at(colour)[static_cast<std::size_t>(y * size + x)];
        error += (found - expected) * (found - expected);
        norm += expected * expected;
    };
    for (std::size_t colour = 0; colour < 3; ++colour) {
        for (const std::int64_t y : {std::int64_t{0}, std::int64_t{size} - 1}) {
            add(colour, 0, y);
            add(colour, size - 1, y);
        }
        for (int i = 0; i < 200; ++i) {
            add(colour, place(random), place(random));
        }
    }
    EXPECT_LE(std::sqrt(error / norm), 1e-5);
}

} // namespace
} // namespace aureole
