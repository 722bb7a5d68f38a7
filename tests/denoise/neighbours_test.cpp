// Pictures with the help of others from before and after them.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/error.h"
#include "denoise/denoise.h"
#include "noisy_picture.h"

namespace aureole {
namespace {

constexpr std::uint32_t kWidth = 32;
constexpr std::uint32_t kHeight = 24;

/// What no feature tells of: each pixel its own, of a strip that the frames look at.
TruePixel pebble(std::uint32_t x, std::uint32_t y) {
    std::mt19937 random(x * 977 + y);
    TruePixel pixel;
    pixel.colour = glm::vec3(std::uniform_real_distribution<float>(0.1F, 2.0F)(random));
    return pixel;
}

/// A picture whose left edge is `left` pixels to the right, and `bright` times as bright.
NoisyPicture seenFrom(std::uint32_t left, std::uint32_t frame, float bright = 1.0F) {
    return noisyPicture(
        kWidth, kHeight, 0.2F,
        [&](std::uint32_t x, std::uint32_t y) {
            TruePixel pixel = pebble(x + left, y);
            pixel.colour *= bright;
            return pixel;
        },
        frame);
}

DenoiseNeighbour neighbourOf(const NoisyPicture& picture, std::int32_t left = 0, bool onMiddle = true) {
    DenoiseNeighbour neighbour{&picture.input, picture.input.depth, {}};
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(kWidth * kHeight); ++i) {
        const std::int32_t x = i % static_cast<std::int32_t>(kWidth) - left;
        const bool isSeen = x >= 0 && x < static_cast<std::int32_t>(kWidth);
        neighbour.source.push_back(isSeen ? DenoiseSource{i - left, onMiddle} : DenoiseSource{});
    }
    return neighbour;
}

double errorOf(const NoisyPicture& picture, const DenoiseNeighbours& neighbours) {
    return rootMeanSquare(denoiseBuiltin(picture.input, neighbours), picture.truth);
}

TEST(DenoiseNeighbours, TakeNoiseAwayWhereAPictureAloneCannot) {
    const NoisyPicture picture = seenFrom(0, 0);
    const NoisyPicture others[] = {seenFrom(0, 1), seenFrom(0, 2), seenFrom(0, 3), seenFrom(0, 4)};
    DenoiseNeighbours still;
    for (const NoisyPicture& other : others) {
        still.push_back(neighbourOf(other));
    }
    EXPECT_LT(errorOf(picture, still), 0.55 * errorOf(picture, {})); // 0.45 where all are averaged
}

/// Samples that fall on this or that side of edges in a pixel: the albedo has the colours' noise.
TEST(DenoiseNeighbours, TakeTheNoiseOfTheAlbedoAway) {
    std::vector<NoisyPicture> frames;
    for (std::uint32_t frame = 0; frame < 5; ++frame) {
        frames.push_back(noisyPicture(
            kWidth, kHeight, 0.02F,
            [](std::uint32_t x, std::uint32_t y) {
                TruePixel pixel = pebble(x, y);
                pixel.albedo = pixel.colour;
                return pixel;
            },
            frame));
        std::mt19937 random(frame);
        std::normal_distribution<float> noise(1.0F, 0.1F);
        DenoiseInput& input = frames.back().input;
        for (std::size_t i = 0; i < input.albedo.size(); i += 3) {
            const float covered = noise(random);
            for (std::size_t c = i; c < i + 3; ++c) {
                for (std::vector<float>* const plane : {&input.albedo, &input.colour, &input.half, &input.otherHalf}) {
                    (*plane)[c] *= covered;
                }
            }
        }
    }
    DenoiseNeighbours others;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        others.push_back(neighbourOf(frames[i]));
    }
    EXPECT_LT(errorOf(frames[0], others), 0.6 * errorOf(frames[0], {}));
    // Its own noisy mean, not that of its light times all frames' albedo.
    const double mean = meanOf(frames[0].input.colour);
    EXPECT_NEAR(meanOf(denoiseBuiltin(frames[0].input, others)), mean, 5e-4 * mean);
}

TEST(DenoiseNeighbours, AreFoundWhereTheyAreSaidToBe) {
    const NoisyPicture picture = seenFrom(5, 0);
    const NoisyPicture before = seenFrom(0, 1);
    const NoisyPicture after = seenFrom(10, 2);
    // Pixel x of the picture is x + 5 of the one before, x - 5 of the one after.
    EXPECT_LT(errorOf(picture, {neighbourOf(before, -5), neighbourOf(after, 5)}), 0.75 * errorOf(picture, {}));
}

/// A texture that the camera has moved past by half a pixel: where a point is between two pixels, its albedo is
/// neither's, but the light on it is known better.
TEST(DenoiseNeighbours, BetweenPixelsHelpTheLightAndLeaveTheTexture) {
    const auto seenBy = [](double left, std::uint32_t frame) {
        return noisyPicture(
            kWidth, kHeight, 0.4F,
            [&](std::uint32_t x, std::uint32_t y) {
                TruePixel pixel;
                pixel.albedo =
                    glm::vec3(0.5F + 0.4F * static_cast<float>(std::sin(2.0 * (x + left)) * std::cos(2.0 * y)));
                pixel.colour = pixel.albedo;
                return pixel;
            },
            frame);
    };
    const NoisyPicture picture = seenBy(0.0, 0);
    std::vector<NoisyPicture> others;
    for (std::uint32_t frame = 1; frame < 7; ++frame) {
        others.push_back(seenBy(0.5, frame));
    }
    const auto errorWith = [&](bool onMiddle) {
        DenoiseNeighbours neighbours;
        for (const NoisyPicture& other : others) {
            neighbours.push_back(neighbourOf(other, 0, onMiddle));
        }
        return errorOf(picture, neighbours);
    };
    EXPECT_LT(errorWith(false), 0.7 * errorOf(picture, {}));
    EXPECT_GT(errorWith(true), 2.0 * errorOf(picture, {})) << "this texture is blurred by a mean";
}

TEST(DenoiseNeighbours, ThatShowAnotherThingDoNoHarm) {
    const NoisyPicture picture = seenFrom(0, 0);
    const NoisyPicture brighter = seenFrom(0, 1, 3.0F);
    const NoisyPicture elsewhere = seenFrom(500, 1);
    const double alone = errorOf(picture, {});
    EXPECT_LT(errorOf(picture, {neighbourOf(brighter)}), 1.03 * alone);
    EXPECT_LT(errorOf(picture, {neighbourOf(elsewhere)}), 1.03 * alone);
    DenoiseNeighbour unseen = neighbourOf(brighter);
    unseen.source.assign(unseen.source.size(), {});
    EXPECT_EQ(denoiseBuiltin(picture.input, {unseen}), denoiseBuiltin(picture.input));
}

TEST(DenoiseNeighbours, OfAnotherSizeAreRefused) {
    const NoisyPicture picture = seenFrom(0, 0);
    const NoisyPicture small = noisyPicture(8, 8, 0.2F, pebble);
    EXPECT_THROW(denoiseBuiltin(picture.input, {{&small.input, {}, std::vector<DenoiseSource>(64)}}), Error);
    DenoiseNeighbour few = neighbourOf(picture);
    few.source.pop_back();
    EXPECT_THROW(denoiseBuiltin(picture.input, {few}), Error);
}

} // namespace
} // namespace aureole
