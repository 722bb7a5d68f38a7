#include "film/parts.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace aureole {

namespace {

/// Of 2x1 pixels, with sums that differ by `value`.
FilmSums film(IndexRanges samples, double value) {
    FilmSums sums;
    sums.width = 2;
    sums.height = 1;
    sums.samples = std::move(samples);
    for (int i = 0; i < 6; ++i) {
        sums.radiance.push_back(value + 0.1 * i);
        sums.squared.push_back(value * value + 0.3 * i); // no film has both
        sums.half.push_back(0.5 * value + 0.2 * i);
    }
    sums.planes = {{"P.X", PlaneRule::HitMean, {value, 2.0 * value}},
                   {"id.Y", PlaneRule::First, {value, 3.0}},
                   {"normal.X", PlaneRule::Mean, {0.5, value}}};
    sums.hits = {value, 1.0};
    sums.variance = true;
    sums.halves = true;
    return sums;
}

void expectEqual(const FilmSums& a, const FilmSums& b) {
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.height, b.height);
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.radiance, b.radiance);
    EXPECT_EQ(a.squared, b.squared);
    EXPECT_EQ(a.half, b.half);
    EXPECT_EQ(a.halves, b.halves);
    EXPECT_EQ(a.hits, b.hits);
    EXPECT_EQ(a.variance, b.variance);
    EXPECT_EQ(a.sampleCounts, b.sampleCounts);
    ASSERT_EQ(a.planes.size(), b.planes.size());
    for (std::size_t i = 0; i < a.planes.size(); ++i) {
        EXPECT_EQ(a.planes[i].channel, b.planes[i].channel);
        EXPECT_EQ(a.planes[i].rule, b.planes[i].rule);
        EXPECT_EQ(a.planes[i].values, b.planes[i].values);
    }
}

TEST(FilmParts, BytesHoldAllOfAFilm) {
    FilmSums sums = film({{0, 8}, {16, 24}}, 1.0 / 3.0);
    expectEqual(filmFromBytes(filmToBytes(sums), "rank 1"), sums);
    sums.variance = false;
    sums.sampleCounts = true;
    sums.planes.clear();
    sums.hits.clear();
    expectEqual(filmFromBytes(filmToBytes(sums), "rank 1"), sums);
}

TEST(FilmParts, BytesThatAreMissingOrTooManyAreTold) {
    const std::vector<std::byte> bytes = filmToBytes(film({{0, 8}}, 1.0));
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_THROW(filmFromBytes(std::span(bytes).first(length), "rank 1"), Error) << length;
    }
    std::vector<std::byte> wide = bytes;
    wide[0] = std::byte{1}; // a narrower film with as many values
    EXPECT_THROW(filmFromBytes(wide, "rank 1"), Error);
}

TEST(FilmParts, SumsAddUpAndTheFirstIdStays) {
    FilmSums total;
    appendFilm(total, film({{0, 8}}, 1.0), "a");
    expectEqual(total, film({{0, 8}}, 1.0));
    appendFilm(total, film({{8, 20}}, 5.0), "b");
    EXPECT_EQ(total.samples, (IndexRanges{{0, 20}}));
    EXPECT_DOUBLE_EQ(total.radiance[1], 1.1 + 5.1);
    EXPECT_DOUBLE_EQ(total.squared[5], 1.0 + 25.0 + 3.0);
    EXPECT_EQ(total.hits, (std::vector<double>{6.0, 2.0}));
    EXPECT_EQ(total.planes[0].values, (std::vector<double>{6.0, 12.0}));
    EXPECT_EQ(total.planes[1].values, (std::vector<double>{1.0, 3.0}));
    EXPECT_EQ(total.planes[2].values, (std::vector<double>{1.0, 6.0}));
}

TEST(FilmParts, OtherFilmsAreRefused) {
    FilmSums total = film({{0, 8}}, 1.0);
    EXPECT_THROW(appendFilm(total, film({{4, 12}}, 1.0), "b"), Error);
    FilmSums other = film({{8, 16}}, 1.0);
    other.planes[2].channel = "normal.Y";
    EXPECT_THROW(appendFilm(total, other, "b"), Error);
    other = film({{8, 16}}, 1.0);
    other.planes.pop_back();
    EXPECT_THROW(appendFilm(total, other, "b"), Error);
    other = film({{8, 16}}, 1.0);
    other.width = 1;
    EXPECT_THROW(appendFilm(total, other, "b"), Error);
    expectEqual(total, film({{0, 8}}, 1.0));
}

} // namespace

} // namespace aureole
