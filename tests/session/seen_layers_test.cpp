// Layers of camera rays beside a film's samples, from sums that are known.

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "session/denoise/seen_layers.h"

namespace aureole {

namespace {

/// Three pixels of 8 samples: one before the lamp, one at its edge, one whose samples did not meet it.
FilmSums filmBesideALamp() {
    FilmSums film;
    film.width = 3;
    film.height = 1;
    film.samples = {{0, 8}};
    film.hits = {8, 6, 0};
    film.planes = {{"emission.R", PlaneRule::Mean, {8000, 1000, 0}},
                   {"albedo.R", PlaneRule::Mean, {4, 2, 0}},
                   {"depth.Z", PlaneRule::HitMean, {16, 18, 0}},
                   {"direct.R", PlaneRule::Mean, {8, 8, 8}}};
    for (const double red : {8000.0, 1004.0, 4.0}) {
        film.radiance.insert(film.radiance.end(), {red, 0.0, 0.0});
    }
    return film;
}

TEST(SeenLayersTest, RaysCountAsSamplesDo) {
    std::pair<std::uint32_t, std::uint32_t> traced;
    const auto seen = seenLayers(
        filmBesideALamp(),
        [&](std::uint32_t first, std::uint32_t end) {
            traced = {first, end};
            FilmSums more = filmBesideALamp();
            more.samples = {{first, end}};
            more.hits = {24, 6, 24};
            more.planes[0].values = {24000, 7000, 1000};
            more.planes[1].values = {12, 10, 12};
            more.planes[2].values = {48, 18, 72};
            return more;
        },
        3);
    ASSERT_TRUE(seen);
    EXPECT_EQ(traced, std::pair(8U, 32U)) << "after those of the film, three times as many";
    EXPECT_EQ(seen->samples, 24U);
    EXPECT_EQ(seen->image.channels.size(), 3U) << "no direct light, which rays do not tell";
    EXPECT_EQ(seen->image.find("albedo.R")->values, (std::vector<float>{0.5F, 0.375F, 0.375F}));
    EXPECT_EQ(seen->image.find("depth.Z")->values, (std::vector<float>{2.0F, 3.0F, 3.0F})) << "of what was hit";
    EXPECT_EQ(seen->image.find("emission.R")->values, (std::vector<float>{1000.0F, 250.0F, 0.5F}))
        << "one ray of 24 met the lamp beside the last pixel: not 31.25 for its 0.5";
}

TEST(SeenLayersTest, ThereAreNoneOfNoRays) {
    const auto none = [](std::uint32_t /*first*/, std::uint32_t /*end*/) {
        FilmSums more = filmBesideALamp();
        more.samples.clear();
        return more;
    };
    EXPECT_FALSE(seenLayers(filmBesideALamp(), none, 3)) << "a signal came";
    EXPECT_FALSE(seenLayers(filmBesideALamp(), none, std::uint32_t{1} << 28U)) << "more than there may be";
}

/// Light that came to what was next to black tells nothing of the parts' shares, nor may layers of others make a
/// picture infinite.
TEST(SeenLayersTest, PartsOfNextToNothingBecomeTheWhole) {
    const auto layers = [](const std::vector<float>& albedo, const std::vector<float>& emission) {
        Image image = makeImage(3, 1, {});
        for (const char* const channel : {".R", ".G", ".B"}) {
            image.add(std::string("albedo") + channel).values = albedo;
            image.add(std::string("emission") + channel).values = emission;
        }
        return image;
    };
    std::vector<float> whole = {2, 2, 2, 1e-40F, 1e-40F, 1e-40F, 1e10F, 1e10F, 1e10F};
    std::vector<float> half = {1, 2, 3, 0, 1e-40F, 2e-40F, 1e10F, 1e10F, 1e10F};
    seeAs(layers({0.45F, 0, 0}, {0, 0, 0}), layers({0.2F, 0, 9e14F}, {0, 10, 0}), whole, std::array{&half});
    const std::vector<float> expected = {1, 1, 1, 10, 10, 10, 1e15F, 1e15F, 1e15F};
    const std::vector<float> expectedHalf = {0.5F, 1, 1.5F, 10, 10, 10, 1e15F, 1e15F, 1e15F};
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_FLOAT_EQ(whole[i], expected[i]) << i;
        EXPECT_FLOAT_EQ(half[i], expectedHalf[i]) << i;
    }
}

} // namespace

} // namespace aureole
