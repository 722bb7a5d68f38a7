#include "import/assimp/stl_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/extension.h"

namespace aureole {

namespace {

constexpr std::size_t kComment = 80; ///< bytes before the number of triangles
constexpr std::size_t kHead = kComment + sizeof(std::uint32_t);
constexpr std::uint64_t kTriangle = 50;

} // namespace

void checkStl(const AssetReader& reader) {
    if (lowerExtension(reader.file()) != ".stl") {
        return;
    }
    const InputFile file = reader.openModel();
    std::array<char, kHead> head{};
    const std::string_view text(head.data(), file.readAt(0, std::as_writable_bytes(std::span(head))));
    if (text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size())).starts_with("solid")) {
        return;
    }
    if (text.size() < kHead) {
        fail(ExitCode::BadInput, "{}: found {} bytes, expected the text 'solid', or {} bytes at least", reader.name(),
             text.size(), kHead);
    }
    std::uint32_t triangles = 0;
    std::memcpy(&triangles, head.data() + kComment, sizeof(triangles));
    const std::uint64_t expected = kHead + kTriangle * triangles;
    if (file.size() != expected) {
        fail(ExitCode::BadInput,
             "{}: found {} bytes, expected {} for the {} triangles that byte {} announces, or the text 'solid' at the "
             "start",
             reader.name(), file.size(), expected, triangles, kComment);
    }
}

} // namespace aureole
