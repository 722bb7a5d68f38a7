#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace aureole {

/// What to do about a picture in a KTX file, of either version.
inline constexpr std::string_view kKtxAdvice =
    "'ktx extract' of Khronos' KTX tools makes a PNG of it, or an EXR where it has floats; version 1 takes 'ktx2ktx2' "
    "first";

/// A format of pictures that other programs read.
struct ForeignPicture {
    std::string_view name;   ///< "a KTX file"
    std::string_view advice; ///< what makes another of it
};

/// The format of a file by its first 12 bytes; none where it is not one of those that are known by name alone.
std::optional<ForeignPicture> foreignPicture(std::span<const std::byte> bytes);

} // namespace aureole
