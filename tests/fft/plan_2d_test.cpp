// Transforms of images on the device against FFTW in double.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "full_sweep.h"
#include "images.h"

namespace aureole::fft {
namespace {

std::vector<Complex> inSingle(const std::vector<ComplexDouble>& values) {
    return {values.begin(), values.end()};
}

/// Images whose rows stand apart, with room between the images; elements `stride` apart.
ImageLayout apart(std::uint32_t width, std::uint32_t height, std::uint32_t stride) {
    const std::uint32_t rowStride = width * stride + 3;
    return {stride, rowStride, std::uint64_t{rowStride} * height + 5};
}

class FftPlan2dTest : public gpu::GpuTest {
protected:
    static std::uint32_t columnsOf(const Plan2dOptions& options) {
        return options.real ? options.width / 2 : options.width;
    }

    /// Both directions against FFTW; the inverse starts from the spectrum in double.
    void compareWithFftw(Plan2dOptions options, std::uint32_t count, std::uint32_t stride) {
        options.inverse = false;
        const Plan2d there = plan2d(device(), options);
        options.inverse = true;
        const Plan2d back = plan2d(device(), options);
        const std::uint32_t columns = columnsOf(options);
        const bool compact = stride == 0;
        const ImageLayout pixelLayout =
            compact ? contiguous(options.width, options.height) : apart(options.width, options.height, stride);
        const ImageLayout spectrumLayout =
            compact ? contiguous(columns, options.height) : apart(columns, options.height, stride);

        const std::size_t size = std::size_t{options.width} * options.height * count;
        const std::vector<float> reals = randomReals(size, options.width + options.height);
        const std::vector<Complex> complexes = randomComplexes(size, options.width + options.height);
        const std::vector<ComplexDouble> pixels = options.real ? inDouble(reals) : inDouble(complexes);
        std::vector<ComplexDouble> expected = spectraInDouble(pixels, there.options());
        if (!options.naturalOrder) {
            expected = inSlotOrder(expected, there);
        }
        const std::vector<Complex> spectra =
            options.real ? transformImages<Complex>(device(), there, reals, spectrumLayout, pixelLayout)
                         : transformImages<Complex>(device(), there, complexes, spectrumLayout, pixelLayout);
        const float scale = 1.0F / (static_cast<float>(options.width) * static_cast<float>(options.height));
        const std::vector<Complex> input = inSingle(expected);
        const std::vector<ComplexDouble> restored =
            options.real
                ? inDouble(transformImages<float>(device(), back, input, pixelLayout, spectrumLayout, scale))
                : inDouble(transformImages<Complex>(device(), back, input, pixelLayout, spectrumLayout, scale));
        const double bound = allowedError(std::max(options.width, options.height));
        const double error = relativeL2(inDouble(spectra), expected);
        const double backError = relativeL2(restored, pixels);
        EXPECT_LE(error, bound) << describe(options);
        EXPECT_LE(backError, bound) << describe(options) << " inverse";
        worst_ = std::max({worst_, error / bound, backError / bound});
    }

    static std::string describe(const Plan2dOptions& options) {
        return std::to_string(options.width) + " x " + std::to_string(options.height) +
               (options.real ? " real" : " complex") + (options.naturalOrder ? " natural" : " slots");
    }

    double worst_ = 0;
};

struct Case {
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t count;
    std::uint32_t stride; ///< of separated elements; 0: contiguous
};

/// Sizes of complex images, or of real ones. Each size has kernels of its own, which take a software device seconds to
/// compile, so that without AUREOLE_FULL the two kinds have different ones.
std::vector<Case> cases(bool real) {
    std::vector<Case> chosen;
    if (real || fullSweep()) {
        chosen = {{30, 64, 2, 1}, {6, 1024, 1, 0}};
    }
    if (!real || fullSweep()) {
        chosen.insert(chosen.end(), {{2, 3, 3, 0}, {98, 45, 3, 2}});
    }
    if (fullSweep()) {
        for (const std::uint32_t width : {4U, 12U, 64U, 70U, 162U, 480U, 1280U, 4096U}) {
            for (const std::uint32_t height : {2U, 7U, 27U, 40U, 256U, 343U, 1000U}) {
                chosen.push_back({width, height, width * height < 4096 ? 5U : 1U, height % 3});
            }
        }
    }
    return chosen;
}

TEST_F(FftPlan2dTest, ComplexImagesEqualFftw) {
    bool naturalOrder = true;
    for (const Case& tried : cases(false)) {
        compareWithFftw({.width = tried.width, .height = tried.height, .naturalOrder = naturalOrder}, tried.count,
                        tried.stride);
        naturalOrder = !naturalOrder;
    }
    compareWithFftw({.width = 75, .height = 48, .naturalOrder = false}, 2, 0); // odd widths are complex only
    RecordProperty("worst_share_of_bound", std::to_string(worst_));
}

TEST_F(FftPlan2dTest, RealImagesEqualFftw) {
    bool naturalOrder = false;
    for (const Case& tried : cases(true)) {
        compareWithFftw({.width = tried.width, .height = tried.height, .naturalOrder = naturalOrder, .real = true},
                        tried.count, tried.stride);
        naturalOrder = !naturalOrder;
    }
    RecordProperty("worst_share_of_bound", std::to_string(worst_));
}

TEST_F(FftPlan2dTest, MoreImagesThanADispatchTakes) {
    compareWithFftw({.width = 2, .height = 2, .real = true}, 65537, 0);
}

TEST_F(FftPlan2dTest, RealRoundTripsInPlaceAreTheIdentity) {
    constexpr std::uint32_t kWidth = 60;
    constexpr std::uint32_t kHeight = 35;
    constexpr std::uint32_t kCount = 3;
    const std::vector<float> pixels = randomReals(std::size_t{kWidth} * kHeight * kCount, 7);
    for (const bool naturalOrder : {false, true}) {
        Plan2dOptions options{.width = kWidth, .height = kHeight, .naturalOrder = naturalOrder, .real = true};
        const Plan2d there = plan2d(device(), options);
        options.inverse = true;
        const Plan2d back = plan2d(device(), options);
        const gpu::Buffer values = device().createBufferWith(std::span<const float>(pixels), "values");
        const Images images = contiguous(kWidth, kHeight).images(values.address());
        const Images spectra = contiguous(kWidth / 2, kHeight).images(values.address());
        EXPECT_EQ(scratchBytes(there.options(), spectra, kCount), 0U);
        EXPECT_EQ(scratchBytes(options, images, kCount), 0U);
        gpu::CommandEncoder commands = device().encoder();
        there.execute(commands, spectra, images, kCount);
        commands.barrier();
        back.execute(commands, images, spectra, kCount, 1.0F / (kWidth * kHeight));
        commands.barrier();
        device().submit(std::move(commands)).wait();
        std::vector<float> output(pixels.size());
        device().download(values, 0, std::as_writable_bytes(std::span(output)));
        EXPECT_LE(relativeL2(inDouble(output), inDouble(pixels)), 1.2e-6) << naturalOrder;
    }
}

TEST_F(FftPlan2dTest, ComplexTransformsInPlaceEqualThoseOutOfPlace) {
    constexpr std::uint32_t kWidth = 45;
    constexpr std::uint32_t kHeight = 28;
    const std::vector<Complex> pixels = randomComplexes(std::size_t{2} * kWidth * kHeight, 3);
    for (const bool inverse : {false, true}) {
        const Plan2d made = plan2d(device(), {.width = kWidth, .height = kHeight, .inverse = inverse});
        const ImageLayout layout = contiguous(kWidth, kHeight);
        const gpu::Buffer values = device().createBufferWith(std::span<const Complex>(pixels), "values");
        gpu::CommandEncoder commands = device().encoder();
        made.execute(commands, layout.images(values.address()), layout.images(values.address()), 2);
        commands.barrier();
        device().submit(std::move(commands)).wait();
        std::vector<Complex> output(pixels.size());
        device().download(values, 0, std::as_writable_bytes(std::span(output)));
        EXPECT_EQ(output, transformImages<Complex>(device(), made, pixels, layout, layout));
    }
}

TEST_F(FftPlan2dTest, ColumnZeroHoldsTheSpectraOfDcAndNyquist) {
    constexpr std::uint32_t kWidth = 20;
    constexpr std::uint32_t kHeight = 42;
    const std::vector<float> pixels = randomReals(std::size_t{kWidth} * kHeight, 12);
    const Plan2d made = plan2d(device(), {.width = kWidth, .height = kHeight, .real = true});
    const std::vector<Complex> half =
        transformImages<Complex>(device(), made, pixels, contiguous(kWidth / 2, kHeight), contiguous(kWidth, kHeight));
    const std::vector<ComplexDouble> whole = transformInDouble(inDouble(pixels), kWidth, kHeight, false);
    std::vector<ComplexDouble> separated;
    std::vector<ComplexDouble> expected;
    for (std::uint32_t v = 0; v < kHeight; ++v) {
        const std::size_t row = std::size_t{v} * kWidth;
        const Complex p = half[v * kWidth / 2];
        const Complex q = half[shared::fftMirror(kHeight, v) * kWidth / 2];
        const shared::vec2 dc = shared::fftFirstOfPair({p.real(), p.imag()}, {q.real(), q.imag()});
        const shared::vec2 nyquist = shared::fftSecondOfPair({p.real(), p.imag()}, {q.real(), q.imag()});
        separated.insert(separated.end(), {{dc.x, dc.y}, {nyquist.x, nyquist.y}});
        expected.insert(expected.end(), {whole[row], whole[row + kWidth / 2]});
    }
    EXPECT_LE(relativeL2(separated, expected), 6e-7);
}

TEST_F(FftPlan2dTest, ImpulsesBecomeWavesAndShiftsTurnThem) {
    constexpr std::uint32_t kWidth = 24;
    constexpr std::uint32_t kHeight = 15;
    const Plan2d made = plan2d(device(), {.width = kWidth, .height = kHeight, .real = true});
    std::vector<float> pixels;
    for (std::uint32_t n = 0; n < 5; ++n) { // at (5 n + 1, 3 n)
        std::vector<float> image(std::size_t{kWidth} * kHeight);
        image[3 * n * kWidth + 5 * n + 1] = 1.0F;
        pixels.insert(pixels.end(), image.begin(), image.end());
    }
    const std::vector<Complex> output = transformImages<Complex>(
        device(), made, pixels, contiguous(kWidth / 2, kHeight), contiguous(kWidth, kHeight), 3.0F);
    for (std::uint32_t i = 0; i < output.size(); ++i) {
        const std::uint32_t u = i % (kWidth / 2);
        const std::uint32_t v = i / (kWidth / 2) % kHeight;
        const std::uint32_t n = i / (kWidth / 2) / kHeight;
        const auto wave = [&](std::uint32_t column) {
            const double turns = (5.0 * n + 1) * column / kWidth + 3.0 * n * v / kHeight;
            return std::polar(3.0, -2 * 3.14159265358979323846 * turns);
        };
        const ComplexDouble expected = u > 0 ? wave(u) : wave(0) + ComplexDouble(0, 1) * wave(kWidth / 2);
        ASSERT_LE(std::abs(ComplexDouble(output[i]) - expected), 3e-6) << n << ": " << u << ", " << v;
    }
}

TEST_F(FftPlan2dTest, TransformsAreLinearAndKeepTheEnergy) {
    constexpr std::uint32_t kSize = 48;
    const Plan2d made = plan2d(device(), {.width = kSize, .height = kSize, .naturalOrder = false});
    std::vector<Complex> pixels = randomComplexes(std::size_t{2} * kSize * kSize, 6);
    constexpr std::size_t kPixels = std::size_t{kSize} * kSize;
    for (std::size_t i = 0; i < kPixels; ++i) {
        pixels.push_back(3.0F * pixels[i] + 0.25F * pixels[kPixels + i]);
    }
    const ImageLayout layout = contiguous(kSize, kSize);
    const std::vector<Complex> output = transformImages<Complex>(device(), made, pixels, layout, layout);
    std::vector<ComplexDouble> mixed;
    std::vector<ComplexDouble> expected;
    double before = 0;
    double after = 0;
    for (std::size_t i = 0; i < kPixels; ++i) {
        expected.push_back(3.0 * ComplexDouble(output[i]) + 0.25 * ComplexDouble(output[kPixels + i]));
        mixed.emplace_back(output[2 * kPixels + i]);
        before += std::norm(ComplexDouble(pixels[i]));
        after += std::norm(ComplexDouble(output[i]));
    }
    EXPECT_LE(relativeL2(mixed, expected), 1e-6);
    EXPECT_NEAR(after / static_cast<double>(kPixels) / before, 1.0, 1e-6);
}

TEST_F(FftPlan2dTest, SizesShapesAndErrorsAreToldWithoutAPipeline) {
    const Plan2dOptions options{.width = 64, .height = 40, .inverse = true, .real = true};
    const Shapes2d shapes = shapesFor(device(), options);
    const Plan2d made = plan2d(device(), options);
    EXPECT_EQ(shapes.rows.workgroupSize(), made.rows().workgroupSize());
    EXPECT_EQ(shapes.columns.workgroupSize(), made.columns().workgroupSize());
    EXPECT_TRUE(shapes.columns.firstLinesFastest);
    EXPECT_GE(shapes.columns.lines, 8U) << "runs of 64 bytes";

    const Images spectra{0, 1, 32, 32 * 40};
    const Images images{0, 1, 64, 64 * 40};
    const Images odd{0, 1, 65, 65 * 40};
    EXPECT_EQ(sourceBytes(options, spectra, 2), 2U * 32 * 40 * 8);
    EXPECT_EQ(targetBytes(options, odd, 2), (65U * 40 + 39 * 65 + 64) * 4);
    EXPECT_EQ(scratchBytes(options, images, 2), 0U);
    EXPECT_EQ(scratchBytes(options, odd, 2), 2U * 32 * 40 * 8);
    Plan2dOptions halves = options;
    halves.halfIntermediates = true;
    EXPECT_EQ(scratchBytes(halves, images, 2), 2U * (32 * 40 * 4 + 32 * 4)) << "a scale for each column";
    halves.inverse = false;
    EXPECT_EQ(scratchBytes(halves, spectra, 2), 2U * (32 * 40 * 4 + 40 * 4)) << "a scale for each row";
    EXPECT_THROW(sourceBytes(options, {0, 1, 32, ~std::uint64_t{0} / 2}, 4), Error);

    gpu::CommandEncoder commands = device().encoder();
    EXPECT_THROW(made.execute(commands, odd, spectra, 1), Error) << "without scratch memory";
    EXPECT_THROW(made.execute(commands, images, {1U << 20, 1, 0xF0000000U, 0}, 1), Error) << "over 2^31 elements";
    EXPECT_THROW(plan2d(device(), {.width = 45, .height = 40, .real = true}), Error);
    EXPECT_THROW(plan2d(device(), {.width = 44, .height = 40}), Error);
}

} // namespace
} // namespace aureole::fft
