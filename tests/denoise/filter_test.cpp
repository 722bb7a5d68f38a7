// The denoiser on pictures whose truth is known.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <omp.h>

#include "core/error.h"
#include "denoise/denoise.h"
#include "noisy_picture.h"

namespace aureole {
namespace {

constexpr float kDeviation = 0.2F;

TruePixel grey(std::uint32_t /*x*/, std::uint32_t /*y*/) {
    return {};
}

/// A surface whose texture runs from dark to light and back again, under an even light.
TruePixel texturedRamp(std::uint32_t x, std::uint32_t y) {
    TruePixel pixel;
    const float phase = static_cast<float>((x + y) % 12) / 6.0F;
    pixel.albedo = glm::vec3(0.1F + 0.8F * std::abs(1.0F - phase));
    pixel.colour = pixel.albedo * glm::vec3(2.0F, 1.0F, 0.5F);
    return pixel;
}

/// What no feature tells of: each pixel its own.
TruePixel gravel(std::uint32_t x, std::uint32_t y) {
    std::mt19937 random(x * 977 + y);
    TruePixel pixel;
    pixel.colour = glm::vec3(std::uniform_real_distribution<float>(0.1F, 2.0F)(random));
    return pixel;
}

/// Each pixel by the mean of the 5 x 5 about it.
std::vector<float> boxFiltered(const DenoiseInput& input) {
    std::vector<float> result;
    for (std::uint32_t y = 0; y < input.height; ++y) {
        for (std::uint32_t x = 0; x < input.width; ++x) {
            for (std::uint32_t c = 0; c < 3; ++c) {
                float sum = 0.0F;
                float count = 0.0F;
                for (std::uint32_t v = y < 2 ? 0 : y - 2; v <= std::min(y + 2, input.height - 1); ++v) {
                    for (std::uint32_t u = x < 2 ? 0 : x - 2; u <= std::min(x + 2, input.width - 1); ++u) {
                        sum += input.colour[3 * (v * input.width + u) + c];
                        count += 1.0F;
                    }
                }
                result.push_back(sum / count);
            }
        }
    }
    return result;
}

bool allFinite(const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

TEST(Denoise, AveragesAnEvenPicture) {
    const NoisyPicture picture = noisyPicture(40, 30, kDeviation, grey);
    const std::vector<float> found = denoiseBuiltin(picture.input);
    // Windows of 19 x 19 pixels take 1 / 19 of the noise's deviation of 0.14; half of them lie beyond the edge.
    EXPECT_LT(rootMeanSquare(found, picture.truth), 0.14 / 7.0);
    EXPECT_NEAR(meanOf(found), 1.0, 4.0 * 0.14 / std::sqrt(40.0 * 30.0 * 3.0));
}

TEST(Denoise, FollowsATextureByItsAlbedo) {
    const NoisyPicture picture = noisyPicture(40, 30, kDeviation, texturedRamp);
    const double found = rootMeanSquare(denoiseBuiltin(picture.input), picture.truth);
    EXPECT_LT(found, 0.2 * rootMeanSquare(boxFiltered(picture.input), picture.truth));
    EXPECT_LT(found, 0.4 * rootMeanSquare(picture.input.colour, picture.truth));
}

TEST(Denoise, KeepsEdgesThatOnlyAFeatureKnows) {
    // The noise is as large as the step.
    for (const int feature : {0, 1, 2}) {
        const NoisyPicture picture = noisyPicture(40, 30, 0.5F, [&](std::uint32_t x, std::uint32_t /*y*/) {
            TruePixel pixel;
            if (x >= 20) {
                pixel.colour = glm::vec3(1.5F);
                pixel.albedo = feature == 0 ? glm::vec3(0.8F) : pixel.albedo;
                pixel.normal = feature == 1 ? glm::vec3(1.0F, 0.0F, 0.0F) : pixel.normal;
                pixel.depth = feature == 2 ? 2.0F : pixel.depth;
            }
            return pixel;
        });
        const std::vector<float> found = denoiseBuiltin(picture.input);
        double before = 0.0;
        double after = 0.0;
        for (std::uint32_t y = 0; y < 30; ++y) {
            before += static_cast<double>(found[3 * (y * 40 + 19)]) / 30.0;
            after += static_cast<double>(found[3 * (y * 40 + 20)]) / 30.0;
        }
        EXPECT_NEAR(before, 1.0, 0.1) << feature;
        EXPECT_NEAR(after, 1.5, 0.1) << feature;
    }
}

/// Three ways to face in disorder, of which the middle one alone is lit: no colour that is linear in the normal has it,
/// and noise as large as the light hides it from the patches.
TEST(Denoise, KeepsDetailThatIsNotLinearInAFeature) {
    const NoisyPicture picture = noisyPicture(40, 30, 1.0F, [](std::uint32_t x, std::uint32_t y) {
        std::mt19937 random(x * 977 + y);
        const int way = std::uniform_int_distribution<int>(-1, 1)(random);
        TruePixel pixel;
        pixel.normal = glm::vec3(0.9F * static_cast<float>(way), 0.0F, 1.0F);
        pixel.colour = glm::vec3(way == 0 ? 2.0F : 0.5F);
        return pixel;
    });
    EXPECT_LT(rootMeanSquare(denoiseBuiltin(picture.input), picture.truth),
              0.5 * rootMeanSquare(picture.input.colour, picture.truth));
}

/// A line is fitted to the place too, so that light which falls off across the picture is not levelled.
TEST(Denoise, FollowsLightThatFallsOff) {
    const NoisyPicture picture = noisyPicture(40, 30, kDeviation, [](std::uint32_t x, std::uint32_t y) {
        TruePixel pixel;
        pixel.colour = glm::vec3(0.2F + 0.05F * static_cast<float>(x + y));
        return pixel;
    });
    const double found = rootMeanSquare(denoiseBuiltin(picture.input), picture.truth);
    EXPECT_LT(found, 0.15 * rootMeanSquare(picture.input.colour, picture.truth));
}

TEST(Denoise, LeavesWhatHasNoNoise) {
    const NoisyPicture picture = noisyPicture(24, 20, 0.0F, gravel);
    const std::vector<float> found = denoiseBuiltin(picture.input);
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], picture.truth[i], 1e-5F * picture.truth[i]) << i;
    }
}

TEST(Denoise, DoesNoHarmWhereNothingHelps) {
    const NoisyPicture picture = noisyPicture(40, 30, kDeviation, gravel);
    EXPECT_LT(rootMeanSquare(denoiseBuiltin(picture.input), picture.truth),
              1.03 * rootMeanSquare(picture.input.colour, picture.truth));
}

TEST(Denoise, ConvergesWithTheNoise) {
    const NoisyPicture noisy = noisyPicture(40, 30, kDeviation, gravel);
    const NoisyPicture clean = noisyPicture(40, 30, kDeviation / 8.0F, gravel);
    EXPECT_LT(rootMeanSquare(denoiseBuiltin(clean.input), clean.truth),
              0.14 * rootMeanSquare(denoiseBuiltin(noisy.input), noisy.truth));
}

TEST(Denoise, KeepsTheMeanOfSkewedNoise) {
    NoisyPicture picture = noisyPicture(60, 40, 0.0F, texturedRamp);
    std::mt19937 random(5);
    std::gamma_distribution<float> light(1.0F, 1.0F); // of mean 1 and deviation 1: mostly dark, at times bright
    for (std::size_t i = 0; i < picture.truth.size(); i += 3) {
        const float half = light(random);
        const float otherHalf = light(random);
        for (std::size_t c = i; c < i + 3; ++c) {
            picture.input.half[c] *= half;
            picture.input.otherHalf[c] *= otherHalf;
            picture.input.colour[c] *= 0.5F * (half + otherHalf);
        }
    }
    const double noisy = meanOf(picture.input.colour);
    EXPECT_NEAR(meanOf(denoiseBuiltin(picture.input)), noisy, 0.01 * noisy);
}

/// Adds light to a half of some pixels, as one sample in thousands would that meets a lamp.
void addRareBrightSamples(DenoiseInput& input) {
    for (std::size_t pixel = 50; pixel < 1200; pixel += 131) {
        std::vector<float>& half = pixel % 2 == 0 ? input.half : input.otherHalf;
        for (std::size_t c = 3 * pixel; c < 3 * pixel + 3; ++c) {
            half[c] += 50.0F;
            input.colour[c] += 25.0F;
        }
    }
}

TEST(Denoise, LeavesNoRareBrightSample) {
    NoisyPicture picture = noisyPicture(40, 30, kDeviation, texturedRamp);
    addRareBrightSamples(picture.input);
    const std::vector<float> found = denoiseBuiltin(picture.input);
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_LT(found[i], picture.truth[i] + 0.5F) << i;
    }
}

/// Where each pixel is its own, the filter finds itself biased and leaves a share of the noisy picture.
TEST(Denoise, LeavesNoRareBrightSampleByItsShareOfNoise) {
    NoisyPicture picture = noisyPicture(40, 30, 0.5F, gravel);
    addRareBrightSamples(picture.input);
    const std::vector<float> found = denoiseBuiltin(picture.input);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (picture.input.colour[i] > 20.0F) {
            EXPECT_LT(found[i], picture.truth[i] + 2.0F) << i;
        }
    }
}

TEST(Denoise, TakesDepthsWhoseQuotientIsNoFloat) {
    NoisyPicture picture = noisyPicture(8, 8, kDeviation, grey);
    for (std::size_t i = 0; i < picture.input.depth.size(); ++i) {
        picture.input.depth[i] = i % 2 == 0 ? 1e-30F : 1e14F;
    }
    EXPECT_TRUE(allFinite(denoiseBuiltin(picture.input)));
}

TEST(Denoise, TakesPicturesOfAnyKind) {
    for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 40U}, {40U, 1U}, {17U, 3U}}) {
        NoisyPicture picture = noisyPicture(width, height, kDeviation, texturedRamp);
        const std::vector<float> found = denoiseBuiltin(picture.input);
        ASSERT_EQ(found.size(), picture.truth.size());
        EXPECT_LT(rootMeanSquare(found, picture.truth),
                  1.5 * rootMeanSquare(picture.input.colour, picture.truth) + 1e-6);
    }
    EXPECT_TRUE(denoiseBuiltin(DenoiseInput{}).empty());
    NoisyPicture black = noisyPicture(8, 8, 0.0F, [](std::uint32_t, std::uint32_t) {
        TruePixel pixel;
        pixel.colour = glm::vec3(0.0F);
        return pixel;
    });
    black.input.albedo.clear();
    black.input.normal.clear();
    black.input.depth.clear();
    EXPECT_EQ(denoiseBuiltin(black.input), black.truth);
}

TEST(Denoise, GivesTheSameBytesOnAnyNumberOfThreads) {
    const NoisyPicture picture = noisyPicture(40, 30, kDeviation, texturedRamp);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const std::vector<float> one = denoiseBuiltin(picture.input);
    omp_set_num_threads(3);
    const std::vector<float> three = denoiseBuiltin(picture.input);
    omp_set_num_threads(threads);
    EXPECT_EQ(one, three);
}

TEST(Denoise, RefusesPlanesOfAnotherSize) {
    DenoiseInput input = noisyPicture(4, 4, kDeviation, grey).input;
    input.normal.pop_back();
    EXPECT_THROW(denoiseBuiltin(input), Error);
}

} // namespace
} // namespace aureole
