#include "image/non_finite.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace aureole {

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
        const std::vector<float>& values = channels[c]->values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i])) {
                continue;
            }
            if (result.count++ == 0) {
                result.channel = channels[c]->name;
                result.x = static_cast<std::uint32_t>(i % width);
                result.y = static_cast<std::uint32_t>(i / width);
            }
        }
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
