#include <memory>

#include <webp/decode.h>

#include "core/error.h"
#include "image/pictures/rgba8.h"

namespace aureole {

namespace {

const char* reasonOf(VP8StatusCode status) {
    switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
        return "there is no memory for it";
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
        return "the file ends early";
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return "it has a feature that libwebp does not read";
    default:
        return "its data contradicts itself";
    }
}

void require(VP8StatusCode status, const std::string& file) {
    if (status != VP8_STATUS_OK) {
        fail(status == VP8_STATUS_OUT_OF_MEMORY ? ExitCode::OutOfMemory : ExitCode::BadInput, "{}: damaged WebP: {}",
             file, reasonOf(status));
    }
}

} // namespace

Rgba8 decodeWebP(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide) {
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0) {
        fail(ExitCode::Internal, "{}: the libwebp that was found is not the one that was compiled against", file);
    }
    require(WebPGetFeatures(data, bytes.size(), &config.input), file);
    if (config.input.has_animation != 0) {
        fail(ExitCode::BadInput, "{}: found an animated WebP, expected a single picture", file);
    }
    Rgba8 pixels{static_cast<std::uint32_t>(config.input.width),
                 static_cast<std::uint32_t>(config.input.height),
                 config.input.has_alpha != 0,
                 {}};
    requireSides(pixels.width, pixels.height, longestSide, file);
    config.output.colorspace = MODE_RGBA;
    const VP8StatusCode status = WebPDecode(data, bytes.size(), &config); // into memory that is not cleared before
    const std::unique_ptr<WebPDecBuffer, decltype(&WebPFreeDecBuffer)> output(&config.output, &WebPFreeDecBuffer);
    require(status, file);
    const WebPRGBABuffer& found = config.output.u.RGBA;
    const std::size_t row = std::size_t{pixels.width} * 4;
    pixels.rgba.reserve(row * pixels.height);
    for (std::size_t y = 0; y < pixels.height; ++y) {
        const std::uint8_t* const first = found.rgba + y * static_cast<std::size_t>(found.stride);
        pixels.rgba.insert(pixels.rgba.end(), first, first + row);
    }
    return pixels;
}

} // namespace aureole
