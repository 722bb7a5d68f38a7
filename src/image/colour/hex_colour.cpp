#include "image/colour/hex_colour.h"

#include "image/colour/srgb.h"

namespace aureole {

namespace {

int hexDigit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

std::optional<glm::vec3> colourFromHex(std::string_view text) {
    if (text.size() != 7 || text[0] != '#') {
        return std::nullopt;
    }
    glm::vec3 colour(0.0F);
    for (int i = 0; i < 3; ++i) {
        const std::size_t at = 1 + 2 * static_cast<std::size_t>(i);
        const int high = hexDigit(text[at]);
        const int low = hexDigit(text[at + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        colour[i] = static_cast<float>(srgbDecode((16 * high + low) / 255.0));
    }
    return colour;
}

} // namespace aureole
