// The bloom on the device against direct convolution in double.

#include <cmath>
#include <limits>

#include "core/error.h"
#include "filter_util.h"

namespace aureole {
namespace {

using testing::blackPicture;
using testing::convolve;
using testing::convolveReflected;
using testing::Picture;
using testing::randomKernel;
using testing::randomPicture;
using testing::relativeError;

class BloomFilterTest : public testing::FilterTest {
protected:
    static void compare(const Picture& picture, const BloomKernel& kernel, bool columnsFirst) {
        const BloomFilter filter(device(), picture.width, picture.height, kernel, {columnsFirst});
        EXPECT_LE(relativeError(run(filter, picture), convolve(picture, kernel)), 1e-5)
            << picture.width << "x" << picture.height << " with " << kernel.width << "x" << kernel.height
            << (columnsFirst ? ", columns first" : ", rows first");
    }
};

TEST_F(BloomFilterTest, OnePixelReproducesTheKernelAtEveryPlace) {
    constexpr std::uint32_t kWidth = 9;
    constexpr std::uint32_t kHeight = 7;
    const BloomKernel kernel = randomKernel(6, 11, 1);
    const BloomFilter filter(device(), kWidth, kHeight, kernel);
    for (std::uint32_t y = 0; y < kHeight; ++y) {
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            Picture picture = blackPicture(kWidth, kHeight);
            for (auto& plane : picture.planes) {
                plane[y * kWidth + x] = 1000.0F;
            }
            const Picture result = run(filter, picture);
            for (std::size_t c = 0; c < 3; ++c) {
                for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) {
                    const std::uint32_t u = i % kWidth + kernel.width / 2 - x;
                    const std::uint32_t v = i / kWidth + kernel.height / 2 - y;
                    const bool inside = u < kernel.width && v < kernel.height;
                    const double expected = inside ? 1000.0 * kernel.planes.at(c)[v * kernel.width + u] : 0.0;
                    // The transforms' noise is relative to the brightest texel.
                    ASSERT_NEAR(result.planes.at(c)[i], expected, 50 * 1000.0 * 4e-7)
                        << "pixel " << i << " of the light at " << x << ", " << y;
                }
            }
        }
    }
}

TEST_F(BloomFilterTest, MirrorPaddingEqualsDirectConvolutionWithReflections) {
    std::uint32_t seed = 200;
    for (const auto& [width, height, kernelWidth, kernelHeight] :
         {std::array{1U, 3U, 7U, 20U}, std::array{13U, 9U, 8U, 9U}, std::array{20U, 11U, 9U, 31U}}) {
        const Picture picture = randomPicture(width, height, ++seed);
        const BloomKernel kernel = randomKernel(kernelWidth, kernelHeight, ++seed);
        const BloomFilter filter(device(), width, height, kernel, {seed % 4 == 0}, BloomPadding::Mirror);
        EXPECT_LE(relativeError(run(filter, picture), convolveReflected(picture, kernel)), 1e-5)
            << width << "x" << height << " with " << kernelWidth << "x" << kernelHeight;
    }
}

struct Sizes {
    std::uint32_t width, height, kernelWidth, kernelHeight;
};

TEST_F(BloomFilterTest, EqualsDirectConvolutionInEitherAxisOrder) {
    std::uint32_t seed = 10;
    for (const Sizes& sizes :
         {Sizes{1, 1, 1, 1}, Sizes{1, 1, 6, 3}, Sizes{2, 3, 31, 40}, Sizes{13, 9, 8, 9}, Sizes{37, 23, 9, 8}}) {
        const Picture picture = randomPicture(sizes.width, sizes.height, ++seed);
        const BloomKernel kernel = randomKernel(sizes.kernelWidth, sizes.kernelHeight, ++seed);
        compare(picture, kernel, false);
        compare(picture, kernel, true);
    }
}

TEST_F(BloomFilterTest, LinesAndKernelsLargerThanTheImageEqualDirectConvolution) {
    compare(randomPicture(1, 13, 50), randomKernel(1, 7, 51), false);
    compare(randomPicture(13, 1, 52), randomKernel(6, 1, 53), true);
    compare(randomPicture(8, 9, 54), randomKernel(50, 7, 55), false);
    compare(randomPicture(100, 61, 56), randomKernel(31, 64, 57), true);
}

TEST_F(BloomFilterTest, LongLinesEqualDirectConvolution) {
    const BloomKernel kernel = randomKernel(40, 5, 90);
    compare(randomPicture(2028, 9, 91), kernel, false);     // parts exchanged in turn
    compare(randomPicture(5, 1278, 92), kernel, false);     // the second axis
    if (!device().info().isCpu) {                           // a software device compiles these for half a minute
        compare(randomPicture(8150, 7, 93), kernel, false); // two pairs of lines in rounds
        compare(randomPicture(8230, 2, 93), kernel, false); // more than workgroup memory holds at a time
        compare(randomPicture(8230, 3, 94), kernel, true);  // the same along the second axis
        compare(randomPicture(1920, 11, 95), randomKernel(256, 9, 96), true);
    }
}

TEST_F(BloomFilterTest, ExchangesByShuffleEqualDirectConvolution) {
    // The second pass, which transforms forth and back, with radix 16 twice: a subgroup must have as many invocations.
    const Picture picture = randomPicture(21, 17, 100);
    const BloomKernel kernel = randomKernel(9, 6, 101);
    const BloomFilter filter(device(), 21, 17, kernel, {true, 24, 1024, 0, 2, fft::Exchange::Shuffle});
    EXPECT_EQ(filter.shape().second.shuffled != 0, device().info().subgroupSize >= 16);
    EXPECT_LE(relativeError(run(filter, picture), convolve(picture, kernel)), 1e-5);
}

TEST_F(BloomFilterTest, SharpeningLeadsToTheImageItself) {
    const Picture picture = randomPicture(12, 10, 5);
    const BloomKernel kernel = randomKernel(8, 9, 6);
    const BloomFilter filter(device(), 12, 10, kernel);
    const auto blurred = convolve(picture, kernel);
    for (const double sharpen : {0.0, 0.25, 1.0}) {
        std::array<std::vector<double>, 3> expected = blurred;
        for (std::size_t c = 0; c < 3; ++c) {
            for (std::size_t i = 0; i < expected.at(c).size(); ++i) {
                expected.at(c)[i] = (1 - sharpen) * blurred.at(c)[i] + sharpen * picture.planes.at(c)[i];
            }
        }
        EXPECT_LE(relativeError(run(filter, picture, sharpen), expected), 1e-5) << sharpen;
    }
    gpu::CommandEncoder commands = device().encoder();
    EXPECT_THROW(filter.execute(commands, {}, {}, 1.5), Error);
    EXPECT_THROW(filter.execute(commands, {}, {}, std::nan("")), Error);
}

TEST_F(BloomFilterTest, PixelsThatAreNotFiniteCountAsBlack) {
    Picture picture = randomPicture(12, 10, 8);
    picture.planes[0][17] = std::numeric_limits<float>::quiet_NaN();
    picture.planes[1][100] = std::numeric_limits<float>::infinity();
    picture.planes[2][119] = -std::numeric_limits<float>::infinity();
    const BloomKernel kernel = randomKernel(8, 8, 9);
    const Picture result = run(BloomFilter(device(), 12, 10, kernel), picture);
    picture.planes[0][17] = picture.planes[1][100] = picture.planes[2][119] = 0.0F;
    EXPECT_LE(relativeError(result, convolve(picture, kernel)), 1e-5);
}

TEST_F(BloomFilterTest, ImagesKeepTheirOtherChannelsAndGreyOnesTheirLuminance) {
    Image image = makeImage(14, 12, {"R", "G", "B", "depth.Z"});
    for (Channel& channel : image.channels) {
        channel.values.assign(image.pixelCount(), 0.0F);
        channel.values[6 * 14 + 7] = 8.0F;
    }
    image.attributes["note"] = "kept";
    Image coloured = makeImage(5, 5, {"R", "G", "B"});
    coloured.find("R")->values[12] = 2.0F;
    coloured.find("G")->values[11] = 3.0F;
    coloured.find("B")->values[3] = 5.0F;
    const Image result =
        ImageBloom(device(), image.width, image.height, kernelFromImage(coloured, "kernel"), {}).apply(image, "image");
    double total = 0;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        total += luminance(result.find("R")->values[i], result.find("G")->values[i], result.find("B")->values[i]);
    }
    EXPECT_NEAR(total, 8.0, 8e-5); // nothing reached the edges
    EXPECT_EQ(result.find("depth.Z")->values, image.find("depth.Z")->values);
    EXPECT_EQ(result.attributes.at("note"), "kept");
}

TEST_F(BloomFilterTest, GreyImagesBecomeColouredOnes) {
    Image image = makeImage(6, 5, {"Y", "A", "R"}); // R alone is no colour
    image.find("Y")->values[2 * 6 + 3] = 8.0F;
    Image red = makeImage(1, 1, {"R", "G", "B"});
    red.find("R")->values[0] = 1.0F;
    const Image result =
        ImageBloom(device(), image.width, image.height, kernelFromImage(red, "kernel"), {}).apply(image, "image");
    EXPECT_EQ(result.find("Y"), nullptr);
    EXPECT_NEAR(result.find("R")->values[2 * 6 + 3], 8.0 / 0.2126, 1e-4);
    EXPECT_NEAR(result.find("G")->values[2 * 6 + 3], 0.0, 1e-5);
    EXPECT_NE(result.find("A"), nullptr);
}

TEST_F(BloomFilterTest, PassesAreTimedByName) {
    const BloomFilter filter(device(), 16, 16, randomKernel(3, 3, 2));
    const gpu::Buffer pixels = device().createBufferWith(std::span<const float>(std::vector<float>(768)), "pixels");
    const DevicePlanes planes{{pixels.address(), pixels.address() + 1024, pixels.address() + 2048}, 16};
    gpu::CommandEncoder commands = device().encoder();
    filter.execute(commands, planes, planes);
    gpu::Submission submission = device().submit(std::move(commands));
    submission.wait();
    std::vector<std::string> names;
    for (const gpu::PassTime& pass : submission.passTimes()) {
        names.push_back(pass.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"bloom.first", "bloom.second", "bloom.third"}));
}

TEST_F(BloomFilterTest, EmptyImagesAreRefused) {
    EXPECT_THROW(BloomFilter(device(), 0, 4, randomKernel(3, 3, 2)), Error);
    EXPECT_THROW(BloomFilter(device(), 4, 4, BloomKernel{}), Error);
}

} // namespace
} // namespace aureole
