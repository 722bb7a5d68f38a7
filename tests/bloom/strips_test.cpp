// Images that are bloomed in strips: against direct convolution, and those wider than any transform against FFTW.

#include "bloom/strips.h"

#include <array>
#include <cmath>
#include <complex>
#include <span>
#include <utility>
#include <vector>

#include <fftw3.h>
#include <gtest/gtest.h>

#include "bloom/filter.h"
#include "filter_util.h"
#include "full_sweep.h"

namespace aureole {
namespace {

using testing::convolve;
using testing::convolveReflected;
using testing::Picture;
using testing::Planes;
using testing::randomKernel;
using testing::randomPicture;

TEST(AxisCuts, TakeAxesWholeWhereTheyFitAndAlwaysStayBelowTheLongest) {
    for (const std::uint32_t longest : {8U, 40U, 16384U}) {
        for (const std::uint32_t pixels : {1U, 7U, 300U, 16385U, 65536U}) {
            for (const std::uint32_t taps : {1U, 2U, 33U, 513U, 16385U, 65537U}) {
                if (pixels > 200 * longest || taps > 200 * longest) {
                    continue;
                }
                const AxisCut cut = cutAxis(pixels, taps, longest);
                ASSERT_GE(cut.pixels, 1U);
                ASSERT_GE(cut.taps, 1U);
                EXPECT_LE(cut.window() + cut.taps / 2, longest) << pixels << ' ' << taps;
                EXPECT_LE(cut.pixels, pixels);
                EXPECT_LE(cut.taps, taps);
            }
        }
    }
    EXPECT_EQ(cutAxis(20000, 513, 16384).taps, 513U);
    EXPECT_EQ(cutAxis(20000, 513, 16384).pixels, 10000U);
    EXPECT_EQ(cutAxis(100, 33, 16384).pixels, 100U);
}

class StripsTest : public gpu::GpuTest {
protected:
    static Picture bloomed(const Picture& picture, const BloomKernel& kernel, const BloomMethod& method,
                           std::uint32_t longest = fft::kMaximumLength) {
        Image image = makeImage(picture.width, picture.height, {"R", "G", "B"});
        for (std::size_t c = 0; c < 3; ++c) {
            image.channels[c].values = picture.planes.at(c);
        }
        ImageBloom bloom(device(), picture.width, picture.height, kernel, method, longest);
        image = bloom.apply(std::move(image), "picture");
        return {
            picture.width, picture.height, {image.find("R")->values, image.find("G")->values, image.find("B")->values}};
    }
};

TEST_F(StripsTest, EqualDirectConvolution) {
    const Picture picture = randomPicture(61, 47, 5);
    for (const auto& [width, height] : {std::pair{9U, 7U}, std::pair{33U, 58U}, std::pair{130U, 1U}}) {
        const BloomKernel kernel = randomKernel(width, height, width);
        const Picture zero = bloomed(picture, kernel, {}, 40);
        EXPECT_LE(testing::relativeError(zero, convolve(picture, kernel)), 2e-6) << width;
        const Picture mirror = bloomed(picture, kernel, {0.0, BloomPadding::Mirror}, 40);
        EXPECT_LE(testing::relativeError(mirror, convolveReflected(picture, kernel)), 2e-6) << width;
    }
}

TEST_F(StripsTest, EqualTheFilterOfTheWholeImage) {
    Picture picture = randomPicture(75, 20, 6);
    picture.planes[1][33] = std::nanf("");
    const BloomKernel kernel = randomKernel(31, 9, 3);
    const Picture whole = bloomed(picture, kernel, {0.25});
    Planes expected;
    for (std::size_t c = 0; c < 3; ++c) {
        expected.at(c).assign(whole.planes.at(c).begin(), whole.planes.at(c).end());
    }
    EXPECT_LE(testing::relativeError(bloomed(picture, kernel, {0.25}, 48), expected), 2e-6);
    EXPECT_LE(testing::relativeError(bloomed(picture, kernel, {0.25, BloomPadding::Zero, BloomMode::Resampled}, 48),
                                     expected),
              1e-4);
}

/// One plane by FFTW, in double, black outside.
std::vector<double> byFftw(const std::vector<float>& plane, std::uint32_t width, std::uint32_t height,
                           const std::vector<float>& kernel, std::uint32_t taps, std::uint32_t rows) {
    const std::size_t w = width + taps - 1;
    const std::size_t h = height + rows - 1;
    using Value = std::complex<double>;
    const auto transformed = [&](std::vector<Value> values, int sign) {
        auto* const raw = reinterpret_cast<fftw_complex*>(values.data());
        auto* const plan = fftw_plan_dft_2d(static_cast<int>(h), static_cast<int>(w), raw, raw, sign, FFTW_ESTIMATE);
        fftw_execute(plan);
        fftw_destroy_plan(plan);
        return values;
    };
    std::vector<Value> image(w * h);
    std::vector<Value> psf(w * h);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            image[y * w + x] = plane[y * width + x];
        }
    }
    for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < taps; ++x) {
            psf[y * w + x] = kernel[y * taps + x];
        }
    }
    image = transformed(std::move(image), FFTW_FORWARD);
    psf = transformed(std::move(psf), FFTW_FORWARD);
    for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] *= psf[i] / static_cast<double>(w * h);
    }
    image = transformed(std::move(image), FFTW_BACKWARD);
    std::vector<double> result;
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            result.push_back(image[(y + rows / 2) * w + x + taps / 2].real());
        }
    }
    return result;
}

TEST_F(StripsTest, ImagesWiderThanAnyTransformEqualFftw) {
    const std::array sizes = {std::pair{18000U, 4U}, std::pair{3U, 16500U}};
    for (const auto& [width, height] : std::span(sizes).first(fullSweep() ? 2 : 1)) {
        const Picture picture = randomPicture(width, height, 9);
        const BloomKernel kernel = randomKernel(width > height ? 301 : 5, width > height ? 5 : 301, 4);
        Planes expected;
        for (std::size_t c = 0; c < 3; ++c) {
            expected.at(c) =
                byFftw(picture.planes.at(c), width, height, kernel.planes.at(c), kernel.width, kernel.height);
        }
        EXPECT_LE(testing::relativeError(bloomed(picture, kernel, {}), expected), 2e-6) << width;
    }
}

} // namespace
} // namespace aureole
