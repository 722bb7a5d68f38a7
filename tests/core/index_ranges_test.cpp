#include "core/index_ranges.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace aureole {
namespace {

TEST(IndexRanges, AreReadAndWritten) {
    EXPECT_EQ(parseRanges("0:4,6:8"), (IndexRanges{{0, 4}, {6, 8}}));
    EXPECT_EQ(formatRanges(parseRanges("6:8,0:6")), "0:8");
    for (const char* bad : {"", "4", "4:", "4:4", "5:2", "0:4;5:6", "0:4,", "-1:3", "0:4,2:6", "0:99999999999"}) {
        EXPECT_THROW(parseRanges(bad), Error) << bad;
    }
}

TEST(IndexRanges, HaveDifferences) {
    const auto without = [](const char* ranges, const char* others) {
        return formatRanges(rangesWithout(parseRanges(ranges), parseRanges(others)));
    };
    EXPECT_EQ(without("0:10", "0:10"), "");
    EXPECT_EQ(without("0:10", "2:4,6:8"), "0:2,4:6,8:10");
    EXPECT_EQ(without("2:4,6:8", "0:3,7:12"), "3:4,6:7");
    EXPECT_EQ(without("2:4", "0:2,4:6"), "2:4");
    EXPECT_EQ(formatRanges(rangesWithout({{1, 5}}, {})), "1:5");
}

TEST(IndexRanges, AreJoinedWhereTheyTouch) {
    IndexRanges ranges;
    for (const IndexRange& next : IndexRanges{{0, 4}, {4, 6}, {7, 9}}) {
        appendRange(ranges, next);
    }
    EXPECT_EQ(formatRanges(ranges), "0:6,7:9");
    EXPECT_EQ(formatRanges(uniteRanges({{7, 9}, {0, 5}, {3, 4}, {5, 6}})), "0:6,7:9");
    EXPECT_THROW(joinRanges({{0, 5}, {3, 6}}), Error);
}

} // namespace
} // namespace aureole
