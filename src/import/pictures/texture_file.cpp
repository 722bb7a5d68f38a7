#include "import/pictures/texture_file.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "import/isolated_model.h"
#include "import/pictures/image_decode.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

constexpr std::uintmax_t kMaxTextureBytes = std::uintmax_t{1} << 31U;

template <std::size_t N>
bool startsWith(std::span<const std::byte> bytes, const std::array<unsigned char, N>& signature) {
    return bytes.size() >= N && std::equal(signature.begin(), signature.end(), bytes.begin(),
                                           [](unsigned char a, std::byte b) { return std::byte{a} == b; });
}

} // namespace

void checkTextureSize(std::size_t width, std::size_t height, const std::string& name) {
    if (width == 0 || height == 0 || width > kMaxTextureSide || height > kMaxTextureSide) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, expected 1 to {} a side", name, width, height,
             kMaxTextureSide);
    }
}

Texture decodeTexture(std::span<const std::byte> bytes, const std::string& name) {
    constexpr std::array<unsigned char, 8> kPng = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    constexpr std::array<unsigned char, 3> kJpeg = {0xff, 0xd8, 0xff};
    if (startsWith(bytes, kPng)) {
        return decodePng(bytes, name);
    }
    if (startsWith(bytes, kJpeg)) {
        return decodeJpeg(bytes, name);
    }
    std::string found;
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 4); ++i) {
        found += fmt::format("{}{:02x}", i == 0 ? "" : " ", std::to_integer<unsigned>(bytes[i]));
    }
    fail(ExitCode::BadInput, "{}: found a file that starts with the bytes '{}', expected a PNG or JPEG picture", name,
         found);
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
