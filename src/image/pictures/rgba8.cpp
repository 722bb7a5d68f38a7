#include "image/pictures/rgba8.h"

#include <string_view>

#include "core/error.h"
#include "image/pictures/signature.h"

namespace aureole {

std::optional<Rgba8> decodeRgba8(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide) {
    constexpr std::size_t kRiffSize = 8;
    if (startsWith(bytes, "\xff\xd8\xff")) {
        return decodeJpeg(bytes, file, longestSide);
    }
    if (startsWith(bytes, "RIFF") && bytes.size() > kRiffSize && startsWith(bytes.subspan(kRiffSize), "WEBP")) {
        return decodeWebP(bytes, file, longestSide);
    }
    if (looksLikeBmp(bytes) || looksLikeTga(bytes)) {
        return decodeByStb(bytes, file, longestSide);
    }
    return std::nullopt;
}

void requireSides(std::uint64_t width, std::uint64_t height, std::uint32_t longestSide, const std::string& file) {
    if (width == 0 || height == 0 || width > longestSide || height > longestSide) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, expected 1 to {} a side", file, width, height, longestSide);
    }
}

} // namespace aureole
