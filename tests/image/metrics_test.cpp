#include <cmath>

#include <gtest/gtest.h>

#include "error_of.h"
#include "image/metrics/metrics.h"

namespace aureole {
namespace {

using testing::errorOf;

constexpr std::uint32_t kMetricsWidth = 23;
constexpr std::uint32_t kMetricsHeight = 17;

Image referenceImage() {
    Image image = makeImage(kMetricsWidth, kMetricsHeight, {"R", "G", "B"});
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            const std::size_t x = i % kMetricsWidth;
            const std::size_t y = i / kMetricsWidth;
            image.channels[k].values[i] =
                static_cast<float>((x * x * (3 + k) + y * y * (5 + k) + x * y * 7 + 11 * k) % 64) / 64.0F;
        }
    }
    return image;
}

Image disturbedImage() {
    Image image = referenceImage();
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            const std::size_t x = i % kMetricsWidth;
            const std::size_t y = i / kMetricsWidth;
            const float noise = static_cast<float>((x * 13 + y * 29 + x * y * 3 + k * 5) % 32) / 256.0F;
            image.channels[k].values[i] = image.channels[k].values[i] * 0.75F + noise;
        }
    }
    return image;
}

double compared(Metric metric, const Image& a, const Image& b) {
    return compareImages(metric, {a, "a.exr"}, {b, "b.exr"});
}

// The expected values are those of numpy and scikit-image 0.26 (structural_similarity with Gaussian weights of sigma
// 1.5 and population covariance) on the same images.
TEST(Metrics, AgreeWithAnIndependentImplementation) {
    const Image a = disturbedImage();
    const Image b = referenceImage();
    EXPECT_NEAR(compared(Metric::Mse, a, b), 0.0101051818379, 1e-12);
    EXPECT_NEAR(compared(Metric::Rmse, a, b), 0.100524533513, 1e-11);
    EXPECT_NEAR(compared(Metric::RelMse, a, b), 0.0555711321202, 1e-12);
    EXPECT_NEAR(compared(Metric::Psnr, a, b), 19.9545586716, 1e-9);
    EXPECT_NEAR(compared(Metric::Ssim, a, b), 0.940995838842, 1e-11);
    EXPECT_NEAR(meanLuminance({a, "a.exr"}), 0.42419184383, 1e-11);
}

TEST(Metrics, FindNoDifferenceInEqualImages) {
    const Image a = referenceImage();
    EXPECT_EQ(compared(Metric::Mse, a, a), 0.0);
    EXPECT_EQ(compared(Metric::RelMse, a, a), 0.0);
    EXPECT_EQ(compared(Metric::Psnr, a, a), HUGE_VAL);
    EXPECT_NEAR(compared(Metric::Ssim, a, a), 1.0, 1e-14);
}

TEST(Metrics, RelativeErrorIsRelativeToTheReference) {
    Image a = makeImage(1, 1, {"Y"});
    Image b = makeImage(1, 1, {"Y"});
    a.channels[0].values = {3.0F};
    b.channels[0].values = {1.0F};
    EXPECT_NEAR(compared(Metric::RelMse, a, b), 4.0 / 1.01, 1e-12);
    EXPECT_NEAR(compared(Metric::RelMse, b, a), 4.0 / 9.01, 1e-12);
}

TEST(Metrics, DifferenceImageIsPerPixel) {
    Image a = makeImage(2, 1, {"R", "G", "B"});
    Image b = makeImage(2, 1, {"Y"});
    a.channels[0].values = {1.0F, 5.0F};
    b.channels[0].values = {3.0F, 4.0F};
    const Image difference = differenceImage({a, "a"}, {b, "b"});
    EXPECT_EQ(difference.find("R")->values, (std::vector<float>{2.0F, 1.0F}));
    EXPECT_EQ(difference.find("B")->values, (std::vector<float>{3.0F, 4.0F}));
}

TEST(Metrics, ErrorMapsAreRootsOverTheColours) {
    Image a = makeImage(2, 1, {"R", "G", "B"});
    Image b = makeImage(2, 1, {"R", "G", "B"});
    a.channels[0].values = {3.0F, 0.5F};
    a.channels[1].values = {4.0F, 0.0F};
    b.channels[1].values = {0.0F, 0.7F};
    const auto map = [&](Metric metric) { return errorMap(metric, {a, "a"}, {b, "b"}).find("Y")->values; };
    for (const Metric metric : {Metric::Mse, Metric::Rmse, Metric::Psnr}) {
        EXPECT_FLOAT_EQ(map(metric)[0], std::sqrt(25.0F / 3.0F));
        EXPECT_FLOAT_EQ(map(metric)[1], std::sqrt(0.74F / 3.0F));
    }
    EXPECT_FLOAT_EQ(map(Metric::RelMse)[0], std::sqrt(2500.0F / 3.0F));
    EXPECT_FLOAT_EQ(map(Metric::RelMse)[1], std::sqrt((25.0F + 0.98F) / 3.0F));
}

TEST(Metrics, ErrorMapOfSsimIsThatOfTheWindowAboutThePixel) {
    const Image a = disturbedImage();
    const Image b = referenceImage();
    const Image map = errorMap(Metric::Ssim, {a, "a.exr"}, {b, "b.exr"});
    const std::vector<float>& errors = map.find("Y")->values;
    // The mean over the pixels whose window lies within the image is the metric.
    double sum = 0.0;
    for (std::size_t y = 5; y < kMetricsHeight - 5; ++y) {
        for (std::size_t x = 5; x < kMetricsWidth - 5; ++x) {
            sum += errors[y * kMetricsWidth + x];
        }
    }
    EXPECT_NEAR(1.0 - sum / ((kMetricsHeight - 10) * (kMetricsWidth - 10)), compared(Metric::Ssim, a, b), 1e-7);
    EXPECT_EQ(errors[0], errors[5 * kMetricsWidth + 5]);
    EXPECT_EQ(errors[kMetricsHeight * kMetricsWidth - 1],
              errors[(kMetricsHeight - 6) * kMetricsWidth + kMetricsWidth - 6]);
    // A single window of the images' own gives the same as there.
    const auto part = [](const Image& whole) {
        Image result = makeImage(11, 11, {"R", "G", "B"});
        for (std::size_t i = 0; i < result.pixelCount(); ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                result.channels[k].values[i] = whole.channels[k].values[(i / 11 + 3) * kMetricsWidth + i % 11 + 7];
            }
        }
        return result;
    };
    EXPECT_NEAR(errors[8 * kMetricsWidth + 12], 1.0 - compared(Metric::Ssim, part(a), part(b)), 1e-6);
}

TEST(Metrics, NameWhatCannotBeCompared) {
    const Image a = referenceImage();
    Image broken = a;
    broken.find("G")->values[2 * kMetricsWidth + 5] = std::nanf("");
    broken.find("G")->values[3 * kMetricsWidth + 6] = HUGE_VALF;
    const auto nan = errorOf([&] { compared(Metric::Psnr, a, broken); });
    EXPECT_EQ(nan.code, ExitCode::BadInput);
    EXPECT_TRUE(nan.names("b.exr: found 2 values that are not finite, the first in channel G at (5, 2)"))
        << nan.message;
    EXPECT_TRUE(errorOf([&] { compared(Metric::Mse, broken, a); }).names("a.exr: found 2 values"));
    EXPECT_EQ(errorOf([&] { meanLuminance({broken, "x"}); }).code, ExitCode::BadInput);

    const Image small = makeImage(10, 17, {"Y"});
    EXPECT_TRUE(errorOf([&] { compared(Metric::Mse, small, a); }).names("found 10 x 17 pixels, expected 23 x 17"));
    EXPECT_TRUE(errorOf([&] { compared(Metric::Ssim, small, small); }).names("at least 11 a side"));
    EXPECT_EQ(errorOf([&] { compared(Metric::Mse, makeImage(1, 1, {"N.X", "N.Y"}), a); }).code, ExitCode::BadInput);
}

TEST(Metrics, FindNamesAndSuggest) {
    EXPECT_EQ(metricFromName("relmse"), Metric::RelMse);
    EXPECT_EQ(metricFromName("ssim"), Metric::Ssim);
    const auto caught = errorOf([] { metricFromName("sism"); });
    EXPECT_EQ(caught.code, ExitCode::Usage);
    EXPECT_TRUE(caught.names("did you mean 'ssim'")) << caught.message;
    EXPECT_TRUE(smallerIsBetter(Metric::RelMse));
    EXPECT_FALSE(smallerIsBetter(Metric::Psnr));
}

} // namespace
} // namespace aureole
