#include "core/divide_up.h"

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(DivideUp, RoundsUp) {
    EXPECT_EQ(divideUp(0, 7), 0U);
    EXPECT_EQ(divideUp(7, 7), 1U);
    EXPECT_EQ(divideUp(8, 7), 2U);
    EXPECT_EQ(divideUp(0xFFFFFFFFU, 2), 0x80000000U);
    EXPECT_EQ(divideUp(1ULL << 40, 1ULL << 20), 1U << 20);
}

} // namespace
} // namespace aureole
