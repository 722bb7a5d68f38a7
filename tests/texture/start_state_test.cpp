#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "texture/start_state.h"

namespace aureole::texture {
namespace {

GrayScott modelOf(std::uint32_t width, std::uint32_t height) {
    GrayScott model;
    model.width = width;
    model.height = height;
    return model;
}

TEST(StartStateTest, SpotsAreDiscsOfTheirRadius) {
    const GrayScott model = modelOf(64, 48);
    const Concentrations state = startState(model, {.seed = 2, .spots = 1, .radius = 6.0F});
    const auto sown = std::count_if(state.begin(), state.end(), [](const glm::vec2& cell) { return cell.y > 0.0F; });
    EXPECT_NEAR(static_cast<double>(sown), 3.14159 * 36, 12); // whole although the border may cut it: it wraps
    std::vector<float> shares;                                // noise, the same of neither value
    for (const glm::vec2& cell : state) {
        if (cell.y > 0.0F) {
            shares.push_back(cell.x / cell.y);
            EXPECT_NEAR(cell.x, 0.5F, 0.0051F);
            EXPECT_NEAR(cell.y, 0.25F, 0.0026F);
        } else {
            EXPECT_EQ(cell.x, 0.0F);
        }
    }
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    EXPECT_GT(*most - *least, 0.03F); // up to 2 (1.01 / 0.99 - 0.99 / 1.01)
}

TEST(StartStateTest, TheSeedDecides) {
    const GrayScott model = modelOf(64, 48);
    const auto of = [&](std::uint32_t seed) { return startState(model, {.seed = seed, .spots = 5}); };
    EXPECT_EQ(of(1), of(1));
    EXPECT_NE(of(1), of(2));
}

TEST(StartStateTest, TheInfluenceIsSown) {
    const GrayScott model = modelOf(3, 1);
    const Concentrations state = startState(model, {.influence = {0.0F, 0.5F, 1.0F}});
    EXPECT_EQ(state[0].y, 0.0F);
    EXPECT_NEAR(state[1].y, 0.125F, 0.002F);
    EXPECT_NEAR(state[2].y, 0.25F, 0.003F);
}

TEST(StartStateTest, TheInfluenceMixesRates) {
    GrayScott model = modelOf(3, 1);
    model.rates = {0.02F, 0.05F};
    std::vector<ReactionRates> rates = influencedRates(model, {.feed = 0.04F, .kill = 0.07F}, {0.0F, 0.25F, 2.0F});
    EXPECT_FLOAT_EQ(rates[0].feed, 0.02F);
    EXPECT_FLOAT_EQ(rates[1].feed, 0.025F);
    EXPECT_FLOAT_EQ(rates[1].kill, 0.055F);
    EXPECT_FLOAT_EQ(rates[2].kill, 0.07F);
    model.varying = {{0.1F, 0.1F}, {0.2F, 0.2F}, {0.3F, 0.3F}};
    rates = influencedRates(model, {.feed = 0.04F, .kill = 0.07F}, {0.0F, 0.0F, 1.0F});
    EXPECT_FLOAT_EQ(rates[1].feed, 0.2F);
    EXPECT_FLOAT_EQ(rates[2].feed, 0.04F);
    rates = influencedRates(model, {.kill = 0.07F}, {0.0F, 0.5F, 1.0F}); // the feed is none of its business
    EXPECT_FLOAT_EQ(rates[1].feed, 0.2F);
    EXPECT_FLOAT_EQ(rates[1].kill, 0.135F);
    EXPECT_FLOAT_EQ(rates[2].feed, 0.3F);
    EXPECT_FLOAT_EQ(rates[2].kill, 0.07F);
}

// Without an end to it this would take hours.
TEST(StartStateTest, AMillionLargeDiscsEndOnceAllIsSown) {
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        GrayScott model = modelOf(64, 48);
        model.border = border;
        const Concentrations state = startState(model, {.spots = 1U << 20U, .radius = 1000.0F});
        EXPECT_TRUE(std::all_of(state.begin(), state.end(), [](const glm::vec2& cell) { return cell.y > 0.24F; }));
    }
    // What an influence has sown in part is still sown over.
    const Concentrations state = startState(modelOf(4, 1), {.spots = 9, .influence = {0.5F, 1.0F, 1.0F, 1.0F}});
    EXPECT_GT(state[0].y, 0.24F);
}

} // namespace
} // namespace aureole::texture
