#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/input_file.h"
#include "image/image.h"
#include "image/pictures/rgba8.h"

namespace aureole {

/// How the colours stored in a PNG relate to those of the image. Alpha is linear either way.
enum class PngTransfer {
    Srgb,   ///< through the sRGB curve, or the power that the file's gAMA chunk names
    Linear, ///< as they are, scaled to [0, 1]: normal maps, roughness, masks
};

struct PngOptions {
    int bitDepth = 8; ///< 8 or 16
    PngTransfer transfer = PngTransfer::Srgb;
    std::map<std::string, std::string> text{}; ///< short ones that are noted by name, in Latin-1
};

/// Reads a PNG of any colour type and depth into R, G, B or Y, and A where the file has alpha or a transparent colour;
/// values in [0, 1]; texts named "aureole.*" become attributes. Colour profiles and other primaries are warned of and
/// not applied. Throws Error (BadInput) on a file that is damaged, ends early or is too large.
Image readPng(const std::filesystem::path& path, PngTransfer transfer = PngTransfer::Srgb, Links links = Links::Follow);

/// readPng on the bytes of a file; `file` names it in messages.
Image decodePng(std::span<const std::byte> bytes, const std::string& file, PngTransfer transfer = PngTransfer::Srgb);

/// readPng of a file that is open, here and now: in no worker.
Image decodePng(const InputFile& file, PngTransfer transfer);

/// The pixels of a PNG as they stand in it, rounded to 8 bits a channel; grey and palette become RGB. Throws Error
/// (BadInput) as readPng, and for more than `longestSide` pixels a side.
Rgba8 decodePngRgba8(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide);

/// Writes the colour (R, G, B, or grey) and, where there is one, the alpha (A) of a display-referred image: linear
/// values, clipped to [0, 1] and rounded to the nearest step. NaN becomes 0, with a warning. The file is there whole or
/// not at all. Throws Error (CannotWrite).
void writePng(const std::filesystem::path& path, const Image& image, const PngOptions& options = {});

/// writePng into memory; `file` names the image in messages.
std::vector<std::byte> encodePng(const Image& image, const PngOptions& options, const std::string& file);

} // namespace aureole
