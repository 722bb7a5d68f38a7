#include "import/pictures/texture_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/error.h"
#include "image/exr/exr.h"
#include "image/image_file.h"
#include "image/pictures/foreign_picture.h"
#include "image/pictures/hdr_read.h"
#include "image/pictures/rgba8.h"
#include "image/pictures/signature.h"
#include "image/png/png.h"
#include "import/isolated_model.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

constexpr std::uintmax_t kMaxTextureBytes = std::uintmax_t{1} << 31U;

Texture colourTexture(Rgba8 pixels, const std::string& name) {
    return {name, pixels.width, pixels.height, std::move(pixels.rgba)};
}

/// A picture of linear light. What is below 0, or no number, is none; what no surface gives off is the most of halves.
Texture lightTexture(const Image& image, const std::string& name) {
    constexpr float kMostLight = 65504.0F;
    requireSides(image.width, image.height, kMaxTextureSide, name);
    const std::array<const Channel*, 3> rgb = image.rgb(name);
    const Channel* const alpha = image.find("A");
    Texture texture{name, image.width, image.height, {}};
    texture.light.reserve(image.pixelCount());
    texture.rgba.reserve(4 * image.pixelCount());
    const auto add = [&](float value) {
        texture.rgba.push_back(static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(value, 0.0F, 1.0F))));
    };
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        glm::vec3& light = texture.light.emplace_back(0.0F);
        for (std::size_t c = 0; c < rgb.size(); ++c) {
            const float value = rgb[c]->values[i];
            light[static_cast<glm::length_t>(c)] = value > 0.0F ? std::min(value, kMostLight) : 0.0F;
            add(light[static_cast<glm::length_t>(c)]);
        }
        add(alpha == nullptr ? 1.0F : alpha->values[i] > 0.0F ? alpha->values[i] : 0.0F);
    }
    return texture;
}

/// The formats of other programs by name, the rest by their first bytes.
[[noreturn]] void failUnknown(std::span<const std::byte> bytes, const std::string& name) {
    if (const std::optional<ForeignPicture> foreign = foreignPicture(bytes)) {
        fail(ExitCode::BadInput, "{}: found {}, expected a picture: {}; {}", name, foreign->name,
             imageFormatNames(ImageUse::Read), foreign->advice);
    }
    std::string found;
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 4); ++i) {
        found += fmt::format("{}{:02x}", i == 0 ? "" : " ", std::to_integer<unsigned>(bytes[i]));
    }
    fail(ExitCode::BadInput, "{}: found a file that starts with the bytes '{}', expected a picture: {}", name, found,
         imageFormatNames(ImageUse::Read));
}

} // namespace

Texture decodeTexture(std::span<const std::byte> bytes, const std::string& name) {
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) {
        return colourTexture(decodePngRgba8(bytes, name, kMaxTextureSide), name);
    }
    if (startsWith(bytes, "\x76\x2f\x31\x01")) {
        return lightTexture(decodeExr({bytes.begin(), bytes.end()}, name), name);
    }
    if (looksLikeHdr(bytes)) {
        return lightTexture(decodePicture(bytes, name), name);
    }
    if (std::optional<Rgba8> pixels = decodeRgba8(bytes, name, kMaxTextureSide)) {
        return colourTexture(std::move(*pixels), name);
    }
    failUnknown(bytes, name);
}

Texture decodeTexture(const InputFile& file) {
    return decodeTexture(file.readAll(kMaxTextureBytes), file.name());
}

Texture loadTexture(const std::filesystem::path& file) {
    const InputFile open = InputFile::open(file, Links::Refuse);
    if (sandbox::settings().isolation != sandbox::Isolation::None) {
        return readTextureIsolated(open);
    }
    return decodeTexture(open);
}

} // namespace aureole
