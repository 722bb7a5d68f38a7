#include "integrator/alias_table.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "address_of.h"
#include "chi_square.h"
#include "shared/light/lights.h"

namespace aureole {
namespace {

TEST(AliasTable, DrawsInProportionToTheWeights) {
    const std::vector<double> weights = {3.0, 0.0, 1.0, 0.5, 7.5, 1e-9};
    const std::vector<shared::AliasSlot> table = makeAliasTable(weights);
    // Exactly: slot i gives i with its threshold and its alias with the rest.
    std::vector<double> shares(weights.size(), 0.0);
    for (std::size_t i = 0; i < table.size(); ++i) {
        shares[i] += static_cast<double>(table[i].threshold) / static_cast<double>(table.size());
        shares[table[i].alias] += (1.0 - static_cast<double>(table[i].threshold)) / static_cast<double>(table.size());
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        EXPECT_NEAR(shares[i], weights[i] / 12.0, 1e-7);
        EXPECT_NEAR(table[i].probability, weights[i] / 12.0, 1e-7);
    }
    // And as drawn.
    std::mt19937 random(3);
    std::vector<int> drawn(weights.size());
    std::vector<double> left(weights.size());
    constexpr int kDraws = 200000;
    for (int i = 0; i < kDraws; ++i) {
        float rest = 0.0F;
        const std::uint32_t index = shared::sampleAliasBits(addressOf(table), 6, {random(), random()}, rest);
        ++drawn[index];
        left[index] += static_cast<double>(rest);
    }
    EXPECT_EQ(drawn[1], 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double expected = weights[i] / 12.0 * kDraws;
        EXPECT_NEAR(drawn[i], expected, 5.0 * std::sqrt(expected) + 5.0);
        EXPECT_NEAR(left[i], 0.5 * drawn[i], 5.0 * std::sqrt(drawn[i] / 12.0)); // what is left of a draw is uniform
    }
}

/// Against exact arithmetic in 128 bits, for tables that numbers of 24 bits would not reach all of.
TEST(AliasTable, EverySlotOfALongTableIsDrawn) {
    __extension__ using Wide = unsigned __int128;
    std::mt19937 random(4);
    for (const std::uint32_t count : {1U, 7U, (1U << 24U) + 1U, (1U << 25U) + 3U, 0x80000001U, 0xFFFFFFFFU}) {
        constexpr int kDraws = 70000;
        std::vector<double> residues(std::min(count, 7U));
        double restSum = 0.0;
        for (int i = 0; i < kDraws; ++i) {
            const glm::uvec2 bits(random(), random());
            const Wide product = ((Wide{bits.x} << 32U) | bits.y) * count;
            float rest = -1.0F;
            const std::uint32_t slot = shared::sampleSlot(count, bits, rest);
            ASSERT_EQ(slot, static_cast<std::uint32_t>(product >> 64U));
            const auto below = static_cast<double>(static_cast<std::uint64_t>(product)) * 0x1p-64;
            ASSERT_NEAR(rest, below, 0x1p-23);
            ASSERT_LT(rest, 1.0F);
            residues[slot % residues.size()] += 1.0;
            restSum += rest;
        }
        const double expected = static_cast<double>(kDraws) / static_cast<double>(residues.size());
        const ChiSquare test = chiSquare(residues, std::vector<double>(residues.size(), expected));
        EXPECT_GT(test.probability, 0.001) << count << ": " << test.statistic;
        EXPECT_NEAR(restSum / kDraws, 0.5, 0.005) << count;
        float rest = 0.0F;
        EXPECT_EQ(shared::sampleSlot(count, glm::uvec2(0xFFFFFFFFU), rest), count - 1);
        EXPECT_EQ(shared::sampleSlot(count, glm::uvec2(0), rest), 0U);
    }
}

} // namespace
} // namespace aureole
