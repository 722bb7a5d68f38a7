// The error of fp16 between the axes of two-dimensional transforms.

#include <cmath>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "images.h"

namespace aureole::fft {
namespace {

/// What plan_2d.h states beside the option.
constexpr double kStatedError = 2.5e-4;

class FftHalfTest : public gpu::GpuTest {
protected:
    struct Errors {
        double forward = 0;
        double roundTrip = 0;
    };

    template <typename T>
    static Errors measure(Plan2dOptions options, const std::vector<T>& pixels) {
        options.halfIntermediates = true;
        const ImageLayout pixelLayout = contiguous(options.width, options.height);
        const ImageLayout spectrumLayout = contiguous(options.real ? options.width / 2 : options.width, options.height);
        const Plan2d there = plan2d(device(), options);
        const std::vector<Complex> spectrum =
            transformImages<Complex>(device(), there, pixels, spectrumLayout, pixelLayout);
        const std::vector<ComplexDouble> natural = spectraInDouble(inDouble(pixels), options);
        options.inverse = true;
        const float scale = 1.0F / (static_cast<float>(options.width) * static_cast<float>(options.height));
        const std::vector<T> restored =
            transformImages<T>(device(), plan2d(device(), options), spectrum, pixelLayout, spectrumLayout, scale);
        return {relativeL2(inDouble(spectrum), options.naturalOrder ? natural : inSlotOrder(natural, there)),
                relativeL2(inDouble(restored), inDouble(pixels))};
    }

    static void check(const Errors& errors, const std::string& name) {
        RecordProperty(name + "_forward", std::to_string(errors.forward));
        RecordProperty(name + "_round_trip", std::to_string(errors.roundTrip));
        EXPECT_LE(errors.forward, kStatedError) << name;
        EXPECT_LE(errors.roundTrip, 1.5 * kStatedError) << name << ", two independent errors";
        EXPECT_GE(errors.forward, 1e-5) << name << ": was it stored in fp16 at all?";
    }
};

TEST_F(FftHalfTest, NoiseKeepsTheStatedError) {
    struct Size {
        std::uint32_t width;
        std::uint32_t height;
    };
    std::vector<Size> sizes = {{96, 54}};
    if (fullSweep()) {
        sizes.insert(sizes.end(), {{64, 270}, {256, 256}, {1280, 720}, {2048, 48}, {40, 4096}});
    }
    bool naturalOrder = true;
    for (const Size& size : sizes) {
        const std::size_t pixels = std::size_t{size.width} * size.height;
        const Plan2dOptions options{.width = size.width, .height = size.height, .naturalOrder = naturalOrder};
        Plan2dOptions real = options;
        real.real = true;
        const std::string name = std::to_string(size.width) + "x" + std::to_string(size.height);
        check(measure(options, randomComplexes(2 * pixels, 5)), "complex_" + name);
        check(measure(real, randomReals(3 * pixels, 5)), "real_" + name);
        naturalOrder = !naturalOrder;
    }
}

TEST_F(FftHalfTest, OneBrightPixelAmongOnesKeepsTheStatedError) {
    constexpr std::uint32_t kWidth = 160;
    constexpr std::uint32_t kHeight = 90;
    std::vector<float> pixels(std::size_t{kWidth} * kHeight, 1.0F);
    pixels[37 * kWidth + 101] = 1e4F;
    check(measure({.width = kWidth, .height = kHeight, .real = true}, pixels), "bright");
    check(measure({.width = kWidth, .height = kHeight, .naturalOrder = false},
                  std::vector<Complex>(pixels.begin(), pixels.end())),
          "bright_complex");
}

TEST_F(FftHalfTest, LinesOfAnyMagnitudeHaveTheirOwnScale) {
    // Rows of 1e-20 beside rows of 1e20: fp16 with one scale for all would lose either.
    constexpr std::uint32_t kWidth = 48;
    constexpr std::uint32_t kHeight = 2;
    std::vector<float> pixels = randomReals(std::size_t{kWidth} * kHeight * 3, 2);
    const float magnitudes[] = {1e-20F, 1e20F, 0.0F};
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] *= magnitudes[i / kWidth / kHeight];
    }
    const Plan2d made = plan2d(device(), {.width = kWidth, .height = kHeight, .real = true, .halfIntermediates = true});
    const std::vector<Complex> spectra =
        transformImages<Complex>(device(), made, pixels, contiguous(kWidth / 2, kHeight), contiguous(kWidth, kHeight));
    const std::vector<ComplexDouble> expected = spectraInDouble(inDouble(pixels), made.options());
    const auto part = static_cast<std::ptrdiff_t>(kWidth / 2 * kHeight);
    for (std::ptrdiff_t image = 0; image < 2; ++image) {
        EXPECT_LE(relativeL2(inDouble(std::vector<Complex>(spectra.begin() + image * part,
                                                           spectra.begin() + (image + 1) * part)),
                             {expected.begin() + image * part, expected.begin() + (image + 1) * part}),
                  kStatedError);
    }
    for (std::ptrdiff_t i = 2 * part; i < 3 * part; ++i) {
        EXPECT_EQ(spectra[static_cast<std::size_t>(i)], Complex(0.0F)) << "black stays black";
    }
}

} // namespace
} // namespace aureole::fft
