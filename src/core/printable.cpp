#include "core/printable.h"

#include <fmt/format.h>

namespace aureole {

namespace {

std::string escaped(std::string_view text, bool keepsLines) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool kept = keepsLines && (byte == '\n' || byte == '\t');
        const bool low = (byte < 0x20U && !kept) || byte == 0x7FU;
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        if (byte == 0xC2U && next >= 0x80U && next < 0xA0U) { // U+0080 to U+009F
            result += fmt::format("\\x{:02x}", next);
            ++i;
        } else if (low) {
            result += fmt::format("\\x{:02x}", byte);
        } else {
            result += text[i];
        }
    }
    return result;
}

} // namespace

std::string printable(std::string_view text) {
    return escaped(text, true);
}

std::string onOneLine(std::string_view text) {
    return escaped(text, false);
}

std::string excerpt(std::string_view text, std::size_t mostBytes) {
    return onOneLine(text.substr(0, mostBytes)) + (text.size() > mostBytes ? "..." : "");
}

} // namespace aureole
