// The denoiser on pictures whose truth is known.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <omp.h>

#include "core/error.h"
#include "denoise/denoise.h"
#include "noisy_picture.h"
#include "shared/denoise/regression.h"
#include "shared/denoise/selection.h"
#include "shared/denoise/similarity.h"

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

/// A number from 0 to 1 that each pixel has for itself.
float disorder(std::uint32_t x, std::uint32_t y) {
    std::mt19937 random(x * 977 + y);
    return std::uniform_real_distribution<float>(0.0F, 1.0F)(random);
}

/// What no feature tells of.
TruePixel gravel(std::uint32_t x, std::uint32_t y) {
    TruePixel pixel;
    pixel.colour = glm::vec3(0.1F + 1.9F * disorder(x, y));
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

/// Depths that differ by a hundredth tell of light, as on steps, in any unit; and the sky is as far as what is
/// farthest.
TEST(Denoise, FollowsDepth) {
    const NoisyPicture steps = noisyPicture(40, 30, 0.5F, [](std::uint32_t x, std::uint32_t y) {
        TruePixel pixel;
        pixel.depth = 1e-3F * (1.0F + 0.01F * disorder(x, y));
        pixel.colour = glm::vec3(0.3F + 1.4F * disorder(x, y));
        return pixel;
    });
    EXPECT_LT(rootMeanSquare(denoiseBuiltin(steps.input), steps.truth),
              0.4 * rootMeanSquare(steps.input.colour, steps.truth));
    const NoisyPicture leaves = noisyPicture(40, 30, 0.5F, [](std::uint32_t x, std::uint32_t y) {
        const bool isSky = disorder(x + 100, y) < 0.3F;
        TruePixel pixel;
        pixel.depth = isSky ? 0.0F : 1000.0F * (1.0F + disorder(x, y));
        pixel.colour = glm::vec3(1.0F + std::log(isSky ? 2.0F : 1.0F + disorder(x, y)));
        return pixel;
    });
    EXPECT_LT(rootMeanSquare(denoiseBuiltin(leaves.input), leaves.truth),
              0.2 * rootMeanSquare(leaves.input.colour, leaves.truth));
}

/// Where light ends, lines go on.
TEST(Denoise, IsNeverBelowZero) {
    const NoisyPicture picture = noisyPicture(40, 30, 0.3F, [](std::uint32_t x, std::uint32_t y) {
        TruePixel pixel;
        pixel.normal = glm::vec3(2.0F * disorder(x, y), 0.0F, 1.0F);
        pixel.colour = glm::vec3(std::max(0.001F, 1.0F - 2.0F * disorder(x, y)));
        return pixel;
    });
    const std::vector<float> found = denoiseBuiltin(picture.input);
    EXPECT_GT(*std::min_element(found.begin(), found.end()), 0.0F);
}

/// Weights that know the noise of what they weigh would find it everywhere.
TEST(Denoise, FitsAHalfByTheWeightsOfTheOther) {
    constexpr int kSide = 2 * DENOISE_WINDOW + 1;
    constexpr std::size_t kPixels = kSide * kSide;
    std::vector<glm::vec3> halves(2 * kPixels, glm::vec3(1.0F));
    halves[kPixels / 2] = halves[kPixels + kPixels / 2] = glm::vec3(5.0F);
    const std::vector<shared::DenoiseFeatures> features(kPixels);
    shared::DenoisePicture picture{};
    picture.halves = reinterpret_cast<std::uint64_t>(halves.data());
    picture.features = reinterpret_cast<std::uint64_t>(features.data());
    picture.width = picture.height = kSide;
    const shared::DenoiseBlock middle{DENOISE_WINDOW, DENOISE_WINDOW, 1, 1};
    for (const int side : {0, 1}) {
        // By the other half, the middle is like nothing else; by its own, like all.
        std::vector<glm::vec4> weights(kPixels, side == 0 ? glm::vec4(1, 0, 1, 0) : glm::vec4(0, 1, 0, 1));
        weights[kPixels / 2] = glm::vec4(1.0F);
        for (int which = 0; which < DENOISE_FILTERS; ++which) {
            EXPECT_NEAR(shared::denoiseFitPixel(picture, middle, reinterpret_cast<std::uint64_t>(weights.data()),
                                                glm::ivec2(DENOISE_WINDOW), side, which)
                            .y,
                        5.0F, 1e-4)
                << which;
        }
    }
}

/// By as much as their noise alone makes them differ, colours are alike.
TEST(Denoise, ColoursThatDifferByTheirNoiseAreAlike) {
    const float difference = shared::denoiseDifference(glm::vec3(2.0F), glm::vec3(2.0F + std::sqrt(1.25F)),
                                                       glm::vec3(1.0F), glm::vec3(0.25F));
    EXPECT_NEAR(difference, 0.0, 1e-6);
}

/// A rare bright sample must not settle which filter all pixels around it are of.
TEST(Denoise, NoPixelSaysMoreThanADozen) {
    const glm::vec2 evidence =
        shared::denoiseEvidence(glm::vec3(1.0F), glm::vec3(50.0F), glm::vec3(1.0F), glm::vec3(0.01F));
    EXPECT_LE(evidence.y, 12.0F);
    EXPECT_NEAR(evidence.x, evidence.y, 1e-3) << "all for the first, which has the other half's value";
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
    // Such as all filters level alike: what they are biased by brings a share of the noisy picture back.
    const NoisyPicture faint = noisyPicture(40, 30, 0.1F, [](std::uint32_t x, std::uint32_t y) {
        TruePixel pixel;
        pixel.colour = glm::vec3(0.85F + 0.3F * disorder(x, y));
        return pixel;
    });
    EXPECT_LT(rootMeanSquare(denoiseBuiltin(faint.input), faint.truth),
              0.99 * rootMeanSquare(faint.input.colour, faint.truth));
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

/// The mean that is given back goes to where noise took it, little of it to what is dark.
TEST(Denoise, GivesLightBackByItsNoise) {
    NoisyPicture picture = noisyPicture(40, 30, kDeviation, [](std::uint32_t x, std::uint32_t /*y*/) {
        TruePixel pixel;
        pixel.albedo = glm::vec3(x < 20 ? 0.0F : 0.95F);
        pixel.colour = glm::vec3(x < 20 ? 0.05F : 1.0F);
        return pixel;
    });
    addRareBrightSamples(picture.input);
    const std::vector<float> found = denoiseBuiltin(picture.input);
    double dark = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        dark += i / 3 % 40 < 20 ? found[i] : 0.0;
    }
    EXPECT_LT(dark, 1.05 * 0.05 * 3 * 20 * 30);
}

TEST(Denoise, TakesDepthsWhoseQuotientIsNoFloat) {
    NoisyPicture picture = noisyPicture(8, 8, kDeviation, grey);
    for (std::size_t i = 0; i < picture.input.depth.size(); ++i) {
        picture.input.depth[i] = i % 2 == 0 ? 1e-30F : 1e14F;
    }
    EXPECT_TRUE(allFinite(denoiseBuiltin(picture.input)));
}

/// A lamp's reflection, or what a camera of real exposures sees of the sun, beside nothing at all.
TEST(Denoise, TakesAnyLightBesideBlack) {
    for (const float light : {1e5F, 1e9F, 9e14F}) {
        const NoisyPicture picture = noisyPicture(24, 16, kDeviation, [&](std::uint32_t x, std::uint32_t /*y*/) {
            TruePixel pixel;
            pixel.colour = glm::vec3(x < 12 ? light : 0.0F);
            return pixel;
        });
        const std::vector<float> found = denoiseBuiltin(picture.input);
        ASSERT_TRUE(allFinite(found)) << light;
        EXPECT_NEAR(meanOf(found), meanOf(picture.input.colour), 0.01 * meanOf(picture.input.colour)) << light;
    }
}

TEST(Denoise, TakesLayersThatAreNone) {
    NoisyPicture picture = noisyPicture(12, 12, kDeviation, grey);
    for (std::size_t i = 0; i < picture.input.albedo.size(); ++i) {
        picture.input.albedo[i] = i % 2 == 0 ? 9e14F : -9e14F;
        picture.input.normal[i] = i % 5 == 0 ? -9e14F : 9e14F;
    }
    picture.input.albedo[0] = -0.05F; // a little is added
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
    NoisyPicture single = noisyPicture(1, 1, 0.0F, grey);
    single.input.half.assign(3, 2.0F);
    single.input.otherHalf.assign(3, 0.0F);
    EXPECT_NEAR(denoiseBuiltin(single.input).at(0), 1.0, 1e-5) << "nothing about it tells that its light is rare";
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
