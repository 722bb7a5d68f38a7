#include <random>

#include <gtest/gtest.h>

#include "core/error.h"
#include "film/film.h"
#include "film/picture.h"
#include "merged_parts.h"

namespace aureole {
namespace {

FilmSums randomFilm(std::uint32_t first, std::uint32_t end, unsigned seed) {
    FilmSums film;
    film.width = 5;
    film.height = 3;
    film.samples = {{first, end}};
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0.0, 2.0);
    for (int i = 0; i < 45; ++i) {
        film.radiance.push_back(unit(random) * (end - first));
        film.squared.push_back(unit(random) * (end - first));
    }
    return film;
}

TEST(Film, PartKeepsMeansMomentsAndRanges) {
    const FilmSums film = randomFilm(4, 20, 1);
    const FilmSums back = filmFromImage(filmImage(film, true), "part.exr");
    EXPECT_EQ(back.samples, film.samples);
    for (std::size_t i = 0; i < 45; ++i) {
        EXPECT_NEAR(back.radiance[i], film.radiance[i], 1e-5 * film.radiance[i]);
        EXPECT_NEAR(back.squared[i], film.squared[i], 1e-5 * film.squared[i]);
    }
}

/// Sobol points of even index tell the error.
FilmSums filmOfHalves(std::uint32_t first, std::uint32_t end, unsigned seed) {
    FilmSums film = randomFilm(first, end, seed);
    film.half = std::move(film.squared);
    film.squared.clear();
    film.variance = true;
    return film;
}

TEST(Film, VarianceIsToldByHalves) {
    FilmSums film;
    film.width = film.height = 1;
    film.samples = {{3, 8}, {9, 11}}; // 4, 6 and 10 of seven
    film.radiance = {14.0, 0.0, 7.0};
    film.half = {3.0 * 3.0, 0.0, 3.0};
    EXPECT_EQ(film.evenCount(), 3U);
    EXPECT_DOUBLE_EQ(film.meanOfHalf(0, 0, 0), 3.0);
    EXPECT_DOUBLE_EQ(film.meanOfHalf(0, 0, 1), 5.0 / 4.0);
    EXPECT_DOUBLE_EQ(film.varianceOfMean(0, 0), 1.75 * 1.75 * 12.0 / 49.0);
    EXPECT_DOUBLE_EQ(film.varianceOfMean(0, 2), 0.0);
    film.samples = {{3, 4}, {5, 6}}; // odd ones alone tell nothing
    film.half = {0.0, 0.0, 0.0};
    EXPECT_EQ(film.varianceOfMean(0, 0), 0.0);
    film.setCounts({5});
    EXPECT_EQ(film.evenCount(0), 3U);
    EXPECT_EQ(film.sampleCount(0), 5U);
}

TEST(Film, PartsOfSobolPointsMerge) {
    const FilmSums a = filmOfHalves(0, 5, 2);
    const FilmSums b = filmOfHalves(5, 16, 3);
    FilmSums whole = a;
    whole.samples = {{0, 16}};
    for (std::size_t i = 0; i < 45; ++i) {
        whole.radiance[i] += b.radiance[i];
        whole.half[i] += b.half[i];
    }
    const Image merged = mergeImages({filmImage(b, true), filmImage(a, true)}, {"b", "a"});
    expectMergedIsWhole(merged, filmImage(whole, true));
    EXPECT_EQ(merged.find("moment.R"), nullptr);
    EXPECT_EQ(merged.find("halfB.R"), nullptr) << "nobody asked for it";
    // Without the other half it only serves merging.
    Image plain = filmImage(a, true);
    dropSums(plain);
    EXPECT_EQ(plain.find("halfA.R"), nullptr);
    FilmSums asked = a;
    asked.halves = true;
    plain = filmImage(asked, true);
    dropSums(plain);
    EXPECT_NE(plain.find("halfA.R"), nullptr);
    EXPECT_NE(mergeRefusal({filmImage(a, true), filmImage(randomFilm(5, 16, 3), true)}).find("channel"),
              std::string::npos);
}

TEST(Film, MergingWeighsPartsByTheirSamples) {
    const FilmSums a = randomFilm(0, 3, 2);
    const FilmSums b = randomFilm(3, 16, 3);
    const Image merged = mergeImages({filmImage(b, true), filmImage(a, true)}, {"b", "a"});
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:16");
    for (std::size_t i = 0; i < 15; ++i) {
        EXPECT_NEAR(merged.find("G")->values[i], (a.radiance[3 * i + 1] + b.radiance[3 * i + 1]) / 16.0, 1e-6);
        EXPECT_NEAR(merged.find("moment.B")->values[i], (a.squared[3 * i + 2] + b.squared[3 * i + 2]) / 16.0, 1e-6);
    }
}

TEST(Film, MergingRefusesWhatDoesNotBelongTogether) {
    const Image part = filmImage(randomFilm(0, 8, 4), true);
    EXPECT_NE(mergeRefusal({part, part}).find("overlap"), std::string::npos);
    Image otherScene = filmImage(randomFilm(8, 16, 5), true);
    otherScene.attributes["aureole.scene_hash"] = "abc";
    EXPECT_NE(mergeRefusal({part, otherScene}).find("aureole.scene_hash 'abc'"), std::string::npos);
    FilmSums small = randomFilm(8, 16, 6);
    small.width = 3;
    small.height = 5;
    EXPECT_NE(mergeRefusal({part, filmImage(small, true)}).find("3x5"), std::string::npos);
    EXPECT_NE(mergeRefusal({part, filmImage(randomFilm(8, 16, 7), false)}).find("moment.R"), std::string::npos);
    Image plain = makeImage(5, 3, {"R", "G", "B"});
    EXPECT_NE(mergeRefusal({plain}).find("aureole.samples"), std::string::npos);
}

TEST(Film, MergingKeepsGaps) {
    const Image merged =
        mergeImages({filmImage(randomFilm(0, 4, 8), true), filmImage(randomFilm(6, 8, 9), true)}, {"a", "b"});
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:4,6:8");
}

} // namespace
} // namespace aureole
