#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "error_of.h"
#include "image/metrics/flip.h"

namespace aureole {
namespace {

using testing::errorOf;

using Value = std::function<double(std::size_t k, std::size_t x, std::size_t y)>;

Image imageOf(std::uint32_t width, std::uint32_t height, const Value& value) {
    Image image = makeImage(width, height, {"R", "G", "B"});
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            image.channels[k].values[i] = static_cast<float>(value(k, i % width, i / width));
        }
    }
    return image;
}

constexpr std::uint32_t kWidth = 41;
constexpr std::uint32_t kHeight = 37;

Image rough(std::uint32_t width = kWidth, std::uint32_t height = kHeight) {
    return imageOf(width, height, [](std::size_t k, std::size_t x, std::size_t y) {
        return static_cast<double>((x * x * (3 + k) + y * y * (5 + k) + x * y * 7 + 11 * k) % 64) / 64.0;
    });
}

/// `rough`, darker and with noise.
Image noisy(std::uint32_t width = kWidth, std::uint32_t height = kHeight) {
    const Image base = rough(width, height);
    return imageOf(width, height, [&](std::size_t k, std::size_t x, std::size_t y) {
        return base.channels[k].values[y * width + x] * 0.75 +
               static_cast<double>((x * 13 + y * 29 + x * y * 3 + k * 5) % 32) / 256.0;
    });
}

/// Ramps, with an edge where each begins again.
Image ramps() {
    return imageOf(kWidth, kHeight, [](std::size_t k, std::size_t x, std::size_t y) {
        return static_cast<double>((x + y * (k + 1)) % 48) / 64.0;
    });
}

/// Two pixels to the left.
Image shifted(const Image& image) {
    return imageOf(image.width, image.height, [&](std::size_t k, std::size_t x, std::size_t y) {
        return image.channels[k].values[y * image.width + std::min<std::size_t>(x + 2, image.width - 1)];
    });
}

Image tinted(const Image& image) {
    return imageOf(image.width, image.height, [&](std::size_t k, std::size_t x, std::size_t y) {
        return image.channels[k].values[y * image.width + x] * (1.0 - 0.25 * static_cast<double>(k));
    });
}

/// Of 12 stops.
Image bright(std::uint32_t width = kWidth, std::uint32_t height = kHeight) {
    return imageOf(width, height, [](std::size_t k, std::size_t x, std::size_t y) {
        const double power = std::exp2(static_cast<double>((x * x + 3 * y * y + x * y + k) % 13) - 6.0);
        return power * (1.0 + static_cast<double>((x * 5 + y * 3 + k * 7) % 8) / 8.0);
    });
}

/// `bright`, darker and with noise that is strong in the dark.
Image brightNoisy(std::uint32_t width = kWidth, std::uint32_t height = kHeight) {
    const Image base = bright(width, height);
    return imageOf(width, height, [&](std::size_t k, std::size_t x, std::size_t y) {
        return base.channels[k].values[y * width + x] * 0.875 +
               static_cast<double>((x * 13 + y * 29 + x * y * 3) % 32) / 64.0;
    });
}

Image flat(double value, std::uint32_t width = 4, std::uint32_t height = 5) {
    return imageOf(width, height, [=](std::size_t, std::size_t, std::size_t) { return value; });
}

void setPixel(Image& image, std::size_t x, std::size_t y, float value) {
    for (Channel& channel : image.channels) {
        channel.values[y * image.width + x] = value;
    }
}

FlipResult ldr(const Image& a, const Image& b, double pixelsPerDegree = kFlipPixelsPerDegree) {
    return ldrFlip({a, "a.png"}, {b, "b.png"}, pixelsPerDegree);
}

FlipResult hdr(const Image& a, const Image& b, double pixelsPerDegree = kFlipPixelsPerDegree) {
    return hdrFlip({a, "a.exr"}, {b, "b.exr"}, pixelsPerDegree);
}

/// What the other implementation found: over all pixels, and of those in the corner above on the left, in the middle
/// (x of width / 2, y of height / 2), in the corner below on the right, and at (width / 3, height / 4).
struct Expected {
    double mean, weightedMedian, maximum;
    std::array<double, 4> pixels;
};

/// In even areas that implementation, all in floats, finds features of rounding: its weights for points sum to 0 only
/// nearly. They change errors by as much as 1e-4.
constexpr double kEvenTolerance = 1e-4;

void expectResult(const FlipResult& found, const Expected& expected, double tolerance = 1e-5) {
    EXPECT_NEAR(found.mean, expected.mean, tolerance);
    EXPECT_NEAR(found.weightedMedian, expected.weightedMedian, tolerance);
    EXPECT_NEAR(found.maximum, expected.maximum, tolerance);
    const std::size_t width = found.map.width;
    const std::size_t height = found.map.height;
    const std::vector<float>& errors = found.map.find("Y")->values;
    EXPECT_NEAR(errors[0], expected.pixels[0], tolerance);
    EXPECT_NEAR(errors[height / 2 * width + width / 2], expected.pixels[1], tolerance);
    EXPECT_NEAR(errors[height * width - 1], expected.pixels[2], tolerance);
    EXPECT_NEAR(errors[height / 4 * width + width / 3], expected.pixels[3], tolerance);
}

void expectExposures(const FlipResult& found, double first, double last, std::uint32_t count) {
    ASSERT_TRUE(found.exposures.has_value());
    EXPECT_NEAR(found.exposures->first, first, 2e-6);
    EXPECT_NEAR(found.exposures->last, last, 2e-6);
    EXPECT_EQ(found.exposures->count, count);
}

// The expected values are those of NVIDIA's flip-evaluator 1.7 (PyPI) for the same images, given in linear light.

TEST(LdrFlip, AgreesWithAnIndependentImplementationOnNoise) {
    expectResult(ldr(noisy(), rough()), {0.224987, 0.226076, 0.375895, {0.210345, 0.199654, 0.256106, 0.196419}});
    expectResult(ldr(noisy(), rough(), 20.0), {0.358692, 0.384981, 0.630455, {0.205792, 0.458656, 0.290558, 0.286652}});
    expectResult(ldr(noisy(), rough(), 150.0),
                 {0.197322, 0.198911, 0.253365, {0.168660, 0.178209, 0.203502, 0.177702}});
}

TEST(LdrFlip, AgreesWithAnIndependentImplementationOnShiftsAndColours) {
    expectResult(ldr(shifted(rough()), rough()),
                 {0.324357, 0.361077, 0.852643, {0.647876, 0.276405, 0.390266, 0.196983}});
    expectResult(ldr(shifted(ramps()), ramps()),
                 {0.282772, 0.283276, 0.889731, {0.339327, 0.234006, 0.153887, 0.223559}}, kEvenTolerance);
    expectResult(ldr(tinted(ramps()), ramps()),
                 {0.478503, 0.487246, 0.557244, {0.222532, 0.476887, 0.362544, 0.505981}});
}

TEST(LdrFlip, AgreesWithAnIndependentImplementationOnImagesSmallerThanItsFilters) {
    Image lighter = noisy(1, 1);
    for (Channel& channel : lighter.channels) {
        channel.values[0] += 0.25F;
    }
    expectResult(ldr(lighter, rough(1, 1)), {0.556737, 0.556737, 0.556737, {0.556737, 0.556737, 0.556737, 0.556737}},
                 kEvenTolerance);
    expectResult(ldr(noisy(3, 2), rough(3, 2)),
                 {0.327173, 0.336524, 0.395191, {0.276932, 0.353820, 0.395191, 0.284457}});
    expectResult(ldr(noisy(50, 1), rough(50, 1)),
                 {0.231493, 0.261556, 0.331255, {0.157008, 0.131660, 0.316765, 0.261556}});
}

// Green and blue are as different as it gets, which the scale is made by.
TEST(LdrFlip, ReachesOneBetweenGreenAndBlue) {
    const Image green = imageOf(7, 3, [](std::size_t k, std::size_t, std::size_t) { return k == 1 ? 1.0 : 0.0; });
    const Image blue = imageOf(7, 3, [](std::size_t k, std::size_t, std::size_t) { return k == 2 ? 1.0 : 0.0; });
    const FlipResult found = ldr(green, blue);
    EXPECT_NEAR(found.mean, 1.0, 1e-6);
    EXPECT_LE(found.maximum, 1.0);
    EXPECT_NEAR(ldr(blue, green).mean, 1.0, 1e-6);
}

// Without features the error is that of the colours alone: |L* - L*| of greys, by hand.
TEST(LdrFlip, OfGreysIsThatOfTheirLightness) {
    const auto lightness = [](double y) { return 116.0 * std::cbrt(y) - 16.0; };
    const auto lab = [&](double x, double y, double z) { // of X, Y and Z over those of white, after Hunt
        const double scale = 0.01 * lightness(y);
        return std::array<double, 3>{lightness(y), scale * 500.0 * (std::cbrt(x) - std::cbrt(y)),
                                     scale * 200.0 * (std::cbrt(y) - std::cbrt(z))};
    };
    // Rec. 709 under D65: green and blue, X, Y and Z over white's to six digits.
    const auto green = lab(0.376242, 0.715183, 0.109466);
    const auto blue = lab(0.189862, 0.072180, 0.872782);
    const double largest = std::pow(green[0] - blue[0] + std::hypot(green[1] - blue[1], green[2] - blue[2]), 0.7);
    const double expected = std::pow(lightness(0.5) - lightness(0.25), 0.7) * 0.95 / (0.4 * largest);
    EXPECT_NEAR(ldr(flat(0.5), flat(0.25)).mean, expected, 1e-6);
    EXPECT_EQ(ldr(flat(0.5), flat(0.25)).maximum, ldr(flat(0.25), flat(0.5)).maximum);
}

TEST(LdrFlip, FindsNothingInEqualImagesAndClipsOthers) {
    EXPECT_EQ(ldr(rough(), rough()).maximum, 0.0);
    EXPECT_EQ(ldr(flat(0.0), flat(0.0)).maximum, 0.0);
    EXPECT_EQ(ldr(flat(0.0), flat(0.0)).weightedMedian, 0.0);
    EXPECT_EQ(ldr(flat(1.0), flat(9.0)).maximum, 0.0);
    EXPECT_EQ(ldr(flat(0.0), flat(-9.0)).maximum, 0.0);
}

TEST(HdrFlip, AgreesWithAnIndependentImplementation) {
    const FlipResult found = hdr(brightNoisy(), bright());
    expectResult(found, {0.186775, 0.193338, 0.558562, {0.391244, 0.146000, 0.455637, 0.168416}});
    expectExposures(found, -5.453692, -0.669933, 5);
    expectResult(hdr(brightNoisy(), bright(), 20.0),
                 {0.303735, 0.435937, 0.901160, {0.200460, 0.254705, 0.699345, 0.178935}});
    const FlipResult small = hdr(brightNoisy(3, 2), bright(3, 2));
    expectResult(small, {0.398875, 0.397382, 0.453381, {0.453381, 0.382008, 0.328150, 0.397382}});
    expectExposures(small, -3.446861, 1.969764, 6);
}

TEST(HdrFlip, AgreesWithAnIndependentImplementationOnVeryBrightAndBlackPixels) {
    Image broken = bright();
    setPixel(broken, 7, 5, 1e5F);
    setPixel(broken, 30, 20, 0.0F);
    setPixel(broken, 30, 21, 0.0F);
    const FlipResult inImage = hdr(broken, bright());
    expectResult(inImage, {0.009150, 0.139026, 0.422097, {0.001253, 0.000460, 0.000000, 0.002834}});
    expectExposures(inImage, -5.453692, -0.669933, 5);
    const FlipResult inReference = hdr(bright(), broken);
    expectResult(inReference, {0.015089, 0.387208, 0.859505, {0.001255, 0.000460, 0.000000, 0.002834}});
    expectExposures(inReference, -15.526343, -0.669933, 15);

    Image part = bright();
    for (Channel& channel : part.channels) {
        std::fill_n(channel.values.begin(), 12 * kWidth, 0.0F);
    }
    const FlipResult black = hdr(brightNoisy(), part);
    expectResult(black, {0.574013, 0.971140, 0.986664, {0.986403, 0.301108, 0.816649, 0.984226}});
    expectExposures(black, -5.453692, 1.969764, 8);
}

TEST(HdrFlip, OfImagesOfOneValueHasOneExposureTwice) {
    const FlipResult found = hdr(flat(2.0, 4, 4), flat(1.0, 4, 4));
    expectResult(found, {0.144833, 0.144833, 0.144833, {0.144833, 0.144833, 0.144833, 0.144833}}, kEvenTolerance);
    expectExposures(found, 1.083297, 1.083297, 2);
}

// Where the paper has no exposures: a median of 0, and no light at all. 1.083297 shows 1 at 85 % of white.
TEST(HdrFlip, HasExposuresForReferencesThatAreMostlyBlack) {
    Image reference = flat(0.0, 8, 4);
    setPixel(reference, 1, 1, 0.25F);
    setPixel(reference, 2, 1, 1.0F);
    setPixel(reference, 3, 1, 8.0F);
    expectExposures(hdr(reference, reference), 1.083297 - 3.0, 1.083297, 3);
    expectExposures(hdr(reference, flat(0.0, 8, 4)), 1.083297 - 3.0, 1.083297, 3);
    EXPECT_GT(hdr(reference, flat(0.0, 8, 4)).maximum, 0.5);
    const FlipResult black = hdr(flat(0.0), flat(0.0));
    EXPECT_EQ(black.maximum, 0.0);
    expectExposures(black, 0.0, 0.0, 2);
}

TEST(HdrFlip, TakesValuesOfAnySize) {
    const Image reference = bright();
    Image image = reference;
    setPixel(image, 7, 5, 3e38F);
    setPixel(image, 20, 20, -3e38F);
    for (const FlipResult& found : {hdr(image, reference), hdr(reference, image)}) {
        const std::vector<float>& errors = found.map.find("Y")->values;
        EXPECT_TRUE(std::all_of(errors.begin(), errors.end(), [](float e) { return e >= 0.0F && e <= 1.0F; }));
        EXPECT_GT(found.maximum, 0.2);
    }
    Image darkest = flat(1e-45, 4, 4);
    setPixel(darkest, 0, 0, 3e38F);
    const FlipResult widest = hdr(flat(1.0, 4, 4), darkest);
    EXPECT_GT(widest.mean, 0.5);
    EXPECT_LE(widest.maximum, 1.0);
    // Below 0 there is no light.
    Image negative = reference, zero = reference;
    setPixel(negative, 9, 9, -5.0F);
    setPixel(zero, 9, 9, 0.0F);
    EXPECT_EQ(hdr(negative, reference).mean, hdr(zero, reference).mean);
}

// A fault in the light shows at low exposures, where the rest is black; one in the dark at high ones.
TEST(HdrFlip, TellsTheExposureAtWhichAnErrorIsSeen) {
    const auto scene = [](std::size_t, std::size_t x, std::size_t) { return x < 32 ? 1024.0 : 1.0 / 16.0; };
    const Image reference = imageOf(80, 24, scene);
    const Image image = imageOf(80, 24, [&](std::size_t k, std::size_t x, std::size_t y) {
        return scene(k, x, y) * (x < 16 || x >= 64 ? 1.5 : 1.0);
    });
    const FlipResult found = hdr(image, reference);
    const std::vector<float>& stops = found.map.find("exposure")->values;
    const double step = (found.exposures->last - found.exposures->first) / (found.exposures->count - 1);
    EXPECT_EQ(found.exposures->count, 14U);
    // Those of flip-evaluator, run at each exposure alone.
    EXPECT_NEAR(stops[12 * 80 + 4], -8.916703, 1e-5);
    EXPECT_NEAR(stops[12 * 80 + 76], 1.852528, 1e-5);
    const FlipResult other = hdr(brightNoisy(), bright());
    EXPECT_NEAR(other.map.find("exposure")->values[18 * kWidth + 20], -0.669933, 1e-5);
    EXPECT_NEAR(other.map.find("exposure")->values[12 * kWidth + 33], -5.453692, 1e-5);
    // One of the exposures in each pixel.
    for (const float stop : stops) {
        const double index = (stop - found.exposures->first) / step;
        ASSERT_NEAR(index, std::round(index), 1e-5);
    }
    EXPECT_EQ(hdr(reference, reference).map.find("exposure")->values[0], static_cast<float>(found.exposures->first));
}

TEST(Flip, SaysWhatItDoesNotTake) {
    const auto found = errorOf([] { ldr(rough(), rough(), 0.5); });
    EXPECT_EQ(found.code, ExitCode::Usage);
    EXPECT_TRUE(found.names("found 0.5 pixels per degree, expected 1 to 1000")) << found.message;
    EXPECT_EQ(errorOf([] { hdr(rough(), rough(), 1001.0); }).code, ExitCode::Usage);
    EXPECT_EQ(errorOf([] { hdr(rough(), rough(), std::nan("")); }).code, ExitCode::Usage);
    EXPECT_TRUE(errorOf([] { hdr(rough(), rough(3, 2)); }).names("expected 3 x 2 as in b.exr"));
    Image nan = rough();
    setPixel(nan, 1, 2, std::nanf(""));
    EXPECT_TRUE(errorOf([&] { ldr(nan, rough()); }).names("a.png: found 3 values that are not finite"));
}

// At 1 pixel per degree every filter is narrower than a pixel, at 1000 all reach far beyond the image.
TEST(Flip, TakesAllPixelsPerDegree) {
    EXPECT_NEAR(kFlipPixelsPerDegree, 67.0206, 1e-4);
    const double single = ldr(noisy(), rough(), 1.0).mean;
    EXPECT_NEAR(single, ldr(noisy(), rough(), 2.0).mean, 1e-6);
    const double wide = ldr(noisy(), rough(), 1000.0).mean;
    EXPECT_GT(wide, 0.0);
    EXPECT_LT(wide, single);
}

} // namespace
} // namespace aureole
