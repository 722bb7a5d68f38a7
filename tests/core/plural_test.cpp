#include "core/plural.h"

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(Plural, OneHasNone) {
    EXPECT_EQ(countOf(0, "part"), "0 parts");
    EXPECT_EQ(countOf(1, "part"), "1 part");
    EXPECT_EQ(countOf(2, "further part"), "2 further parts");
}

} // namespace
} // namespace aureole
