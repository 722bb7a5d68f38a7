// Layout: "The OpenEXR File Layout", openexr.com. Magic number, version and flags, then attributes (name, type, size,
// value) up to an empty name.

#include "image/exr/exr_header.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/image_limits.h"
#include "core/printable.h"
#include "image/byte_reader.h"

namespace aureole {

namespace {

constexpr std::uint32_t kMagic = 20000630;
constexpr std::uint32_t kTiledFlag = 0x200;
constexpr std::uint32_t kDeepFlag = 0x800;
constexpr std::uint32_t kMultiPartFlag = 0x1000;
constexpr std::size_t kMaximumAttributes = 1024;
constexpr std::uint8_t kLastSupportedCompression = 9;
constexpr std::size_t kMaximumParts = 1024;

struct Attribute {
    std::string name;
    std::string type;
    std::size_t offset = 0; ///< of the value, in the file
    std::span<const std::byte> value;
    std::span<const std::byte> fileUpToEnd; ///< the file up to the value's end, so that places in messages are right

    ByteReader reader(const std::string& file) const { return {fileUpToEnd, file, offset}; }
};

std::string_view compressionName(std::uint8_t code) {
    constexpr std::array<std::string_view, 14> kNames = {"none", "RLE",  "ZIPS", "ZIP",   "PIZ",     "PXR24", "B44",
                                                         "B44A", "DWAA", "DWAB", "HTJ2K", "HTJ2K32", "LJ2K",  "ZSTD"};
    return code < kNames.size() ? kNames.at(code) : "unknown";
}

void requireForm(const Attribute& attribute, std::string_view type, std::size_t size, const std::string& file) {
    if (attribute.type != type || attribute.value.size() != size) {
        fail(ExitCode::BadInput, "{}: attribute '{}' (byte {}): found type {} of {} bytes, expected {} of {}", file,
             onOneLine(attribute.name), attribute.offset, onOneLine(attribute.type), attribute.value.size(), type,
             size);
    }
}

void parseCompression(const Attribute& attribute, ExrHeader& header, const std::string& file) {
    requireForm(attribute, "compression", 1, file);
    header.compression = attribute.reader(file).read<std::uint8_t>("a compression");
    if (header.compression > kLastSupportedCompression) {
        fail(ExitCode::BadInput,
             "{}: attribute 'compression' (byte {}): found {} ({}), which is not supported; expected none, RLE, ZIPS, "
             "ZIP, PIZ, PXR24, B44, B44A, DWAA or DWAB",
             file, attribute.offset, compressionName(header.compression), header.compression);
    }
}

void parseDataWindow(const Attribute& attribute, ExrHeader& header, const std::string& file) {
    requireForm(attribute, "box2i", 16, file);
    const auto window = attribute.reader(file).read<std::array<std::int32_t, 4>>("a window");
    const std::int64_t width = std::int64_t{window[2]} - window[0] + 1;
    const std::int64_t height = std::int64_t{window[3]} - window[1] + 1;
    // tinyexr takes a row number beyond 2^21 for damage; half of that keeps its sums of int in range.
    constexpr std::int64_t kFarthest = std::int64_t{1} << 20;
    const bool inRange = std::abs(std::int64_t{window[0]}) < kFarthest && std::abs(std::int64_t{window[1]}) < kFarthest;
    if (!inRange || width < 1 || height < 1 || width > kMaximumImageSide || height > kMaximumImageSide) {
        fail(
            ExitCode::BadInput,
            "{}: attribute 'dataWindow' (byte {}): found ({}, {}) to ({}, {}), expected 1 to {} pixels a side, at most "
            "{} from the origin",
            file, attribute.offset, window[0], window[1], window[2], window[3], kMaximumImageSide, kFarthest);
    }
    header.minimumX = window[0];
    header.minimumY = window[1];
    header.width = static_cast<std::uint32_t>(width);
    header.height = static_cast<std::uint32_t>(height);
}

void parseChannels(const Attribute& attribute, ExrHeader& header, const std::string& file) {
    requireForm(attribute, "chlist", attribute.value.size(), file);
    ByteReader reader = attribute.reader(file);
    std::set<std::string> names;
    while (true) {
        const std::string name = reader.readName("a channel name");
        if (name.empty()) {
            break;
        }
        const auto type = reader.read<std::uint32_t>("a pixel type");
        reader.take(4, "the linearity flag");
        const auto sampling = reader.read<std::array<std::int32_t, 2>>("the sampling");
        if (type > static_cast<std::uint32_t>(ExrSampleType::Float)) {
            fail(ExitCode::BadInput, "{}: channel '{}': found pixel type {}, expected 0 (uint), 1 (half) or 2 (float)",
                 file, name, type);
        }
        if (sampling[0] != 1 || sampling[1] != 1) {
            fail(ExitCode::BadInput,
                 "{}: channel '{}': found a sampling of {} by {}, expected 1 by 1 (subsampled channels, as of "
                 "luminance-chroma images, are not supported)",
                 file, name, sampling[0], sampling[1]);
        }
        if (!names.insert(name).second) {
            fail(ExitCode::BadInput, "{}: found the channel '{}' twice, expected every name once", file, name);
        }
        header.channels.push_back({name, static_cast<ExrSampleType>(type)});
    }
    if (header.channels.empty()) {
        fail(ExitCode::BadInput, "{}: attribute 'channels' (byte {}): found no channels, expected at least one", file,
             attribute.offset);
    }
}

void parseTiles(const Attribute& attribute, ExrHeader& header, const std::string& file) {
    requireForm(attribute, "tiledesc", 9, file);
    ByteReader reader = attribute.reader(file);
    header.tileWidth = reader.read<std::uint32_t>("a tile width");
    header.tileHeight = reader.read<std::uint32_t>("a tile height");
    if (header.tileWidth < 1 || header.tileHeight < 1 || header.tileWidth > kMaximumImageSide ||
        header.tileHeight > kMaximumImageSide) {
        fail(ExitCode::BadInput, "{}: attribute 'tiles' (byte {}): found {} by {} pixels, expected 1 to {} a side",
             file, attribute.offset, header.tileWidth, header.tileHeight, kMaximumImageSide);
    }
}

std::string textOf(const Attribute& attribute, const std::string& file) {
    requireForm(attribute, "string", attribute.value.size(), file);
    return {reinterpret_cast<const char*>(attribute.value.data()), attribute.value.size()};
}

/// How the pixels of a part are stored.
void parseStorage(const Attribute& attribute, ExrHeader& header, const std::string& file) {
    const std::string found = textOf(attribute, file);
    constexpr std::array<std::string_view, 4> kKnown = {"scanlineimage", "tiledimage", "deepscanline", "deeptile"};
    if (std::find(kKnown.begin(), kKnown.end(), found) == kKnown.end()) {
        fail(ExitCode::BadInput, "{}: attribute 'type' (byte {}): found '{}', expected scanlineimage or tiledimage",
             file, attribute.offset, found);
    }
    header.tiled = found == kKnown[1];
    header.deep = found.starts_with("deep");
}

void parseAttribute(const Attribute& attribute, ExrHeader& header, const std::string& file) {
    if (attribute.name == "compression") {
        parseCompression(attribute, header, file);
    } else if (attribute.name == "dataWindow") {
        parseDataWindow(attribute, header, file);
    } else if (attribute.name == "displayWindow") {
        requireForm(attribute, "box2i", 16, file);
        header.displayWindow = attribute.reader(file).read<std::array<std::int32_t, 4>>("a window");
    } else if (attribute.name == "channels") {
        parseChannels(attribute, header, file);
    } else if (attribute.name == "tiles" && (header.tiled || header.multiPart)) {
        parseTiles(attribute, header, file);
    } else if (header.multiPart && attribute.name == "name") {
        header.part = onOneLine(textOf(attribute, file)); // it is in messages and names of channels
    } else if (header.multiPart && attribute.name == "type") {
        parseStorage(attribute, header, file);
    } else if (attribute.name == "chromaticities") {
        requireForm(attribute, "chromaticities", sizeof(float) * 8, file);
        header.chromaticities = attribute.reader(file).read<std::array<float, 8>>("chromaticities");
    } else if (attribute.type == "string" && !isReservedExrAttribute(attribute.name)) {
        header.texts[attribute.name].assign(reinterpret_cast<const char*>(attribute.value.data()),
                                            attribute.value.size());
    } else if (attribute.type != "preview" && !isReservedExrAttribute(attribute.name)) {
        header.others[attribute.name] = {attribute.type, {attribute.value.begin(), attribute.value.end()}};
    }
}

void parseVersion(ByteReader& reader, ExrHeader& header, const std::string& file) {
    if (const auto magic = reader.read<std::uint32_t>("the magic number"); magic != kMagic) {
        fail(ExitCode::BadInput, "{}: byte 0: found {:#010x}, expected {:#010x}: not an OpenEXR file", file, magic,
             kMagic);
    }
    const auto version = reader.read<std::uint32_t>("the version");
    if ((version & 0xFFU) != 2) {
        fail(ExitCode::BadInput, "{}: byte 4: found OpenEXR version {}, expected 2", file, version & 0xFFU);
    }
    header.multiPart = (version & kMultiPartFlag) != 0;
    if ((version & kDeepFlag) != 0 && !header.multiPart) {
        fail(
            ExitCode::BadInput,
            "{}: found a deep image, expected scanlines or tiles of pixels: flatten it first, as by oiiotool --flatten",
            file);
    }
    header.tiled = (version & kTiledFlag) != 0 && !header.multiPart;
}

void requireAttribute(const std::set<std::string>& names, const std::string& name, const std::string& file) {
    if (!names.contains(name)) {
        fail(ExitCode::BadInput, "{}: found no attribute '{}' in the header, expected one", file, name);
    }
}

void checkSize(const ExrHeader& header, const std::string& file) {
    // Decoded, every sample is four bytes, and a tile at the border is as large as the others.
    const auto padded = [&](std::uint64_t side, std::uint64_t tile) {
        return header.tiled ? roundUp(side, tile) : side;
    };
    const std::uint64_t bytes = padded(header.width, header.tileWidth) * padded(header.height, header.tileHeight) *
                                sizeof(float) * header.channels.size();
    if (bytes > kMaximumImageBytes) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels of {} channels, expected at most {} bytes of pixels", file,
             header.width, header.height, header.channels.size(), kMaximumImageBytes);
    }
}

/// Reads attributes up to the end of a header.
void parseHeader(ByteReader& reader, std::span<const std::byte> bytes, ExrHeader& header, const std::string& file) {
    std::set<std::string> names;
    while (true) {
        Attribute attribute;
        attribute.name = reader.readName("an attribute name");
        if (attribute.name.empty()) {
            break;
        }
        attribute.type = reader.readName("an attribute type");
        const auto size = reader.read<std::uint32_t>("an attribute size");
        attribute.offset = reader.offset();
        attribute.value = reader.take(size, "an attribute value");
        attribute.fileUpToEnd = bytes.first(reader.offset());
        if (!names.insert(attribute.name).second || names.size() > kMaximumAttributes) {
            fail(ExitCode::BadInput, "{}: byte {}: found attribute '{}', expected every name once and at most {} names",
                 file, attribute.offset, onOneLine(attribute.name), kMaximumAttributes);
        }
        parseAttribute(attribute, header, file);
    }
    for (const char* name : {"channels", "compression", "dataWindow"}) {
        requireAttribute(names, name, file);
    }
    if (header.tiled) {
        requireAttribute(names, "tiles", file);
    }
    for (const char* name : {"name", "type", "chunkCount"}) {
        if (header.multiPart) {
            requireAttribute(names, name, file);
        }
    }
    checkSize(header, file);
    header.tableOffset = reader.offset();
}

} // namespace

bool isReservedExrAttribute(std::string_view name) {
    constexpr std::array<std::string_view, 13> kReserved = {
        "channels",         "compression",        "dataWindow",         "displayWindow", "lineOrder",
        "pixelAspectRatio", "screenWindowCenter", "screenWindowWidth",  "tiles",         "type",
        "chunkCount",       "chromaticities",     "dwaCompressionLevel"};
    return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

std::uint64_t ExrHeader::bytesPerPixel() const {
    std::uint64_t bytes = 0;
    for (const ExrChannel& channel : channels) {
        bytes += channel.type == ExrSampleType::Half ? 2 : 4;
    }
    return bytes;
}

std::vector<ExrHeader> parseExrHeaders(std::span<const std::byte> bytes, const std::string& file) {
    ExrHeader first;
    ByteReader reader(bytes, file);
    parseVersion(reader, first, file);
    std::vector<ExrHeader> headers;
    do {
        parseHeader(reader, bytes, headers.emplace_back(first), file);
        if (headers.size() > kMaximumParts) {
            fail(ExitCode::BadInput, "{}: found more than {} parts, expected at most that", file, kMaximumParts);
        }
        // Behind the last header of several stands an empty one.
    } while (first.multiPart && ByteReader(bytes, file, reader.offset()).read<char>("the next part's header") != 0);
    return headers;
}

ExrHeader parseExrHeader(std::span<const std::byte> bytes, const std::string& file) {
    return parseExrHeaders(bytes, file).front();
}

} // namespace aureole
