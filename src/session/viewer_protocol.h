#pragma once

// What the image viewer tev takes over the network (github.com/Tom94/tev, section "Over the network"): packets, each a
// length of 32 bits that includes itself, a type of 8 bits and its fields, little-endian, texts ended by a zero.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "image/image.h"

namespace aureole {

inline constexpr std::uint8_t kViewerUpdateImage = 3;
inline constexpr std::uint8_t kViewerCreateImage = 4;

/// Opens a black image of the size and channels of `image`; one of that name is replaced.
std::vector<std::byte> createImagePacket(const std::string& name, const Image& image);

/// Puts rows [first, end) of a channel into an open image.
std::vector<std::byte> updateImagePacket(const std::string& name, const Image& image, const Channel& channel,
                                         std::uint32_t first, std::uint32_t end);

} // namespace aureole
