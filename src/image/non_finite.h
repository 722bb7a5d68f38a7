#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "image/image.h"

namespace aureole {

/// Where an image holds NaN or infinity.
struct NonFinite {
    std::size_t count = 0;
    std::string channel; ///< of the first one: by channel in the order given, then by row, then by column
    std::uint32_t x = 0;
    std::uint32_t y = 0;

    explicit operator bool() const { return count > 0; }
    /// For messages: "3 values that are not finite, the first in channel R at (4, 7)".
    std::string describe() const;
};

/// Counts the values of `channels` that are NaN or infinite. All have `width` columns; a channel given twice counts
/// once (as in the rgb() of a grey image).
NonFinite findNonFinite(std::span<const Channel* const> channels, std::uint32_t width);

/// Counts those of all channels of the image.
NonFinite findNonFinite(const Image& image);

} // namespace aureole
