#include "image/pictures/hdr_layout.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace aureole {

namespace {

constexpr std::size_t kPixelBytes = 4;

/// The line of the size, behind the empty line that ends the header.
struct SizeLine {
    std::size_t begin = 0;
    std::size_t end = 0; ///< behind its line break
    char slow = 0;       ///< the axis that changes from row to row of the file: 'X' or 'Y'
    std::uint32_t rows = 0;
    std::uint32_t length = 0; ///< pixels in each
    bool slowForward = false;
    bool fastForward = false;
};

std::optional<SizeLine> findSizeLine(std::string_view text) {
    SizeLine line;
    const std::size_t empty = text.find("\n\n");
    line.begin = empty == std::string_view::npos ? text.size() : empty + 2;
    const std::size_t end = text.find('\n', line.begin);
    constexpr std::size_t kLongest = 64;
    if (end == std::string_view::npos || end - line.begin > kLongest) {
        return std::nullopt;
    }
    line.end = end + 1;
    const std::string copy(text.substr(line.begin, end - line.begin));
    char slowSign = 0;
    char fastSign = 0;
    char fast = 0;
    // NOLINTNEXTLINE(cert-err34-c): digits beyond the range are caught by their number
    if (std::sscanf(copy.c_str(), "%c%c %9u %c%c %9u", &slowSign, &line.slow, &line.rows, &fastSign, &fast,
                    &line.length) != 6 ||
        (line.slow != 'X' && line.slow != 'Y') || fast != (line.slow == 'X' ? 'Y' : 'X')) {
        return std::nullopt;
    }
    line.slowForward = slowSign == '+';
    line.fastForward = fastSign == '+';
    return line;
}

bool isRun(std::string_view pixel) {
    return pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1;
}

/// Whether the pixels behind the line have runs of each channel.
bool hasChannelRuns(std::string_view pixels, std::uint32_t length) {
    const bool mayHave = length >= 8 && length < 32768 && pixels.size() > 2;
    return mayHave && pixels[0] == 2 && pixels[1] == 2 && (static_cast<unsigned char>(pixels[2]) & 0x80U) == 0;
}

/// Whether the pixels behind the line have runs of whole pixels: a colour of 1, 1, 1, which no colour has, since the
/// largest of its three is 128 at least.
bool hasOldRuns(std::string_view pixels, std::uint32_t length) {
    if (hasChannelRuns(pixels, length)) {
        return false;
    }
    for (std::size_t i = 0; i + kPixelBytes <= pixels.size(); i += kPixelBytes) {
        if (isRun(pixels.substr(i))) {
            return true;
        }
    }
    return false;
}

/// The pixels without runs, `count` at most. A run that follows a run counts 256 times as much.
std::string expanded(std::string_view pixels, std::uint64_t count) {
    std::string plain;
    unsigned shift = 0;
    for (std::size_t i = 0; i + kPixelBytes <= pixels.size() && plain.size() < count * kPixelBytes; i += kPixelBytes) {
        const std::string_view pixel = pixels.substr(i, kPixelBytes);
        if (!isRun(pixel) || plain.empty()) {
            plain += pixel;
            shift = 0;
            continue;
        }
        const std::uint64_t run = std::uint64_t{static_cast<unsigned char>(pixel[3])} << std::min(shift, 32U);
        const std::string last = plain.substr(plain.size() - kPixelBytes);
        for (std::uint64_t k = 0; k < run && plain.size() < count * kPixelBytes; ++k) {
            plain += last;
        }
        shift += 8;
    }
    return plain;
}

} // namespace

PlainHdr plainHdr(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    const std::optional<SizeLine> line = findSizeLine(text);
    // What says that it has more pixels than its bytes can hold is refused later; a picture that is black for the most
    // part is no less than a pixel for each 128th of a byte.
    constexpr std::uint64_t kMostPixelsPerByte = 128;
    if (!line || std::uint64_t{line->rows} * line->length / kMostPixelsPerByte > file.size()) {
        return {};
    }
    PlainHdr plain;
    plain.columns = line->slow == 'X';
    const bool xForward = plain.columns ? line->slowForward : line->fastForward;
    const bool yForward = plain.columns ? line->fastForward : line->slowForward;
    plain.fromRight = !xForward;
    plain.fromBottom = yForward; // Y runs upwards
    const std::string_view pixels = text.substr(line->end);
    const bool runs = hasOldRuns(pixels, line->length);
    if (!plain.columns && !plain.fromRight && !plain.fromBottom && !runs) {
        return {};
    }
    std::string bytes(text.substr(0, line->begin));
    bytes += fmt::format("-Y {} +X {}\n", line->rows, line->length);
    bytes += runs ? expanded(pixels, std::uint64_t{line->rows} * line->length) : std::string(pixels);
    plain.bytes.resize(bytes.size());
    std::memcpy(plain.bytes.data(), bytes.data(), bytes.size());
    return plain;
}

HdrBytes bytesOfPixels(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    const std::optional<SizeLine> line = findSizeLine(text);
    if (!line) {
        return {};
    }
    const std::string_view pixels = text.substr(line->end);
    constexpr std::uint64_t kLongestRun = 127; // of two bytes, in each of four channels behind a head of four bytes
    const std::uint64_t runs = (line->length + kLongestRun - 1) / kLongestRun;
    const std::uint64_t row = hasChannelRuns(pixels, line->length) ? 4 + 4 * (2 * runs) : kPixelBytes * line->length;
    return {row * line->rows, pixels.size()};
}

Image placedHdr(const Image& read, const PlainHdr& plain) {
    const std::uint32_t width = plain.columns ? read.height : read.width;
    const std::uint32_t height = plain.columns ? read.width : read.height;
    Image image = makeImage(width, height, {"R", "G", "B"});
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        const std::vector<float>& from = read.channels[c].values;
        std::vector<float>& to = image.channels[c].values;
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                const std::size_t column = plain.fromRight ? width - 1 - x : x;
                const std::size_t row = plain.fromBottom ? height - 1 - y : y;
                to[std::size_t{y} * width + x] =
                    from[plain.columns ? column * read.width + row : row * read.width + column];
            }
        }
    }
    return image;
}

} // namespace aureole
