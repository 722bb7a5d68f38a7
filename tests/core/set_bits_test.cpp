#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "core/set_bits.h"

namespace aureole::test {
namespace {

std::vector<std::uint32_t> bitsOf(std::uint64_t mask) {
    std::vector<std::uint32_t> bits;
    for (const std::uint32_t bit : setBits(mask)) {
        bits.push_back(bit);
    }
    return bits;
}

TEST(SetBits, AreVisitedFromTheLowestUp) {
    EXPECT_TRUE(bitsOf(0).empty());
    EXPECT_EQ(bitsOf(0b1011), (std::vector<std::uint32_t>{0, 1, 3}));
    EXPECT_EQ(bitsOf(std::uint64_t{1} << 63U | std::uint64_t{1} << 32U), (std::vector<std::uint32_t>{32, 63}));
    EXPECT_EQ(bitsOf(~std::uint64_t{0}).size(), 64U);
}

TEST(SetBits, AreThoseOfTheMaskBeforeTheLoop) {
    std::uint64_t mask = 0b110;
    std::vector<std::uint32_t> bits;
    for (const std::uint32_t bit : setBits(mask)) {
        mask = 0;
        bits.push_back(bit);
    }
    EXPECT_EQ(mask, 0U);
    EXPECT_EQ(bits, (std::vector<std::uint32_t>{1, 2}));
}

TEST(SetBits, IndexCountsTheBitsBelow) {
    const std::uint64_t mask = std::uint64_t{1} << 63U | 0b10110;
    std::size_t index = 0;
    for (const std::uint32_t bit : setBits(mask)) {
        EXPECT_EQ(indexOfBit(mask, bit), index++);
    }
    EXPECT_EQ(index, 4U);
    EXPECT_EQ(indexOfBit(mask, 0), 0U);
    EXPECT_EQ(indexOfBit(mask, 5), 3U);
    EXPECT_EQ(indexOfBit(~std::uint64_t{0}, 63), 63U);
}

} // namespace
} // namespace aureole::test
