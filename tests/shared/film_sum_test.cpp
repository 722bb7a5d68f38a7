// Sums of many batches, as the film keeps them.

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "shared/path/path_work.h"

namespace aureole::shared {
namespace {

struct Sum {
    float sum = 0.0F;
    float rest = 0.0F;

    void add(float value) { addCompensated(sum, rest, value); }
    double value() const { return static_cast<double>(sum) + rest; }
};

/// A million values of 24 bits need 44 bits. What a value loses is the same each time, so a rest that were only added
/// to would soon need more bits than it has.
TEST(FilmSum, AMillionEqualBatchesAreExact) {
    constexpr std::uint32_t kBatches = 1 << 20;
    for (const float value : {0.1F, 0.8147230F, 1.0F / 3.0F, 6.5177855F, 12345.678F, 1e-7F}) {
        Sum sum;
        for (std::uint32_t i = 0; i < kBatches; ++i) {
            sum.add(value);
        }
        EXPECT_EQ(sum.value(), static_cast<double>(value) * kBatches) << value;
    }
}

/// Where they are cut does not show.
TEST(FilmSum, PartsGiveTheWhole) {
    constexpr std::uint32_t kBatches = 300'000;
    for (const std::uint32_t cut : {1U, 4097U, 150'001U}) {
        Sum whole;
        Sum parts[2];
        double exact = 0.0; // 24 bits, of which 4 spread, 19 of the count: less than 53
        for (std::uint32_t i = 0; i < kBatches; ++i) {
            const float value = 0.5F + std::fmod(static_cast<float>(i) * 0.7548777F, 1.0F);
            whole.add(value);
            parts[i < cut ? 0 : 1].add(value);
            exact += value;
        }
        EXPECT_EQ(whole.value(), exact);
        EXPECT_EQ(parts[0].value() + parts[1].value(), exact) << cut;
    }
}

TEST(FilmSum, RestIsBelowTheSumsLastPlace) {
    Sum sum;
    for (int i = 0; i < 100'000; ++i) {
        sum.add(i % 3 == 0 ? -0.7F : 1.1F);
        ASSERT_EQ(sum.sum + sum.rest, sum.sum) << i;
    }
}

} // namespace
} // namespace aureole::shared
