#include "import/gltf/container.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/error.h"

namespace aureole::gltf {

namespace {

constexpr std::uint32_t kMagic = 0x46546C67;     // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A; // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;  // "BIN\0"
constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kChunkHeaderSize = 8;

std::uint32_t word(std::span<const std::byte> bytes, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value); // the hosts are little-endian, as GLB is
    return value;
}

void require(std::span<const std::byte> file, std::size_t offset, std::size_t size, const char* what,
             const std::string& name) {
    if (size > file.size() - offset) {
        fail(ExitCode::BadInput, "{}: byte {}: truncated: found {} bytes, expected {} for {}", name, offset,
             file.size() - offset, size, what);
    }
}

/// Whether the name says that the file is a GLB, whatever it holds.
bool isNamedGlb(const std::string& name) {
    constexpr std::string_view kExtension = ".glb";
    return name.size() >= kExtension.size() &&
           std::equal(kExtension.rbegin(), kExtension.rend(), name.rbegin(), [](char expected, char found) {
               return expected == std::tolower(static_cast<unsigned char>(found));
           });
}

/// The first bytes of a file as people read them: text in quotes, others in hexadecimal.
std::string describeStart(std::span<const std::byte> file) {
    const std::span<const std::byte> start = file.first(std::min<std::size_t>(file.size(), 4));
    if (start.empty()) {
        return "an empty file";
    }
    std::string text;
    std::string digits;
    bool printable = true;
    for (const std::byte byte : start) {
        const auto code = std::to_integer<unsigned char>(byte);
        printable = printable && std::isprint(code) != 0;
        text += static_cast<char>(code);
        digits += fmt::format("{}{:02x}", digits.empty() ? "" : " ", code);
    }
    return printable ? fmt::format("'{}'", text) : fmt::format("the bytes {}", digits);
}

int base64Digit(char c) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = kDigits.find(c);
    return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

std::array<std::int16_t, 256> makeBase64Table() {
    std::array<std::int16_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<std::int16_t>(base64Digit(static_cast<char>(i)));
    }
    return table;
}

} // namespace

Container openContainer(std::span<const std::byte> file, const std::string& name) {
    if (file.size() < 4 || word(file, 0) != kMagic) {
        if (isNamedGlb(name)) {
            fail(ExitCode::BadInput, "{}: byte 0: found {}, expected 'glTF', which a GLB file opens with", name,
                 describeStart(file));
        }
        return {file, {}};
    }
    require(file, 0, kHeaderSize, "the GLB header", name);
    if (word(file, 4) != 2) {
        fail(ExitCode::BadInput, "{}: byte 4: found GLB version {}, expected 2", name, word(file, 4));
    }
    require(file, 0, word(file, 8), "the whole file, as its header says", name);
    const std::span<const std::byte> body = file.first(word(file, 8));
    Container container;
    std::size_t offset = kHeaderSize;
    while (offset < body.size()) {
        require(body, offset, kChunkHeaderSize, "a chunk header", name);
        const std::uint32_t size = word(body, offset);
        const std::uint32_t type = word(body, offset + 4);
        if (offset == kHeaderSize && type != kJsonChunk) {
            fail(ExitCode::BadInput, "{}: byte {}: found chunk type 0x{:08x}, expected JSON (0x{:08x})", name,
                 offset + 4, type, kJsonChunk);
        }
        offset += kChunkHeaderSize;
        require(body, offset, size, "a chunk", name);
        if (type == kJsonChunk && container.json.empty()) {
            container.json = body.subspan(offset, size);
        } else if (type == kBinChunk && container.binary.empty()) {
            container.binary = body.subspan(offset, size);
        }
        offset += size;
    }
    if (container.json.empty()) {
        fail(ExitCode::BadInput, "{}: byte {}: found no JSON chunk, expected one", name, kHeaderSize);
    }
    return container;
}

std::vector<std::byte> decodeDataUri(const std::string& uri, const std::string& place) {
    static const std::array<std::int16_t, 256> kTable = makeBase64Table();
    const std::size_t comma = uri.find(',');
    if (comma == std::string::npos ||
        std::string_view(uri).substr(0, comma).find(";base64") == std::string_view::npos) {
        fail(ExitCode::BadInput, "{}: found the data URI '{}...', expected 'data:...;base64,...'", place,
             uri.substr(0, 30));
    }
    std::string_view digits = std::string_view(uri).substr(comma + 1);
    while (!digits.empty() && digits.back() == '=') {
        digits.remove_suffix(1);
    }
    std::vector<std::byte> bytes;
    bytes.reserve(digits.size() * 3 / 4);
    std::uint32_t bits = 0;
    int count = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const int digit = kTable[static_cast<unsigned char>(digits[i])];
        if (digit < 0) {
            fail(ExitCode::BadInput, "{}: character {} of the data URI is no base64 digit", place, comma + 1 + i);
        }
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<std::byte>((bits >> static_cast<unsigned>(count)) & 0xffU));
        }
    }
    return bytes;
}

std::string decodePercent(const std::string& uri, const std::string& place) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto digit = [&](std::size_t i) {
        const std::size_t value = i < uri.size()
                                      ? kHex.find(static_cast<char>(std::tolower(static_cast<unsigned char>(uri[i]))))
                                      : std::string_view::npos;
        if (value == std::string_view::npos) {
            fail(ExitCode::BadInput, "{}: '{}' has a broken escape, expected % and two hexadecimal digits", place, uri);
        }
        return static_cast<unsigned>(value);
    };
    std::string text;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] != '%') {
            text += uri[i];
            continue;
        }
        text += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
        i += 2;
    }
    return text;
}

} // namespace aureole::gltf
