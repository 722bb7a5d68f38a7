#include "core/index_ranges.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "core/error.h"

namespace aureole {

void appendRange(IndexRanges& ranges, const IndexRange& next) {
    if (!ranges.empty() && ranges.back().second == next.first) {
        ranges.back().second = next.second;
    } else {
        ranges.push_back(next);
    }
}

IndexRanges joinRanges(IndexRanges ranges, const std::string& place) {
    std::sort(ranges.begin(), ranges.end());
    IndexRanges joined;
    for (const auto& range : ranges) {
        if (!joined.empty() && range.first < joined.back().second) {
            fail(ExitCode::BadInput, "{}: found {}:{} and {}:{}, which overlap, expected ranges apart", place,
                 joined.back().first, joined.back().second, range.first, range.second);
        }
        appendRange(joined, range);
    }
    return joined;
}

IndexRanges uniteRanges(IndexRanges ranges) {
    std::sort(ranges.begin(), ranges.end());
    IndexRanges joined;
    for (const auto& [first, end] : ranges) {
        if (!joined.empty() && first <= joined.back().second) {
            joined.back().second = std::max(joined.back().second, end);
        } else {
            joined.emplace_back(first, end);
        }
    }
    return joined;
}

IndexRanges rangesWithout(const IndexRanges& ranges, const IndexRanges& others) {
    IndexRanges left;
    for (auto [first, end] : ranges) {
        for (const auto& other : others) {
            if (first < std::min(other.first, end)) {
                left.emplace_back(first, std::min(other.first, end));
            }
            first = std::max(first, other.second);
        }
        if (first < end) {
            left.emplace_back(first, end);
        }
    }
    return left;
}

std::string formatRanges(const IndexRanges& ranges) {
    std::string text;
    for (const auto& [first, end] : ranges) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", first, end);
    }
    return text;
}

IndexRanges parseRanges(const std::string& text, const std::string& place) {
    IndexRanges ranges;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&](std::uint32_t& value) {
        const auto [next, error] = std::from_chars(at, end, value);
        const bool good = error == std::errc();
        at = next;
        return good;
    };
    while (true) {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        if (!number(first) || at == end || *at++ != ':' || !number(last) || last <= first) {
            fail(ExitCode::BadInput, "{}: found '{}', expected first:end with first below end, as in 0:64", place,
                 text);
        }
        ranges.emplace_back(first, last);
        if (at == end) {
            return joinRanges(std::move(ranges), place);
        }
        if (*at++ != ',') {
            fail(ExitCode::BadInput, "{}: found '{}', expected ranges separated by commas, as in 0:64,128:192", place,
                 text);
        }
    }
}

} // namespace aureole
