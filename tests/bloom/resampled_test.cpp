// Resampled kernels: one resident spectrum for images of many sizes, and how it rings.

#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bloom/psf/airy.h"
#include "bloom/psf/eye.h"
#include "core/error.h"
#include "core/math.h"
#include "filter_util.h"
#include "full_sweep.h"

namespace aureole {
namespace {

using testing::convolve;
using testing::convolveReflected;
using testing::Picture;
using testing::randomKernel;
using testing::randomPicture;
using testing::relativeError;

/// The relative error of Kaiser-Bessel windows allowed with kernels whose tails are as bright as their centre.
constexpr double kWorst = 3e-5;

class ResampledBloomTest : public testing::FilterTest {
protected:
    static std::shared_ptr<const KernelSpectrum> spectrumOf(const BloomKernel& kernel,
                                                            const KernelSpectrumOptions& options) {
        return std::make_shared<const KernelSpectrum>(device(), kernel, options);
    }
    static BloomFilter filterOf(const Picture& picture, std::shared_ptr<const KernelSpectrum> kernel,
                                BloomPadding padding = BloomPadding::Zero) {
        return {device(), picture.width, picture.height, std::move(kernel), {}, padding};
    }
};

TEST_F(ResampledBloomTest, OneSpectrumServesImagesOfManySizes) {
    std::uint32_t seed = 0;
    for (const bool symmetric : {false, true}) {
        const bool columnsFirst = !symmetric;
        const BloomKernel kernel = symmetric ? testing::symmetricKernel(15, 9, 1) : randomKernel(12, 21, 2);
        const auto spectrum = spectrumOf(kernel, {BloomResampling::Kaiser, 0.0, columnsFirst});
        EXPECT_EQ(spectrum->real(), symmetric);
        for (const auto& [width, height] : {std::pair{40U, 27U}, {17U, 50U}, {5U, 3U}}) {
            const Picture picture = randomPicture(width, height, ++seed);
            const bool mirrored = seed % 2 == 0;
            const BloomFilter filter =
                filterOf(picture, spectrum, mirrored ? BloomPadding::Mirror : BloomPadding::Zero);
            EXPECT_EQ(filter.shape().columnsFirst, columnsFirst);
            const testing::Planes expected = mirrored ? convolveReflected(picture, kernel) : convolve(picture, kernel);
            EXPECT_LE(relativeError(run(filter, picture), expected), kWorst)
                << width << "x" << height << (symmetric ? ", symmetric" : "") << (mirrored ? ", mirrored" : "");
        }
    }
}

TEST_F(ResampledBloomTest, SharpeningLeadsToTheImageItself) {
    const Picture picture = randomPicture(12, 10, 5);
    const BloomKernel kernel = randomKernel(8, 9, 6);
    const BloomFilter filter = filterOf(picture, spectrumOf(kernel, {}));
    testing::Planes expected = convolve(picture, kernel);
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < expected.at(c).size(); ++i) {
            expected.at(c)[i] = 0.75 * expected.at(c)[i] + 0.25 * picture.planes.at(c)[i];
        }
    }
    EXPECT_LE(relativeError(run(filter, picture, 0.25), expected), kWorst);
}

TEST_F(ResampledBloomTest, LinesThatDoNotFitWorkgroupMemoryPassInRounds) {
    const BloomKernel kernel = randomKernel(1300, 2, 7);
    const auto spectrum = spectrumOf(kernel, {BloomResampling::Kaiser, 0.0, true});
    const Picture picture = randomPicture(40, 3, 8);
    EXPECT_LE(relativeError(run(filterOf(picture, spectrum), picture), convolve(picture, kernel)), kWorst);
    if (fullSweep()) { // parts exchanged in turn: software devices compile this for long
        const Picture wide = randomPicture(4100, 2, 9);
        for (const BloomKernel& other : {kernel, testing::symmetricKernel(901, 3, 10)}) {
            const auto compact = spectrumOf(other, {BloomResampling::Kaiser, 0.0, true});
            EXPECT_LE(relativeError(run(filterOf(wide, compact), wide), convolve(wide, other)), kWorst);
        }
    }
}

/// What bilinear interpolation of a spectrum makes of texel `tap` of `taps`, at a place of the image's period: the sum
/// of the copies, a compact period apart, that fall on it modulo the period, each times sinc^2.
double bilinearCopies(std::int64_t tap, std::int64_t taps, std::int64_t compact, std::int64_t period,
                      std::int64_t place) {
    constexpr std::int64_t kCopies = 3000;
    double sum = 0;
    for (std::int64_t copy = -kCopies; copy <= kCopies; ++copy) {
        const std::int64_t offset = tap - taps / 2 + copy * compact;
        if ((offset - place) % period == 0) {
            const double x = kPi * static_cast<double>(offset) / static_cast<double>(compact);
            sum += offset == 0 ? 1.0 : std::pow(std::sin(x) / x, 2);
        }
    }
    return sum;
}

TEST_F(ResampledBloomTest, BilinearlyTheKernelIsRepeatedAndMultipliedBySincSquared) {
    const BloomKernel kernel = randomKernel(10, 13, 3);
    Picture picture = testing::blackPicture(33, 20);
    for (std::size_t c = 0; c < 3; ++c) {
        picture.planes.at(c)[7 * 33 + 20] = 1.0F;
    }
    const auto spectrum = spectrumOf(kernel, {BloomResampling::Bilinear});
    const BloomFilter filter = filterOf(picture, spectrum);
    const Picture result = run(filter, picture);
    const auto copies = [&](std::uint32_t taps, std::uint32_t compact, std::uint32_t period, std::uint32_t pixels,
                            std::int64_t light) {
        std::vector<double> table;
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
                table.push_back(bilinearCopies(tap, taps, compact, period, pixel - light));
            }
        }
        return table;
    };
    const auto columns = copies(10, spectrum->firstPeriod(), filter.shape().first.length, 33, 20);
    const auto rows = copies(13, spectrum->secondPeriod(), filter.shape().second.length, 20, 7);
    testing::Planes expected;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < std::size_t{33} * 20; ++i) {
            double sum = 0;
            for (std::size_t texel = 0; texel < 130; ++texel) {
                sum += kernel.planes.at(c)[texel] * columns[texel % 10 * 33 + i % 33] * rows[texel / 10 * 20 + i / 33];
            }
            expected.at(c).push_back(sum);
        }
    }
    EXPECT_LE(relativeError(result, expected), 1e-4);
    EXPECT_GE(relativeError(result, convolve(picture, kernel)), 1e-2); // which is not the kernel
}

struct Ringing {
    double relative = 0; ///< L2, of the exact bloom
    double glare = 0;    ///< the same without the lamps, where most of the light stays
    double largest = 0;  ///< of the exact bloom's peak
};

/// Lamps are pixels above a thousandth of the peak.
Ringing compareTo(const Picture& exact, const Picture& resampled) {
    testing::Planes expected;
    double peak = 0;
    double largest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        expected.at(c).assign(exact.planes.at(c).begin(), exact.planes.at(c).end());
        for (std::size_t i = 0; i < expected.at(c).size(); ++i) {
            peak = std::max(peak, expected.at(c)[i]);
            largest = std::max(largest, std::abs(expected.at(c)[i] - resampled.planes.at(c)[i]));
        }
    }
    testing::Planes glare = expected;
    Picture resampledGlare = resampled;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < expected.at(c).size(); ++i) {
            if (expected.at(c)[i] > 1e-3 * peak) {
                glare.at(c)[i] = 0;
                resampledGlare.planes.at(c)[i] = 0;
            }
        }
    }
    return {relativeError(resampled, expected), relativeError(resampledGlare, glare), largest / peak};
}

/// A dark picture with a few bright points, one near an edge.
Picture points(std::uint32_t width, std::uint32_t height) {
    Picture picture = testing::blackPicture(width, height);
    for (std::size_t c = 0; c < 3; ++c) {
        for (const auto& [x, y] : {std::pair{0.5, 0.5}, {0.2, 0.3}, {0.9, 0.02}}) {
            const auto row = static_cast<std::size_t>(y * height);
            picture.planes.at(c)[row * width + static_cast<std::size_t>(x * width)] = 1000.0F;
        }
    }
    return picture;
}

BloomKernel glare(const std::string& name, std::uint32_t size, std::uint32_t imageHeight) {
    const double degrees = degreesPerPixel(40, imageHeight);
    const PsfFrame frame{size, size, degrees};
    if (name == "airy") {
        return airyKernel(frame,
                          24.0 / imageHeight / std::tan(degrees * kPi / 180) / 16); // f/16, as the command's default
    }
    if (name == "eye") {
        return eyeKernel(frame, {});
    }
    GlareOptions options;
    options.degreesPerPixel = degrees;
    options.width = options.height = size;
    return glareKernel(options);
}

/// A row of the table in src/bloom/README.md.
void printRinging(const char* name, std::uint32_t size, const KernelSpectrumOptions& options,
                  const KernelSpectrum& spectrum, const Ringing& ringing) {
    fmt::print("| {} | {} | {} | {} | {:.1f} | {:.1e} | {:.1e} | {:.1e} |\n", name, size,
               options.filter == BloomResampling::Kaiser ? "kaiser" : "bilinear", spectrum.firstPeriod(),
               static_cast<double>(spectrum.deviceBytes()) / 1e6, ringing.relative, ringing.glare, ringing.largest);
}

TEST_F(ResampledBloomTest, RingsWithinBounds) {
    const bool full = fullSweep();
    const Picture picture = full ? points(640, 360) : points(80, 45);
    const auto rings = [&](const char* name, std::uint32_t size) {
        const BloomKernel kernel = glare(name, size, picture.height);
        const Picture exact = run(BloomFilter(device(), picture.width, picture.height, kernel), picture);
        const auto measure = [&](const KernelSpectrumOptions& options) {
            const auto spectrum = spectrumOf(kernel, options);
            const Ringing ringing = compareTo(exact, run(filterOf(picture, spectrum), picture));
            if (full) {
                printRinging(name, size, options, *spectrum, ringing);
            }
            return ringing;
        };
        const Ringing bilinear = measure({BloomResampling::Bilinear});
        const Ringing kaiser = measure({BloomResampling::Kaiser});
        const std::string label = fmt::format("{} of {}", name, size);
        EXPECT_LE(bilinear.relative, 1e-3) << label;
        EXPECT_LE(bilinear.largest, 1e-4) << label;
        EXPECT_GE(bilinear.glare, 1e-4) << label;
        EXPECT_LE(bilinear.glare, 0.1) << label;
        EXPECT_LE(kaiser.relative, 2e-6) << label;
        EXPECT_LE(kaiser.largest, 2e-6) << label;
        EXPECT_LE(kaiser.glare, 2e-4) << label;
        EXPECT_LE(kaiser.glare, bilinear.glare / 2) << label;
        if (full) {
            EXPECT_LE(measure({BloomResampling::Bilinear, 2.0}).glare, bilinear.glare) << label;
            EXPECT_LE(measure({BloomResampling::Kaiser, 1.25}).glare, 2e-4) << label;
        }
    };
    if (!full) {
        rings("eye", 32);
        return;
    }
    for (const char* name : {"default", "airy", "eye"}) {
        rings(name, 256);
        rings(name, 512);
    }
}

TEST_F(ResampledBloomTest, RefusesWhatItCannotDo) {
    const BloomKernel kernel = randomKernel(5, 5, 1);
    EXPECT_THROW(spectrumOf({}, {}), Error);
    EXPECT_THROW(spectrumOf(kernel, {BloomResampling::Kaiser, 0.5}), Error);
    EXPECT_THROW(spectrumOf(kernel, {BloomResampling::Kaiser, 2.5}), Error);
    EXPECT_THROW(spectrumOf(kernel, {BloomResampling::Kaiser, std::nan("")}), Error);
    EXPECT_THROW(BloomFilter(device(), 0, 4, spectrumOf(kernel, {})), Error);
    EXPECT_THROW(BloomFilter(device(), 4, 4, spectrumOf(kernel, {}), {true}), Error);
    try {
        spectrumOf(randomKernel(9000, 1, 1), {});
        FAIL() << "no error";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        EXPECT_NE(message.find("9000 texels"), std::string::npos) << message;
        EXPECT_NE(message.find("period of 18000"), std::string::npos) << message;
    }
}

} // namespace
} // namespace aureole
