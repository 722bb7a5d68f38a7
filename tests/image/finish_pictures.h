#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "image/finish/finish.h"

namespace aureole::testing {

/// An even picture with all of R, G, B.
inline Image evenPicture(std::uint32_t width, std::uint32_t height, float value) {
    Image image = makeImage(width, height, {"R", "G", "B"});
    for (Channel& channel : image.channels) {
        std::fill(channel.values.begin(), channel.values.end(), value);
    }
    return image;
}

inline Image finished(Image image, const FinishSettings& settings) {
    Finish(settings).apply(image, "picture");
    return image;
}

} // namespace aureole::testing
