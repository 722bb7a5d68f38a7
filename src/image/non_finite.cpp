#include "image/non_finite.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/threads/parallel.h"

namespace aureole {

namespace {

struct BadValues {
    std::size_t count = 0;
    std::size_t first = 0; ///< the index of the first of them
};

BadValues badValues(const std::vector<float>& values) {
    const std::vector<BadValues> ofEach = ofRuns(values.size(), [&](std::size_t first, std::size_t end) {
        BadValues bad;
        for (std::size_t i = first; i < end; ++i) {
            if (!std::isfinite(values[i]) && bad.count++ == 0) {
                bad.first = i;
            }
        }
        return bad;
    });
    BadValues all;
    for (const BadValues& bad : ofEach) {
        all.first = all.count == 0 ? bad.first : all.first;
        all.count += bad.count;
    }
    return all;
}

} // namespace

std::string NonFinite::describe() const {
    return fmt::format("{} value{} not finite, the first in channel {} at ({}, {})", count,
                       count == 1 ? " that is" : "s that are", channel, x, y);
}

NonFinite findNonFinite(std::span<const Channel* const> channels, std::uint32_t width) {
    NonFinite result;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const auto before = channels.first(c);
        if (std::find(before.begin(), before.end(), channels[c]) != before.end()) {
            continue;
        }
        const BadValues bad = badValues(channels[c]->values);
        if (result.count == 0 && bad.count > 0) {
            result.channel = channels[c]->name;
            result.x = static_cast<std::uint32_t>(bad.first % width);
            result.y = static_cast<std::uint32_t>(bad.first / width);
        }
        result.count += bad.count;
    }
    return result;
}

NonFinite findNonFinite(const Image& image) {
    std::vector<const Channel*> channels;
    channels.reserve(image.channels.size());
    for (const Channel& channel : image.channels) {
        channels.push_back(&channel);
    }
    return findNonFinite(channels, image.width);
}

} // namespace aureole
