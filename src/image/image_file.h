#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.h"
#include "image/image.h"

namespace aureole {

enum class ImageFormat { Exr, Png, Jpeg, WebP, Tga, Bmp, Hdr };

/// A format of picture files. Help, completion and messages are made of the list of these.
struct ImageFormatInfo {
    ImageFormat format = ImageFormat::Exr;
    std::string_view name;
    std::vector<std::string> extensions; ///< lower case, without the dot
    bool written = false;                ///< else it is only read
};

std::span<const ImageFormatInfo> imageFormats();

enum class ImageUse { Read, Write };

/// The names of all formats of that use: "EXR or PNG".
std::string imageFormatNames(ImageUse use);

/// Their extensions, lower case, without the dot.
std::vector<std::string> imageExtensions(ImageUse use);

/// Whether readImage reads files of that extension.
bool isImageFile(const std::filesystem::path& path);

/// Whether files of that format hold light as it is, and not what a display is sent.
bool isLinear(ImageFormat format);

/// The format of a picture file that is read: what its first bytes say, where they do, else what its extension names,
/// in any case. Throws Error (BadInput) listing the extensions.
ImageFormat imageFormat(const std::filesystem::path& path);

/// The format of a picture file that is to be written, by its extension. Throws Error (Usage).
ImageFormat outputFormat(const std::filesystem::path& path);

/// Reads a picture as linear Rec. 709: EXR (exr/exr.h), PNG (png/png.h), or one of the other formats. Those of 8 bits
/// give R, G, B, and A where the file has alpha, through the sRGB curve; Radiance pictures R, G, B as they are. Throws
/// Error (BadInput), as for links that are refused (core/input_file.h). Read by a worker, as sandbox/settings.h has it.
Image readImage(const std::filesystem::path& path, Links links = Links::Follow);

/// readImage of the formats that are told apart by their first bytes; `file` names the picture in messages.
Image decodePicture(std::span<const std::byte> bytes, const std::string& file);

/// decodePicture of a file that is open, here and now: in no worker.
Image decodePicture(const InputFile& file);

/// Writes an EXR (fp32, ZIP) or a PNG (8 bits, sRGB, clipped to [0, 1]: tone map first), told apart by extension.
/// Throws Error (Usage) for an unknown extension, (CannotWrite) otherwise.
void writeImage(const std::filesystem::path& path, const Image& image);

} // namespace aureole
