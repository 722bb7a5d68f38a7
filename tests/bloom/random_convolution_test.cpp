// A hundred blooms of random sizes, kernels and paddings against direct convolution in double.

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "filter_util.h"
#include "full_sweep.h"

namespace aureole {
namespace {

/// A bloom drawn at random. Devices take most of the time to compile passes for new sizes, so most are small.
struct RandomBloom {
    RandomBloom(std::uint32_t seed, std::uint32_t most) {
        std::mt19937 random(seed);
        const auto draw = [&](std::uint32_t from, std::uint32_t to) {
            return std::uniform_int_distribution<std::uint32_t>(from, to)(random);
        };
        // A third of the sides are single pixels or texels, or longer.
        const auto side = [&](std::uint32_t longest) {
            const std::uint32_t kind = draw(0, 5);
            return kind == 0 ? 1 : kind == 1 ? draw(1, longest) : draw(1, longest / 2);
        };
        picture = testing::randomPicture(side(most), side(most), draw(0, 1U << 30U));
        symmetric = draw(0, 2) == 0;
        kernel = symmetric ? testing::symmetricKernel(side(most) | 1U, side(most) | 1U, draw(0, 1U << 30U))
                           : testing::randomKernel(side(most), side(most), draw(0, 1U << 30U));
        padding = draw(0, 1) == 0 ? BloomPadding::Zero : BloomPadding::Mirror;
        name = fmt::format("{}: {}x{} with {}x{}{}{}", seed, picture.width, picture.height, kernel.width, kernel.height,
                           symmetric ? ", symmetric" : "", padding == BloomPadding::Mirror ? ", mirrored" : "");
    }

    testing::Picture picture;
    BloomKernel kernel;
    bool symmetric = false;
    BloomPadding padding = BloomPadding::Zero;
    std::string name;
};

class RandomConvolutionTest : public testing::FilterTest {
protected:
    static void compare(std::uint32_t first, std::uint32_t count, std::uint32_t most) {
        std::uint32_t real = 0;
        for (std::uint32_t seed = first; seed < first + count; ++seed) {
            const RandomBloom bloom(seed, most);
            const BloomFilter filter(device(), bloom.picture.width, bloom.picture.height, bloom.kernel, {},
                                     bloom.padding);
            const testing::Planes expected = bloom.padding == BloomPadding::Mirror
                                                 ? testing::convolveReflected(bloom.picture, bloom.kernel)
                                                 : testing::convolve(bloom.picture, bloom.kernel);
            EXPECT_LE(testing::relativeError(run(filter, bloom.picture), expected), 1e-5) << bloom.name;
            EXPECT_TRUE(filter.realKernel() || !bloom.symmetric) << bloom.name;
            real += filter.realKernel() ? 1 : 0;
        }
        EXPECT_GT(real, 0U); // both kinds of spectra
        EXPECT_LT(real, count);
    }
};

TEST_F(RandomConvolutionTest, SmallOnesEqualDirectConvolution) {
    // Software devices compile the passes of a bloom for a quarter to half a second.
    compare(0, fullSweep() || !device().info().isCpu ? 100 : 5, 24);
}

TEST_F(RandomConvolutionTest, LargerOnesEqualDirectConvolution) {
    compare(1000, fullSweep() ? 100 : 3, fullSweep() ? 150 : 60);
}

} // namespace
} // namespace aureole
