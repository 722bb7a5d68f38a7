#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "image/image.h"

namespace aureole {

enum class ExrSampleType : std::uint32_t { Uint = 0, Half = 1, Float = 2 };

struct ExrChannel {
    std::string name;
    ExrSampleType type = ExrSampleType::Float;
};

/// What reading needs of an EXR header, all of it checked: window and sizes are sane, the compression is one that is
/// supported, nothing is subsampled.
struct ExrHeader {
    bool multiPart = false;      ///< one of the headers of a file of several parts
    std::string part;            ///< then its name
    bool deep = false;           ///< its pixels hold any number of samples each; only of multi-part files
    std::size_t tableOffset = 0; ///< where the chunk table starts: just behind the header
    std::uint8_t compression = 0;
    std::int32_t minimumX = 0;
    std::int32_t minimumY = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool tiled = false;
    std::uint32_t tileWidth = 0;
    std::uint32_t tileHeight = 0;
    std::optional<std::array<std::int32_t, 4>> displayWindow; ///< corners, ends included
    std::optional<std::array<float, 8>> chromaticities;
    std::vector<ExrChannel> channels;
    std::map<std::string, std::string> texts;
    std::map<std::string, TypedAttribute> others; ///< but for the reserved ones and previews of the old pixels

    std::uint64_t bytesPerPixel() const;
};

/// Whether OpenEXR gives the attribute name a meaning of its own that is no text, or one that holds for a single file
/// only ("type"); such a name is no text attribute of an image.
bool isReservedExrAttribute(std::string_view name);

/// The last compression that tinyexr decodes, PIZ; OpenEXR itself decodes those after it.
inline constexpr std::uint8_t kLastTinyExrCompression = 4;

/// The rows of a chunk of scanlines, of a compression that tinyexr decodes.
std::uint32_t exrRowsOfChunk(std::uint8_t compression);

/// Parses and checks the headers of all parts, of which most files have one. No library sees a header that did not
/// pass, since tinyexr trusts most of what it reads. Throws Error (BadInput) with the place and the reason, also for a
/// file that is one deep image.
std::vector<ExrHeader> parseExrHeaders(std::span<const std::byte> bytes, const std::string& file);

/// The first of them.
ExrHeader parseExrHeader(std::span<const std::byte> bytes, const std::string& file);

/// Of a file with one part: checks the chunk table and every chunk's header against the size of the file: each chunk is
/// where its row or tile belongs, lies within the file, and is no larger than its pixels. Throws Error (BadInput).
void checkExrChunks(const ExrHeader& header, std::span<const std::byte> bytes, const std::string& file);

} // namespace aureole
