#include "image/pictures/foreign_picture.h"

#include "image/pictures/signature.h"

namespace aureole {

std::optional<ForeignPicture> foreignPicture(std::span<const std::byte> bytes) {
    if (startsWith(bytes, "\xabKTX")) {
        return ForeignPicture{"a KTX file", kKtxAdvice};
    }
    if (startsWith(bytes, "DDS ")) {
        return ForeignPicture{"a DDS file", "ImageMagick's 'convert' makes a PNG of it"};
    }
    return std::nullopt;
}

} // namespace aureole
