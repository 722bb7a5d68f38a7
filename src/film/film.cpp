#include "film/film.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"

namespace aureole {

SampleRanges joinRanges(SampleRanges ranges, const std::string& place) {
    std::sort(ranges.begin(), ranges.end());
    SampleRanges joined;
    for (const auto& range : ranges) {
        if (!joined.empty() && range.first < joined.back().second) {
            fail(ExitCode::BadInput, "{}: found {}:{} and {}:{}, which overlap, expected ranges apart", place,
                 joined.back().first, joined.back().second, range.first, range.second);
        }
        if (!joined.empty() && range.first == joined.back().second) {
            joined.back().second = range.second;
        } else {
            joined.push_back(range);
        }
    }
    return joined;
}

std::uint64_t FilmSums::sampleCount() const {
    return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& range) { return sum + (range.second - range.first); });
}

std::string formatSamples(const SampleRanges& ranges) {
    std::string text;
    for (const auto& [first, end] : ranges) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", first, end);
    }
    return text;
}

SampleRanges parseSamples(const std::string& text, const std::string& place) {
    SampleRanges ranges;
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
