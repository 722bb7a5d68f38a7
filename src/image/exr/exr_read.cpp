// Reading through tinyexr 1.0.1, or OpenEXR (exr_parts.h) where tinyexr cannot. The former is kept away from its weak
// spots: LoadEXR picks wrong channels on layered files, so channels are matched here; its header parser trusts sizes,
// so the header is parsed here; it flips images whose rows are stored bottom first, though row numbers are absolute, so
// it is always told that they are not; its PIZ decoder reads a header of up to 8.3 KB without looking where the data
// ends, so zeros follow the file in memory.

#include "image/exr/exr.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/divide_up.h"
#include "core/file.h"
#include "core/image_limits.h"
#include "core/log.h"
#include "core/threads/parallel.h"
#include "image/attributes.h"
#include "image/colour/primaries.h"
#include "image/exr/exr_header.h"
#include "image/exr/exr_parts.h"
#include "image/exr/exr_tinyexr.h"
#include "image/isolated_image.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

constexpr std::size_t kMagicAndVersionBytes = 8;
constexpr std::size_t kPadding = 16384;
/// The rows that a thread decodes at once. A multiple of the rows of every compression's chunks.
constexpr std::uint32_t kRowsOfStrip = 32;
constexpr std::uintmax_t kMaximumFileBytes = kMaximumImageBytes + (std::uintmax_t{1} << 24U);
/// What readExrHead reads at first, and then again the same many times more until the header is in it.
constexpr std::uintmax_t kHeadBytes = std::uintmax_t{1} << 16U;
constexpr std::uintmax_t kHeadGrowth = 16;
constexpr std::uintmax_t kMostHeadBytes = std::uintmax_t{1} << 28U;

class DecodedImage {
public:
    explicit DecodedImage(int channels) {
        InitEXRImage(&image_);
        // Known from the start, or tinyexr does not free the planes of an image that it could not decode.
        image_.num_channels = channels;
    }
    ~DecodedImage() { FreeEXRImage(&image_); }
    DecodedImage(const DecodedImage&) = delete;
    DecodedImage& operator=(const DecodedImage&) = delete;
    DecodedImage(DecodedImage&&) = delete;
    DecodedImage& operator=(DecodedImage&&) = delete;

    EXRImage* get() { return &image_; }

    /// For an image that tinyexr has freed itself, as it does on failure.
    void forget() { InitEXRImage(&image_); }

private:
    EXRImage image_{};
};

EXRHeader tinyExrHeader(const ExrHeader& header, TinyExrChannels& channels) {
    EXRHeader result;
    InitEXRHeader(&result);
    for (const ExrChannel& channel : header.channels) {
        const bool integer = channel.type == ExrSampleType::Uint;
        channels.add(channel.name, static_cast<int>(channel.type),
                     integer ? TINYEXR_PIXELTYPE_UINT : TINYEXR_PIXELTYPE_FLOAT);
    }
    channels.attachTo(result);
    result.compression_type = header.compression;
    result.line_order = 0;
    result.data_window = {header.minimumX, header.minimumY,
                          header.minimumX + static_cast<std::int32_t>(header.width) - 1,
                          header.minimumY + static_cast<std::int32_t>(header.height) - 1};
    result.display_window = result.data_window;
    result.tiled = header.tiled ? 1 : 0;
    result.tile_size_x = static_cast<int>(header.tileWidth);
    result.tile_size_y = static_cast<int>(header.tileHeight);
    // Of several levels the finest comes first in the chunk table; the others are not looked at.
    result.tile_level_mode = TINYEXR_TILE_ONE_LEVEL;
    result.header_len = static_cast<unsigned>(header.tableOffset - kMagicAndVersionBytes);
    return result;
}

/// Copies `count` samples of four bytes each.
void copySamples(ExrSampleType type, const unsigned char* from, std::size_t count, float* to) {
    if (type != ExrSampleType::Uint) {
        std::memcpy(to, from, count * sizeof(float));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t value = 0;
        std::memcpy(&value, from + i * sizeof(value), sizeof(value));
        to[i] = static_cast<float>(value);
    }
}

void copyTile(const EXRTile& tile, const ExrHeader& header, Image& image) {
    const std::size_t left = std::size_t{header.tileWidth} * static_cast<std::size_t>(tile.offset_x);
    const std::size_t top = std::size_t{header.tileHeight} * static_cast<std::size_t>(tile.offset_y);
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        for (std::size_t row = 0; row < static_cast<std::size_t>(tile.height); ++row) {
            copySamples(header.channels[c].type, tile.images[c] + row * header.tileWidth * sizeof(float),
                        static_cast<std::size_t>(tile.width),
                        image.channels[c].values.data() + (top + row) * image.width + left);
        }
    }
}

/// Decodes `file`, the first `size` of its bytes, whose image is the rows of `image` from `top` on.
void decodeRows(const EXRHeader& header, const ExrHeader& whole, std::span<const std::byte> bytes, std::size_t size,
                std::uint32_t top, const std::string& file, Image& image) {
    DecodedImage decoded(header.num_channels);
    const char* message = nullptr;
    try {
        if (LoadEXRImageFromMemory(decoded.get(), &header, reinterpret_cast<const unsigned char*>(bytes.data()), size,
                                   &message) != TINYEXR_SUCCESS) {
            decoded.forget();
            fail(ExitCode::BadInput, "{}: its pixels cannot be decoded: {}", file, takeMessage(message));
        }
    } catch (const std::logic_error& error) { // such as vector::at on data that contradicts itself
        fail(ExitCode::BadInput, "{}: its pixels cannot be decoded: {}", file, error.what());
    }
    const EXRImage& pixels = *decoded.get();
    for (int i = 0; i < pixels.num_tiles; ++i) {
        copyTile(pixels.tiles[i], whole, image);
    }
    for (std::size_t c = 0; !whole.tiled && c < image.channels.size(); ++c) {
        copySamples(whole.channels[c].type, pixels.images[c],
                    std::size_t{image.width} * static_cast<std::size_t>(pixels.height),
                    image.channels[c].values.data() + std::size_t{image.width} * top);
    }
}

/// The bytes before the chunk table of a file that chunksOf makes: tinyexr, which is told what the header says, skips
/// them.
constexpr std::size_t kStripHeadBytes = 16;

/// A file of some chunks of another, whose chunks were checked: those from `first` to before `end`. Zeros follow.
std::vector<std::byte> chunksOf(const ExrHeader& header, std::span<const std::byte> bytes, std::uint64_t first,
                                std::uint64_t end) {
    constexpr std::size_t kPlaceBytes = sizeof(std::int32_t); // a chunk begins with its row, then come its bytes
    std::uint64_t from = 0;
    std::vector<std::byte> strip(kStripHeadBytes + (end - first) * sizeof(from));
    for (std::uint64_t chunk = first; chunk < end; ++chunk) {
        std::memcpy(&from, &bytes[header.tableOffset + chunk * sizeof(from)], sizeof(from));
        std::uint32_t dataBytes = 0;
        std::memcpy(&dataBytes, &bytes[from + kPlaceBytes], sizeof(dataBytes));
        const std::uint64_t to = strip.size();
        std::memcpy(&strip[kStripHeadBytes + (chunk - first) * sizeof(to)], &to, sizeof(to));
        const std::span<const std::byte> whole = bytes.subspan(from, kPlaceBytes + sizeof(dataBytes) + dataBytes);
        strip.insert(strip.end(), whole.begin(), whole.end());
    }
    strip.resize(strip.size() + kPadding);
    return strip;
}

/// Fills the channels of `image` from the file's bytes, tiles by one thread, rows by all.
void decodePixels(const ExrHeader& header, std::vector<std::byte> bytes, const std::string& file, Image& image) {
    TinyExrChannels channels;
    EXRHeader forTinyExr = tinyExrHeader(header, channels);
    if (header.tiled) {
        const std::size_t size = bytes.size();
        bytes.resize(size + kPadding);
        decodeRows(forTinyExr, header, bytes, size, 0, file, image);
        return;
    }
    forTinyExr.header_len = static_cast<unsigned>(kStripHeadBytes - kMagicAndVersionBytes);
    parallelFor(divideUp(header.height, kRowsOfStrip), 1, [&](std::int64_t number) {
        const std::uint32_t top = static_cast<std::uint32_t>(number) * kRowsOfStrip;
        const std::uint32_t end = std::min(top + kRowsOfStrip, header.height);
        const std::uint32_t rows = exrRowsOfChunk(header.compression);
        const std::vector<std::byte> strip = chunksOf(header, bytes, top / rows, divideUp(end, rows));
        EXRHeader ofStrip = forTinyExr;
        ofStrip.data_window.min_y = header.minimumY + static_cast<std::int32_t>(top);
        ofStrip.data_window.max_y = header.minimumY + static_cast<std::int32_t>(end) - 1;
        decodeRows(ofStrip, header, strip, strip.size() - kPadding, top, file, image);
    });
}

void warnOfConventions(const ExrHeader& header, const std::string& file) {
    const auto isNear = [](float a, float b) { return std::abs(a - b) < 0.001F; };
    if (header.chromaticities &&
        !std::equal(kRec709Primaries.begin(), kRec709Primaries.end(), header.chromaticities->begin(), isNear)) {
        logWarning("{}: its primaries are not Rec. 709; its colours are read as if they were", file);
    }
    const auto byName = [](const ExrChannel& a, const ExrChannel& b) { return a.name < b.name; };
    if (!std::is_sorted(header.channels.begin(), header.channels.end(), byName)) {
        logWarning("{}: its channels are not in alphabetical order; they are read in the order of the file", file);
    }
}

/// Notes a data window that is a part of the display window, as crops of ours are noted (which lie at the origin).
void noteCrop(const ExrHeader& header, Image& image) {
    if (!header.displayWindow || image.attributes.contains(kCropAttribute)) {
        return;
    }
    const auto [left, top, right, bottom] = *header.displayWindow;
    const std::int64_t x = std::int64_t{header.minimumX} - left;
    const std::int64_t y = std::int64_t{header.minimumY} - top;
    const std::int64_t width = std::int64_t{right} - left + 1;
    const std::int64_t height = std::int64_t{bottom} - top + 1;
    const bool within = x >= 0 && y >= 0 && x + header.width <= width && y + header.height <= height;
    if (within && (header.width != width || header.height != height)) {
        const glm::uvec2 low(x, y);
        noteWindow({{low, low + glm::uvec2(header.width, header.height)}, glm::uvec2(width, height)}, image);
    }
}

/// The image of a header, its channels without values.
Image headOfOne(const ExrHeader& header) {
    Image image;
    image.width = header.width;
    image.height = header.height;
    image.attributes = header.texts;
    image.typedAttributes = header.others;
    for (const ExrChannel& channel : header.channels) {
        image.channels.push_back({channel.name, {}});
    }
    noteCrop(header, image);
    return image;
}

/// The image of all parts that are joined, its channels without values.
Image headOf(const std::vector<ExrPart>& parts) {
    Image image = headOfOne(*parts.front().header);
    image.channels.clear();
    for (const ExrPart& part : parts) {
        for (const std::string& name : part.names) {
            image.channels.push_back({name, {}});
        }
    }
    return image;
}

} // namespace

Image decodeExr(std::vector<std::byte> bytes, const std::string& file) {
    const std::vector<ExrHeader> headers = parseExrHeaders(bytes, file);
    const std::vector<ExrPart> parts = joinParts(headers, file);
    const ExrHeader& header = *parts.front().header;
    const bool byTinyExr = !header.multiPart && header.compression <= kLastTinyExrCompression;
    if (byTinyExr) {
        checkExrChunks(header, bytes, file);
    } else {
        checkPixelBytes(parts, bytes.size(), file);
    }
    warnOfConventions(header, file);
    warnOfLeftOut(headers, parts, file);

    Image image = headOf(parts);
    requireMemory(image.pixelCount() * image.channels.size() * sizeof(float), file);
    for (Channel& channel : image.channels) {
        channel.values.resize(image.pixelCount());
    }
    if (byTinyExr) {
        decodePixels(header, std::move(bytes), file, image);
    } else {
        decodeByOpenExr(parts, bytes, file, image);
    }
    return image;
}

Image decodeExr(const InputFile& file) {
    return decodeExr(file.readAll(kMaximumFileBytes), file.name());
}

Image readExrHead(const std::filesystem::path& path) {
    for (std::uintmax_t wanted = kHeadBytes;; wanted *= kHeadGrowth) {
        const std::vector<std::byte> bytes = readFileStart(path, wanted, kMaximumFileBytes);
        try {
            return headOf(joinParts(parseExrHeaders(bytes, path.string()), path.string()));
        } catch (const Error&) {
            if (bytes.size() < wanted || wanted >= kMostHeadBytes) {
                throw; // that was all of the file, or as much as any header takes
            }
        }
    }
}

Image readExr(const std::filesystem::path& path, Links links) {
    const InputFile file = InputFile::open(path, links);
    if (sandbox::settings().isolation != sandbox::Isolation::None) {
        return readImageIsolated(file, sandbox::Job::Exr);
    }
    return decodeExr(file);
}

} // namespace aureole
