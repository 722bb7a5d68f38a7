#include "import/pictures/texture_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "image/image_file.h"
#include "image/pictures/foreign_picture.h"
#include "image/pictures/hdr_read.h"
#include "image/pictures/rgba8.h"
#include "image/pictures/signature.h"
#include "import/isolated_model.h"
#include "import/pictures/image_decode.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

constexpr std::uintmax_t kMaxTextureBytes = std::uintmax_t{1} << 31U;

/// Of formats that aureole reads elsewhere, or that programs of games write: what to do.
std::string adviceOn(std::span<const std::byte> bytes) {
    if (looksLikeHdr(bytes) || startsWith(bytes, "\x76\x2f\x31\x01")) {
        return ": textures have 8 bits a channel; 'aureole convert' makes a PNG of it";
    }
    const std::optional<ForeignPicture> foreign = foreignPicture(bytes);
    return foreign ? fmt::format(": {}", foreign->advice) : "";
}

} // namespace

Texture decodeTexture(std::span<const std::byte> bytes, const std::string& name) {
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) {
        return decodePng(bytes, name);
    }
    if (std::optional<Rgba8> pixels = decodeRgba8(bytes, name, kMaxTextureSide)) {
        Texture texture;
        texture.name = name;
        texture.width = pixels->width;
        texture.height = pixels->height;
        texture.rgba = std::move(pixels->rgba);
        return texture;
    }
    std::string found;
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 4); ++i) {
        found += fmt::format("{}{:02x}", i == 0 ? "" : " ", std::to_integer<unsigned>(bytes[i]));
    }
    fail(ExitCode::BadInput, "{}: found a file that starts with the bytes '{}', expected a {} picture{}", name, found,
         imageFormatNames(ImageUse::Texture), adviceOn(bytes));
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
