#include "core/lines.h"

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(Lines, AreThoseWithText) {
    EXPECT_EQ(linesOf("a\n\nb c\n"), (std::vector<std::string>{"a", "b c"}));
    EXPECT_TRUE(linesOf("\n").empty());
}

TEST(Lines, BreakAtTheLastSpaceThatFits) {
    EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
    EXPECT_EQ(wrapped("one two three", 6), "one\ntwo\nthree");
    EXPECT_EQ(wrapped("one two", 7), "one two");
    EXPECT_EQ(wrapped("indivisible", 4), "indivisible") << "there is no space";
}

} // namespace
} // namespace aureole
