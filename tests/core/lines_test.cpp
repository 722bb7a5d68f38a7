#include "core/lines.h"

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(Lines, AreThoseWithText) {
    EXPECT_EQ(linesOf("a\n\nb c\n"), (std::vector<std::string>{"a", "b c"}));
    EXPECT_TRUE(linesOf("\n").empty());
}

TEST(Lines, ListsAreSplitAtEachSeparator) {
    EXPECT_EQ(splitList("a,,b c"), (std::vector<std::string>{"a", "", "b c"}));
    EXPECT_EQ(splitList("1,2;3", ';'), (std::vector<std::string>{"1,2", "3"}));
    EXPECT_EQ(splitList(""), (std::vector<std::string>{""}));
    EXPECT_EQ(splitList("a,"), (std::vector<std::string>{"a", ""}));
}

TEST(Lines, BreakAtTheLastSpaceThatFits) {
    EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
    EXPECT_EQ(wrapped("one two three", 6), "one\ntwo\nthree");
    EXPECT_EQ(wrapped("one two", 7), "one two");
    EXPECT_EQ(wrapped("indivisible", 4), "indivisible") << "there is no space";
}

} // namespace
} // namespace aureole
