// Merging parts: crops, layers, order, and what is refused. film_test.cpp has ranges of samples.

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "core/error.h"
#include "film/crops.h"
#include "film/film.h"
#include "film/picture.h"
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
            film.radiance.resize(pixel + 3, 0.0);
            film.squared.resize(pixel + 3, 0.0);
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
    const Image merged = mergeImages(parts);
    ASSERT_EQ(merged.width, 8U);
    ASSERT_EQ(merged.height, 6U);
    expectMergedIsWhole(merged, whole);
    EXPECT_EQ(merged.attributes.at("aureole.crop"), "0,0,8,6");
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:12");
    EXPECT_EQ(merged.find("id.Y")->values, std::vector<float>(48, 3.0F));
}

/// Crops bring the bytes: each pixel's mean is one part's. (Variances are made of the rounded means.)
TEST(Merge, CropsOfAllSamplesAreTheBytesOfTheWholePicture) {
    const Image whole = partOf(kAll, 0, 11);
    const Image merged = mergeImages({partOf({5, 0, 8, 6}, 0, 11), partOf({0, 0, 5, 6}, 0, 11)});
    for (const Channel& channel : whole.channels) {
        if (!channel.name.starts_with("variance")) {
            EXPECT_EQ(merged.find(channel.name)->values, channel.values) << channel.name;
        }
    }
}

TEST(Merge, PixelsMayHaveMoreSamplesThanOthers) {
    const PixelRectangle part{2, 1, 5, 4};
    const Image merged = mergeImages({partOf(part, 8, 16), partOf(kAll, 0, 8)});
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
    EXPECT_EQ(merged.attributes.at("aureole.sample_counts"), "8 to 16, mean 9.5");
    EXPECT_FALSE(merged.attributes.contains("aureole.samples"));
    EXPECT_NE(mergeRefusal({merged}).find("aureole.sample_counts"), std::string::npos);
}

TEST(Merge, EqualNumbersOfOtherSamplesAreNoCommonSamples) {
    const Image merged = mergeImages({partOf({0, 0, 4, 6}, 0, 8), partOf({4, 0, 8, 6}, 8, 16)});
    EXPECT_EQ(merged.attributes.at("aureole.sample_counts"), "8 to 8, mean 8");
}

TEST(Merge, PixelsWithoutAPartAreBlack) {
    const Image merged = mergeImages({partOf({0, 0, 4, 6}, 0, 8), partOf({6, 0, 8, 6}, 0, 8)});
    EXPECT_EQ(merged.width, 8U);
    EXPECT_EQ(merged.find("R")->values[4], 0.0F);
    EXPECT_EQ(merged.find("depth.Z")->values[5], 0.0F);
    EXPECT_GT(merged.find("R")->values[6], 0.0F);
    EXPECT_EQ(merged.attributes.at("aureole.sample_counts"), "0 to 8, mean 6");
}

TEST(Merge, RefusesTheSameSamplesOfTheSamePixels) {
    const std::string message = mergeRefusal({partOf({0, 0, 4, 6}, 0, 8), partOf({3, 5, 8, 6}, 7, 9)});
    EXPECT_NE(message.find("1.exr: found samples 7:9 of crop 3,5,4,6, which overlap samples 0:8 of 0.exr there, "),
              std::string::npos)
        << message;
    EXPECT_EQ(mergeRefusal({partOf({0, 0, 4, 6}, 0, 8), partOf({4, 0, 8, 6}, 0, 8)}), "");
}

TEST(Merge, SaysAllThatDiffers) {
    const Image part = partOf(kAll, 0, 8);
    Image other = partOf(kAll, 8, 16);
    other.attributes["aureole.seed"] = "7";
    other.attributes["aureole.camera"] = "back";
    other.attributes["aureole.scene_hash"] = "abc"; // follows from the others
    EXPECT_EQ(mergeRefusal({part, other}),
              "1.exr: found aureole.camera 'back', expected none; aureole.seed '7', expected none as in 0.exr");
    other = partOf(kAll, 8, 16);
    other.attributes["aureole.scene_hash"] = "abc";
    EXPECT_EQ(mergeRefusal({part, other}), "1.exr: found aureole.scene_hash 'abc', expected none as in 0.exr");
}

TEST(Merge, RefusesDamagedCrops) {
    for (const char* crop : {"", "0,0,8", "0,0,8,6,", "0,0,8,5", "8,6,0,0", "a,0,8,6", "-8,0,0,6", "0;0;8;6"}) {
        Image part = partOf(kAll, 0, 8);
        part.attributes["aureole.crop"] = crop;
        EXPECT_NE(mergeRefusal({part}).find("aureole.crop"), std::string::npos) << crop;
    }
}

TEST(Merge, RefusesCropsThatSpanMoreThanAPicture) {
    const auto at = [](std::uint32_t x, std::uint32_t y) {
        Image part = partOf({0, 0, 8, 6}, 0, 8);
        part.attributes["aureole.crop"] = formatCrop({x, y, x + 8, y + 6});
        return part;
    };
    EXPECT_EQ(mergeRefusal({at(40000, 0), at(0, 10000)}),
              "1.exr: found a crop with which the picture spans 0,0,40008,10006 (40008x10006 pixels), expected at most "
              "65536 a side and 178956970 in all");
    EXPECT_NE(mergeRefusal({at(0, 0), at(65536, 0)}).find("(65544x6 pixels)"), std::string::npos);
    EXPECT_NE(mergeRefusal({at(0, 0), at(0, 4294967280)}).find("(8x4294967286 pixels)"), std::string::npos);
    EXPECT_EQ(mergeRefusal({at(4294967280, 4294967280)}), ""); // no larger than any other
    EXPECT_EQ(mergeImages({at(0, 0), at(65528, 0)}).width, 65536U);
}

TEST(Merge, PartsOfAnotherVersionAreRefused) {
    Image part = partOf(kAll, 0, 8);
    Image other = partOf(kAll, 8, 16);
    part.attributes["aureole.version"] = "0.1.0";
    other.attributes["aureole.version"] = "0.1.1";
    EXPECT_EQ(mergeRefusal({part, other}), "1.exr: found aureole.version '0.1.1', expected '0.1.0' as in 0.exr");
    other.attributes["aureole.version"] = "0.1.0";
    EXPECT_EQ(mergeRefusal({part, other}), "");
}

/// The version of parts as files, which is not that of the program: a program reads parts of others alike.
TEST(Merge, NewerAndDamagedVersionsOfPartsAreTold) {
    std::vector<Image> parts = {partOf(kAll, 0, 8), partOf(kAll, 8, 16)};
    parts[1].attributes[kPartVersionAttribute] = "2";
    EXPECT_EQ(mergeRefusal(parts), "1.exr: written by a newer aureole: version 2 of parts, this one reads 1");
    for (const char* const damaged : {"0", "x"}) {
        parts[1].attributes[kPartVersionAttribute] = damaged;
        EXPECT_EQ(mergeRefusal(parts).rfind("1.exr: the file is damaged: found version ", 0), 0U);
    }
    parts[1].attributes[kPartVersionAttribute] = "1";
    EXPECT_EQ(mergeRefusal(parts), "");
    EXPECT_EQ(mergeImages({partOf(kAll, 0, 8), partOf(kAll, 8, 16)}).attributes.count(kPartVersionAttribute), 0U);
}

TEST(Merge, RefusesDamagedSamples) {
    for (const char* samples : {"4:", "0:4;5:6", "0:4,2:6"}) {
        Image part = partOf(kAll, 0, 8);
        part.attributes["aureole.samples"] = samples;
        EXPECT_TRUE(mergeRefusal({part}).starts_with("0.exr: aureole.samples: found ")) << mergeRefusal({part});
    }
}

/// The same samples in every pixel, cut into parts otherwise in every range.
TEST(Merge, CropsNeedNotBeThoseOfOtherSamples) {
    const std::vector<Image> parts = {partOf({4, 0, 8, 6}, 2, 4), partOf({0, 0, 8, 2}, 4, 9),
                                      partOf({0, 2, 8, 6}, 4, 9), partOf(kAll, 0, 2), partOf({0, 0, 4, 6}, 2, 4)};
    const Image merged = mergeImages(parts);
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:9");
    EXPECT_FALSE(merged.attributes.contains("aureole.sample_counts"));
    expectMergedIsWhole(merged, partOf(kAll, 0, 9));
    expectMergedIsWhole(mergeImages({merged, partOf(kAll, 9, 12)}), partOf(kAll, 0, 12));
}

std::vector<SampleRegion> regionsOf(const PartCover& cover) {
    std::vector<SampleRegion> regions;
    cover.visitRegions([&](const SampleRegion& region) { regions.push_back(region); });
    return regions;
}

TEST(PartCover, JoinsRegionsThatMakeARectangle) {
    PartCover cover;
    // Three tiles in an L of equal samples, and a range of its own that hides the cut in the middle of the upper two.
    cover.add({10, 20, 14, 22}, {{0, 4}}, 0);
    cover.add({14, 20, 18, 22}, {{0, 2}}, 1);
    cover.add({14, 20, 18, 22}, {{2, 4}}, 2);
    cover.add({10, 22, 14, 25}, {{0, 4}}, 3);
    const std::vector<SampleRegion> regions = regionsOf(cover);
    ASSERT_EQ(regions.size(), 3U);
    EXPECT_EQ(regions[0].pixels, (PixelRectangle{10, 20, 18, 22}));
    EXPECT_EQ(regions[1].pixels, (PixelRectangle{10, 22, 14, 25}));
    EXPECT_EQ(regions[2].pixels, (PixelRectangle{14, 22, 18, 25}));
    EXPECT_EQ(regions[1].samples, (IndexRanges{{0, 4}}));
    EXPECT_EQ(regions[2].samples, IndexRanges());
    cover.add({14, 22, 18, 25}, {{0, 4}}, 4);
    EXPECT_EQ(regionsOf(cover).size(), 1U);
}

/// Random crops and samples against each pixel's own.
TEST(PartCover, EveryPixelIsInOneRegionOfItsSamples) {
    constexpr std::uint32_t kWidth = 9;
    constexpr std::uint32_t kHeight = 7;
    constexpr std::size_t kPixels = std::size_t{kWidth} * kHeight;
    std::mt19937 random(1);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    for (int round = 0; round < 500; ++round) {
        PartCover cover;
        std::array<std::uint32_t, kPixels> expected{}; // a bit for each sample
        const std::uint32_t count = 1 + below(8);
        for (std::uint32_t part = 0; part < count; ++part) {
            const std::uint32_t x0 = below(kWidth);
            const std::uint32_t y0 = below(kHeight);
            const PixelRectangle crop{x0, y0, x0 + 1 + below(kWidth - x0), y0 + 1 + below(kHeight - y0)};
            const std::uint32_t first = below(6);
            const std::uint32_t end = first + 1 + below(4);
            cover.add(crop, {{first, end}}, part);
            for (std::uint32_t y = crop.y0; y < crop.y1; ++y) {
                for (std::uint32_t x = crop.x0; x < crop.x1; ++x) {
                    expected.at(y * kWidth + x) |= (1U << end) - (1U << first);
                }
            }
        }
        std::array<int, kPixels> visits{};
        for (const SampleRegion& region : regionsOf(cover)) {
            std::uint32_t samples = 0;
            for (const auto& [first, end] : region.samples) {
                samples |= (1U << end) - (1U << first);
            }
            for (std::uint32_t y = region.pixels.y0; y < region.pixels.y1; ++y) {
                for (std::uint32_t x = region.pixels.x0; x < region.pixels.x1; ++x) {
                    ++visits.at(y * kWidth + x);
                    ASSERT_EQ(samples, expected.at(y * kWidth + x)) << round << ": " << x << ", " << y;
                }
            }
        }
        const PixelRectangle bounds = cover.bounds();
        for (std::uint32_t y = 0; y < kHeight; ++y) {
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                const bool inside = x >= bounds.x0 && x < bounds.x1 && y >= bounds.y0 && y < bounds.y1;
                ASSERT_EQ(visits.at(y * kWidth + x), inside ? 1 : 0) << round << ": " << x << ", " << y;
            }
        }
    }
}

TEST(PartCover, SummaryTellsWhatIsMissingWhere) {
    PartCover cover;
    cover.add({0, 0, 8, 6}, {{0, 2}, {4, 6}}, 0);
    EXPECT_TRUE(cover.summary(9).isEven());
    cover.add({0, 0, 3, 6}, {{6, 9}}, 1);
    cover.add({5, 0, 12, 2}, {{10, 12}}, 2);
    const CoverSummary summary = cover.summary(9);
    EXPECT_EQ(summary.samples, (IndexRanges{{0, 2}, {4, 9}, {10, 12}}));
    EXPECT_EQ(summary.emptyPixels, 16U);
    EXPECT_EQ(summary.empty, (std::vector<PixelRectangle>{{8, 2, 12, 6}}));
    ASSERT_EQ(summary.lacking.size(), 5U);
    for (const SampleRegion& region : summary.lacking) {
        const IndexRanges expected = region.pixels.x1 <= 3                           ? IndexRanges{{10, 12}}
                                     : region.pixels.x0 >= 8                         ? IndexRanges{{0, 2}, {4, 9}}
                                     : region.pixels.x1 > 5 && region.pixels.y1 == 2 ? IndexRanges{{6, 9}}
                                                                                     : IndexRanges{{6, 9}, {10, 12}};
        EXPECT_EQ(region.samples, expected) << formatCrop(region.pixels);
    }
    EXPECT_FALSE(summary.moreEmpty || summary.moreLacking || summary.isEven());
    const CoverSummary some = cover.summary(1);
    EXPECT_EQ(some.lacking.size(), 1U);
    EXPECT_TRUE(some.moreLacking);
    EXPECT_FALSE(some.moreEmpty) << "there is but one";
}

} // namespace
} // namespace aureole
