#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aureole {

/// The pixels of a picture file of 8 bits a channel, as they stand in it: no gamma, no colour profile.
struct Rgba8 {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool alpha = false;             ///< the file has alpha; else that of all pixels is 255
    std::vector<std::uint8_t> rgba; ///< row by row, the top row first
};

/// Decodes a JPEG, WebP, BMP or TGA file that is held in memory, told apart by its first bytes (TGA, which has no
/// signature, by a sane header). Nothing where it is none of these. Throws Error (BadInput) naming `file` for damage, a
/// file that ends early, animation, CMYK, and more than `longestSide` pixels a side.
std::optional<Rgba8> decodeRgba8(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide);

/// The decoders behind decodeRgba8; each expects that the signature was looked at. Same errors.
Rgba8 decodeJpeg(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide);
Rgba8 decodeWebP(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide);
Rgba8 decodeByStb(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide);

/// Whether the first bytes are those of a BMP, or could be those of a TGA.
bool looksLikeBmp(std::span<const std::byte> bytes);
bool looksLikeTga(std::span<const std::byte> bytes);

/// Throws Error (BadInput) for a picture without pixels or with more than `longestSide` a side.
void requireSides(std::uint64_t width, std::uint64_t height, std::uint32_t longestSide, const std::string& file);

} // namespace aureole
