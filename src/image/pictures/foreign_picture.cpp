#include "image/pictures/foreign_picture.h"

#include <string_view>

#include "image/pictures/signature.h"

namespace aureole {

std::optional<ForeignPicture> foreignPicture(std::span<const std::byte> bytes) {
    if (startsWith(bytes, "\xabKTX")) {
        return ForeignPicture{"a KTX file", kKtxAdvice};
    }
    struct Format {
        std::string_view signature;
        std::string_view name;
    };
    using namespace std::string_view_literals; // some hold a zero
    for (const Format& format :
         {Format{"DDS ", "a DDS file"}, Format{"GIF8", "a GIF file"}, Format{"8BPS", "a PSD file"},
          Format{"II*\0"sv, "a TIFF file"}, Format{"MM\0*"sv, "a TIFF file"}}) {
        if (startsWith(bytes, format.signature)) {
            return ForeignPicture{format.name, "ImageMagick's 'convert' makes a PNG of it"};
        }
    }
    return std::nullopt;
}

} // namespace aureole
