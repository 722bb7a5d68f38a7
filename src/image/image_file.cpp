#include "image/image_file.h"

#include <array>
#include <string>

#include "core/extension.h"
#include "core/suggest.h"
#include "image/exr/exr.h"
#include "image/png/png.h"

namespace aureole {

ImageFormat imageFormat(const std::filesystem::path& path, ExitCode code) {
    const std::array<std::string, 2> known = {".exr", ".png"};
    const std::string extension = lowerExtension(path);
    if (extension == known[0]) {
        return ImageFormat::Exr;
    }
    if (extension == known[1]) {
        return ImageFormat::Png;
    }
    fail(code, "{}: found {}, expected an image file ending in .exr or .png{}", path.string(),
         extension.empty() ? "no extension" : "the extension '" + extension + "'", didYouMean(extension, known));
}

Image readImage(const std::filesystem::path& path, Links links) {
    switch (imageFormat(path, ExitCode::BadInput)) {
    case ImageFormat::Exr:
        return readExr(path, links);
    case ImageFormat::Png:
        return readPng(path, PngTransfer::Srgb, links);
    }
    fail(ExitCode::Internal, "{}: an image format without a reader", path.string());
}

void writeImage(const std::filesystem::path& path, const Image& image) {
    switch (imageFormat(path, ExitCode::Usage)) {
    case ImageFormat::Exr:
        writeExr(path, image);
        return;
    case ImageFormat::Png:
        writePng(path, image);
        return;
    }
}

} // namespace aureole
