#include "image/image_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/extension.h"
#include "core/image_limits.h"
#include "core/suggest.h"
#include "image/colour/srgb.h"
#include "image/exr/exr.h"
#include "image/isolated_image.h"
#include "image/pictures/foreign_picture.h"
#include "image/pictures/hdr_read.h"
#include "image/pictures/rgba8.h"
#include "image/pictures/signature.h"
#include "image/png/png.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

constexpr std::uintmax_t kMaximumPictureBytes = std::uintmax_t{1} << 32U;

bool isFor(const ImageFormatInfo& info, ImageUse use) {
    return use == ImageUse::Read || info.written;
}

/// The format of the extension, among those of that use.
std::optional<ImageFormat> findFormat(const std::filesystem::path& path, ImageUse use) {
    const std::string extension = lowerExtension(path);
    for (const ImageFormatInfo& info : imageFormats()) {
        for (const std::string& known : info.extensions) {
            if (isFor(info, use) && extension == "." + known) {
                return info.format;
            }
        }
    }
    return std::nullopt;
}

/// The bytes by which formats are told apart; none of a file that cannot be read, of which who reads it says why.
std::vector<std::byte> startOf(const std::filesystem::path& path) {
    try {
        constexpr std::uint64_t kLongestSignature = 12;
        return InputFile::open(path).readStart(kLongestSignature, std::numeric_limits<std::uint64_t>::max());
    } catch (const Error&) {
        return {};
    }
}

/// The format that a file's first bytes say; TGA files have none of their own.
std::optional<ImageFormat> formatOfContent(std::span<const std::byte> bytes) {
    if (startsWith(bytes, "\x76\x2f\x31\x01")) {
        return ImageFormat::Exr;
    }
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) {
        return ImageFormat::Png;
    }
    if (startsWith(bytes, "\xff\xd8\xff")) {
        return ImageFormat::Jpeg;
    }
    if (looksLikeHdr(bytes)) {
        return ImageFormat::Hdr;
    }
    if (looksLikeBmp(bytes)) {
        return ImageFormat::Bmp;
    }
    constexpr std::size_t kRiffSize = 8;
    const bool isWebP =
        bytes.size() > kRiffSize && startsWith(bytes, "RIFF") && startsWith(bytes.subspan(kRiffSize), "WEBP");
    return isWebP ? std::optional(ImageFormat::WebP) : std::nullopt;
}

/// The extensions of that use, as in ".exr, .png or .jpg".
std::string extensionList(ImageUse use) {
    const std::vector<std::string> known = imageExtensions(use);
    std::string list;
    for (const std::string& name : known) {
        list += (list.empty() ? "." : &name == &known.back() ? " or ." : ", .") + name;
    }
    return list;
}

[[noreturn]] void failUnknown(const std::filesystem::path& path, ImageUse use, ExitCode code) {
    const std::string extension = lowerExtension(path);
    std::vector<std::string> known = imageExtensions(use);
    for (std::string& name : known) {
        name.insert(0, 1, '.');
    }
    fail(code, "{}: found {}, expected an image file ending in {}{}", path.string(),
         extension.empty() ? "no extension" : "the extension '" + extension + "'", extensionList(use),
         didYouMean(extension, known));
}

/// Pixels of 8 bits, through the sRGB curve.
Image linearImage(const Rgba8& pixels) {
    constexpr std::size_t kStride = 4;
    std::array<float, 256> linear{};
    for (std::size_t i = 0; i < linear.size(); ++i) {
        linear[i] = static_cast<float>(srgbDecode(static_cast<double>(i) / 255.0));
    }
    Image image = makeImage(pixels.width, pixels.height, {"R", "G", "B"});
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        std::vector<float>& values = image.channels[c].values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = linear[pixels.rgba[i * kStride + c]];
        }
    }
    if (pixels.alpha) {
        std::vector<float>& values = image.add("A").values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(pixels.rgba[i * kStride + 3]) / 255.0F;
        }
    }
    return image;
}

} // namespace

std::span<const ImageFormatInfo> imageFormats() {
    static const std::vector<ImageFormatInfo> kFormats = {
        {ImageFormat::Exr, "EXR", {"exr"}, true},
        {ImageFormat::Png, "PNG", {"png"}, true},
        {ImageFormat::Jpeg, "JPEG", {"jpg", "jpeg"}, false},
        {ImageFormat::WebP, "WebP", {"webp"}, false},
        {ImageFormat::Tga, "TGA", {"tga"}, false},
        {ImageFormat::Bmp, "BMP", {"bmp"}, false},
        {ImageFormat::Hdr, "Radiance HDR", {"hdr"}, false},
    };
    return kFormats;
}

std::string imageFormatNames(ImageUse use) {
    std::vector<std::string_view> names;
    for (const ImageFormatInfo& info : imageFormats()) {
        if (isFor(info, use)) {
            names.push_back(info.name);
        }
    }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
    }
    return text;
}

std::vector<std::string> imageExtensions(ImageUse use) {
    std::vector<std::string> extensions;
    for (const ImageFormatInfo& info : imageFormats()) {
        if (isFor(info, use)) {
            extensions.insert(extensions.end(), info.extensions.begin(), info.extensions.end());
        }
    }
    return extensions;
}

bool isImageFile(const std::filesystem::path& path) {
    return findFormat(path, ImageUse::Read).has_value();
}

bool isLinear(ImageFormat format) {
    return format == ImageFormat::Exr || format == ImageFormat::Hdr;
}

ImageFormat imageFormat(const std::filesystem::path& path) {
    const std::vector<std::byte> start = startOf(path);
    if (const std::optional<ForeignPicture> foreign = foreignPicture(start)) {
        fail(ExitCode::BadInput, "{}: found {}, expected an image file ending in {}: {}", path.string(), foreign->name,
             extensionList(ImageUse::Read), foreign->advice);
    }
    std::optional<ImageFormat> format = formatOfContent(start);
    format = format ? format : findFormat(path, ImageUse::Read);
    if (!format) {
        failUnknown(path, ImageUse::Read, ExitCode::BadInput);
    }
    return *format;
}

ImageFormat outputFormat(const std::filesystem::path& path) {
    const std::optional<ImageFormat> format = findFormat(path, ImageUse::Write);
    if (!format) {
        failUnknown(path, ImageUse::Write, ExitCode::Usage);
    }
    return *format;
}

Image decodePicture(std::span<const std::byte> bytes, const std::string& file) {
    if (looksLikeHdr(bytes)) {
        return decodeHdr(bytes, file);
    }
    if (const std::optional<Rgba8> pixels = decodeRgba8(bytes, file, kMaximumImageSide)) {
        return linearImage(*pixels);
    }
    fail(ExitCode::BadInput, "{}: found other content, expected that of a JPEG, WebP, TGA, BMP or Radiance HDR picture",
         file);
}

Image decodePicture(const InputFile& file) {
    return decodePicture(file.readAll(kMaximumPictureBytes), file.name());
}

Image readImage(const std::filesystem::path& path, Links links) {
    switch (imageFormat(path)) {
    case ImageFormat::Exr:
        return readExr(path, links);
    case ImageFormat::Png:
        return readPng(path, PngTransfer::Srgb, links);
    default:
        break;
    }
    const InputFile file = InputFile::open(path, links);
    if (sandbox::settings().isolation != sandbox::Isolation::None) {
        return readImageIsolated(file, sandbox::Job::Picture);
    }
    return decodePicture(file);
}

void writeImage(const std::filesystem::path& path, const Image& image) {
    if (outputFormat(path) == ImageFormat::Exr) {
        writeExr(path, image);
    } else {
        writePng(path, image);
    }
}

} // namespace aureole
