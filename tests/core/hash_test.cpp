#include "core/hash.h"

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(Hash, DependsOnEveryByteAndNotOnSplitting) {
    Hasher whole;
    whole.add("abcdef");
    Hasher split;
    split.add("abc");
    split.add("def");
    EXPECT_EQ(whole.hex(), split.hex());
    Hasher other;
    other.add("abcdeg");
    EXPECT_NE(whole.hex(), other.hex());
    EXPECT_EQ(whole.hex().size(), 16U);
}

/// The first number of SplitMix64 from the seed 0, of the reference implementation.
TEST(Hash, MixesBitsAsSplitMix64Does) {
    EXPECT_EQ(mixBits(0x9e3779b97f4a7c15ULL), 0xe220a8397b1dcdafULL);
}

} // namespace
} // namespace aureole
