#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "image/image.h"

namespace aureole {

/// A Radiance picture (.hdr) in the form that stb_image reads: rows from the top, pixels from the left, plain or with
/// run lengths of each channel. Radiance itself writes pictures in all eight orders, and its first versions wrote runs
/// of whole pixels, which stb_image would take for pixels.
struct PlainHdr {
    std::vector<std::byte> bytes; ///< empty where the file has that form, or is too damaged to tell
    bool columns = false;         ///< a row of `bytes` is a column of the picture
    bool fromRight = false;       ///< the first column is the right one
    bool fromBottom = false;
};

PlainHdr plainHdr(std::span<const std::byte> file);

/// Bytes that the pixels of a picture take at least, and those that are there: flat, or with runs of each channel.
/// Equal where the header does not say the size.
struct HdrBytes {
    std::uint64_t least = 0;
    std::uint64_t found = 0;
};
HdrBytes bytesOfPixels(std::span<const std::byte> file);

/// What was read of `plain.bytes` as the picture that the file means.
Image placedHdr(const Image& read, const PlainHdr& plain);

} // namespace aureole
