#pragma once

#include <filesystem>

#include "core/error.h"
#include "core/input_file.h"
#include "image/image.h"

namespace aureole {

enum class ImageFormat { Exr, Png };

/// The format that a file's extension names, in any case. Throws Error (`code`) listing those known.
ImageFormat imageFormat(const std::filesystem::path& path, ExitCode code);

/// Reads an EXR or PNG file, told apart by extension, as linear Rec. 709. Throws Error (BadInput), as
/// for links that are refused (core/input_file.h).
Image readImage(const std::filesystem::path& path, Links links = Links::Follow);

/// Writes an EXR (fp32, ZIP) or a PNG (8 bits, sRGB, clipped to [0, 1]: tone map first), told apart by extension.
/// Throws Error (Usage) for an unknown extension, (CannotWrite) otherwise.
void writeImage(const std::filesystem::path& path, const Image& image);

} // namespace aureole
