#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/input_file.h"
#include "image/image.h"

namespace aureole {

enum class ExrCompression { None, Rle, Zips, Zip, Piz };

enum class ExrPixelType {
    Float, ///< 32 bits
    Half,  ///< 16 bits; finite values beyond +-65504 are clamped to that, with a warning
};

struct ExrOptions {
    ExrCompression compression = ExrCompression::Zip;
    ExrPixelType pixelType = ExrPixelType::Float;
};

/// Reads an OpenEXR file: scanlines or tiles (of a mip-mapped file the finest level) of any compression but HTJ2K. Half
/// and unsigned channels become floats (integers are exact to 2^24). Channels keep their full names and the order of
/// the file. Of several parts, the first that has a colour is the picture, and those of the same data window are its
/// layers: their channels have the part's name in front. Deep parts and those of other windows are left out, with a
/// warning; a file that has only deep ones is an error. The image is the file's data window, wherever that lies: where
/// it is a part of the display window, the attributes aureole.crop and aureole.size say which. Attributes of type
/// string become Image::attributes, others (but for the standard ones and previews) Image::typedAttributes. Throws
/// Error (BadInput) on anything else, damaged files included. Read by a worker, as sandbox/settings.h has it.
Image readExr(const std::filesystem::path& path, Links links = Links::Follow);

/// What readExr would give, without the pixels: their channels have names and no values. Reads the head of the file
/// alone. Throws Error (BadInput).
Image readExrHead(const std::filesystem::path& path);

/// readExr on the bytes of a file; `file` names it in messages.
Image decodeExr(std::vector<std::byte> bytes, const std::string& file);

/// readExr of a file that is open, here and now: in no worker.
Image decodeExr(const InputFile& file);

/// Writes all channels in alphabetical order, the image's attributes, and the standard ones: Rec. 709 chromaticities,
/// data and display window from (0, 0), square pixels, rows from the top. The file is there whole or not at all.
/// Throws Error (CannotWrite), also where a name cannot stand in an EXR file.
void writeExr(const std::filesystem::path& path, const Image& image, const ExrOptions& options = {});

/// writeExr into memory; `file` names the image in messages.
std::vector<std::byte> encodeExr(const Image& image, const ExrOptions& options, const std::string& file);

} // namespace aureole
