// Pictures with the help of others from before and after them.

#include <cmath>
#include <numeric>
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

DenoiseNeighbour neighbourOf(const NoisyPicture& picture, std::int32_t left = 0) {
    DenoiseNeighbour neighbour{&picture.input, picture.input.depth, {}};
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(kWidth * kHeight); ++i) {
        const std::int32_t x = i % static_cast<std::int32_t>(kWidth) - left;
        neighbour.source.push_back(x < 0 || x >= static_cast<std::int32_t>(kWidth) ? -1 : i - left);
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
}

TEST(DenoiseNeighbours, AreFoundWhereTheyAreSaidToBe) {
    const NoisyPicture picture = seenFrom(5, 0);
    const NoisyPicture before = seenFrom(0, 1);
    const NoisyPicture after = seenFrom(10, 2);
    // Pixel x of the picture is x + 5 of the one before, x - 5 of the one after.
    EXPECT_LT(errorOf(picture, {neighbourOf(before, -5), neighbourOf(after, 5)}), 0.75 * errorOf(picture, {}));
}

TEST(DenoiseNeighbours, ThatShowAnotherThingDoNoHarm) {
    const NoisyPicture picture = seenFrom(0, 0);
    const NoisyPicture brighter = seenFrom(0, 1, 3.0F);
    const NoisyPicture elsewhere = seenFrom(500, 1);
    const double alone = errorOf(picture, {});
    EXPECT_LT(errorOf(picture, {neighbourOf(brighter)}), 1.03 * alone);
    EXPECT_LT(errorOf(picture, {neighbourOf(elsewhere)}), 1.03 * alone);
    DenoiseNeighbour unseen = neighbourOf(brighter);
    unseen.source.assign(unseen.source.size(), -1);
    EXPECT_EQ(denoiseBuiltin(picture.input, {unseen}), denoiseBuiltin(picture.input));
}

TEST(DenoiseNeighbours, OfAnotherSizeAreRefused) {
    const NoisyPicture picture = seenFrom(0, 0);
    const NoisyPicture small = noisyPicture(8, 8, 0.2F, pebble);
    EXPECT_THROW(denoiseBuiltin(picture.input, {{&small.input, {}, std::vector<std::int32_t>(64, 0)}}), Error);
    DenoiseNeighbour few = neighbourOf(picture);
    few.source.pop_back();
    EXPECT_THROW(denoiseBuiltin(picture.input, {few}), Error);
}

} // namespace
} // namespace aureole
