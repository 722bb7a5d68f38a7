// Merging parts: crops, layers, order, and what is refused. film_test.cpp has ranges of samples.

#include <gtest/gtest.h>

#include "core/error.h"
#include "image/film.h"
#include "image/part_crops.h"
#include "merged_parts.h"

namespace aureole {
namespace {

/// Samples [first, end) of a picture of 8 x 6 pixels, whose sums tell pixel and sample apart.
FilmSums filmOf(const PixelRectangle& crop, std::uint32_t first, std::uint32_t end) {
    FilmSums film;
    film.width = crop.width();
    film.height = crop.height();
    film.samples = {{first, end}};
    FilmPlane depth{"depth.Z", PlaneRule::HitMean, {}};
    FilmPlane id{"id.Y", PlaneRule::First, {}};
    for (std::uint32_t y = crop.y0; y < crop.y1; ++y) {
        for (std::uint32_t x = crop.x0; x < crop.x1; ++x) {
            const std::size_t pixel = film.radiance.size();
            film.radiance.resize(pixel + 3);
            film.squared.resize(pixel + 3);
            for (std::uint32_t s = first; s < end; ++s) {
                for (std::uint32_t c = 0; c < 3; ++c) {
                    const double value = 0.25 * x + 0.125 * y + 0.5 * (s % 7) + c;
                    film.radiance[pixel + c] += value;
                    film.squared[pixel + c] += value * value;
                }
            }
            film.hits.push_back(end - first);
            depth.values.push_back((2.0 + x) * (end - first));
            id.values.push_back(first == 0 ? 3.0 : 4.0);
        }
    }
    film.planes = {depth, id};
    film.variance = true;
    return film;
}

Image partOf(const PixelRectangle& crop, std::uint32_t first, std::uint32_t end) {
    Image part = filmImage(filmOf(crop, first, end), true);
    part.attributes["aureole.size"] = "8x6";
    part.attributes["aureole.crop"] = formatCrop(crop);
    return part;
}

constexpr PixelRectangle kAll = {0, 0, 8, 6};

Image mergeAll(const std::vector<Image>& parts) {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        files.push_back(fmt::format("{}.exr", i));
    }
    return mergeImages(parts, files);
}

std::string messageOf(const std::vector<Image>& parts) {
    try {
        mergeAll(parts);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        return error.what();
    }
    return "";
}

TEST(Merge, CropsMakeTheWholePicture) {
    const Image whole = partOf(kAll, 0, 12);
    // Six tiles, each in two ranges, in no order.
    std::vector<Image> parts;
    for (const auto& [first, end] : {std::pair(5U, 12U), std::pair(0U, 5U)}) {
        for (const std::uint32_t x : {5U, 0U, 3U}) {
            for (const std::uint32_t y : {2U, 0U}) {
                const PixelRectangle tile{x, y, x == 0 ? 3U : x == 3 ? 5U : 8U, y == 0 ? 2U : 6U};
                parts.push_back(partOf(tile, first, end));
            }
        }
    }
    const Image merged = mergeAll(parts);
    ASSERT_EQ(merged.width, 8U);
    ASSERT_EQ(merged.height, 6U);
    expectMergedIsWhole(merged, whole);
    EXPECT_EQ(merged.attributes.at("aureole.crop"), "0,0,8,6");
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:12");
    EXPECT_EQ(merged.find("id.Y")->values, std::vector<float>(48, 3.0F));
}

TEST(Merge, PixelsMayHaveMoreSamplesThanOthers) {
    const PixelRectangle part{2, 1, 5, 4};
    const Image merged = mergeAll({partOf(part, 8, 16), partOf(kAll, 0, 8)});
    const Image few = partOf(kAll, 0, 8);
    const Image many = partOf(kAll, 0, 16);
    for (std::uint32_t y = 0; y < 6; ++y) {
        for (std::uint32_t x = 0; x < 8; ++x) {
            const bool inside = x >= 2 && x < 5 && y >= 1 && y < 4;
            const std::size_t at = y * 8 + x;
            EXPECT_FLOAT_EQ(merged.find("G")->values[at], (inside ? many : few).find("G")->values[at]);
            EXPECT_FLOAT_EQ(merged.find("depth.Z")->values[at], 2.0F + static_cast<float>(x));
        }
    }
    EXPECT_EQ(merged.attributes.at("aureole.sample_counts"), "8:16, 9.5");
    EXPECT_FALSE(merged.attributes.contains("aureole.samples"));
    EXPECT_NE(messageOf({merged}).find("aureole.sample_counts"), std::string::npos);
}

TEST(Merge, EqualNumbersOfOtherSamplesAreNoCommonSamples) {
    const Image merged = mergeAll({partOf({0, 0, 4, 6}, 0, 8), partOf({4, 0, 8, 6}, 8, 16)});
    EXPECT_EQ(merged.attributes.at("aureole.sample_counts"), "8:8, 8");
}

TEST(Merge, PixelsWithoutAPartAreBlack) {
    const Image merged = mergeAll({partOf({0, 0, 4, 6}, 0, 8), partOf({6, 0, 8, 6}, 0, 8)});
    EXPECT_EQ(merged.width, 8U);
    EXPECT_EQ(merged.find("R")->values[4], 0.0F);
    EXPECT_EQ(merged.find("depth.Z")->values[5], 0.0F);
    EXPECT_GT(merged.find("R")->values[6], 0.0F);
    EXPECT_EQ(merged.attributes.at("aureole.sample_counts"), "0:8, 6");
}

TEST(Merge, RefusesTheSameSamplesOfTheSamePixels) {
    const std::string message = messageOf({partOf({0, 0, 4, 6}, 0, 8), partOf({3, 5, 8, 6}, 7, 9)});
    EXPECT_NE(message.find("1.exr: found samples 7:9, expected others than 0:8 of 0.exr"), std::string::npos)
        << message;
    EXPECT_EQ(messageOf({partOf({0, 0, 4, 6}, 0, 8), partOf({4, 0, 8, 6}, 0, 8)}), "");
}

TEST(Merge, SaysAllThatDiffers) {
    const Image part = partOf(kAll, 0, 8);
    Image other = partOf(kAll, 8, 16);
    other.attributes["aureole.seed"] = "7";
    other.attributes["aureole.camera"] = "back";
    other.attributes["aureole.scene_hash"] = "abc"; // follows from the others
    EXPECT_EQ(messageOf({part, other}),
              "1.exr: found aureole.camera 'back', expected ''; aureole.seed '7', expected '' as in 0.exr");
    other = partOf(kAll, 8, 16);
    other.attributes["aureole.scene_hash"] = "abc";
    EXPECT_EQ(messageOf({part, other}), "1.exr: found aureole.scene_hash 'abc', expected '' as in 0.exr");
}

TEST(Merge, RefusesDamagedCrops) {
    for (const char* crop : {"", "0,0,8", "0,0,8,6,", "0,0,8,5", "8,6,0,0", "a,0,8,6", "-8,0,0,6", "0;0;8;6"}) {
        Image part = partOf(kAll, 0, 8);
        part.attributes["aureole.crop"] = crop;
        EXPECT_NE(messageOf({part}).find("aureole.crop"), std::string::npos) << crop;
    }
}

TEST(Merge, FindsRectanglesWithoutSamples) {
    const PixelRectangle bounds{10, 20, 14, 23};
    const std::vector<std::uint32_t> counts = {1, 0, 0, 1, //
                                               0, 0, 0, 1, //
                                               1, 1, 1, 0};
    const auto rectangles = emptyRectangles(counts, bounds, 9);
    EXPECT_EQ(rectangles, (std::vector<PixelRectangle>{{11, 20, 13, 22}, {10, 21, 11, 22}, {13, 22, 14, 23}}));
    EXPECT_EQ(emptyRectangles(counts, bounds, 2).size(), 2U);
    EXPECT_TRUE(emptyRectangles({1, 1}, {0, 0, 2, 1}, 9).empty());
}

} // namespace
} // namespace aureole
