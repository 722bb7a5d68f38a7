#include "image/pictures/foreign_picture.h"

#include "image/pictures/signature.h"

namespace aureole {

std::optional<ForeignPicture> foreignPicture(std::span<const std::byte> bytes) {
    if (startsWith(bytes, "\xabKTX 11\xbb")) {
        return ForeignPicture{"a KTX file of version 1",
                              "'ktx2ktx2' and then 'ktx extract' of Khronos' KTX tools make a PNG of it, or an EXR "
                              "where it has floats"};
    }
    if (startsWith(bytes, "\xabKTX")) {
        return ForeignPicture{"a KTX file",
                              "'ktx extract' of Khronos' KTX tools makes a PNG of it, or an EXR where it has floats"};
    }
    if (startsWith(bytes, "DDS ")) {
        return ForeignPicture{"a DDS file", "ImageMagick's 'convert' makes a PNG of it"};
    }
    return std::nullopt;
}

} // namespace aureole
