#include <algorithm>

#include "core/error.h"
#include "core/image_limits.h"
#include "image/byte_reader.h"
#include "image/exr/exr_header.h"

namespace aureole {

namespace {

struct Block {
    std::uint32_t x = 0; ///< of tiles, counted in tiles
    std::uint32_t y = 0; ///< of tiles, counted in tiles; of scanlines, in pixels from the window's top
    std::uint64_t pixels = 0;
};

/// The blocks of an image in the order of the chunk table; of a tiled one those of the finest level, which come first.
class BlockGrid {
public:
    explicit BlockGrid(const ExrHeader& header)
        : header_(header)
        , blockWidth_(header.tiled ? header.tileWidth : header.width)
        , blockHeight_(header.tiled ? header.tileHeight : exrRowsOfChunk(header.compression))
        , columns_((header.width + blockWidth_ - 1) / blockWidth_)
        , rows_((header.height + blockHeight_ - 1) / blockHeight_) {}

    std::uint64_t count() const { return std::uint64_t{columns_} * rows_; }

    Block at(std::uint64_t index) const {
        const auto column = static_cast<std::uint32_t>(index % columns_);
        const auto row = static_cast<std::uint32_t>(index / columns_);
        const std::uint32_t width = std::min(blockWidth_, header_.width - column * blockWidth_);
        const std::uint32_t height = std::min(blockHeight_, header_.height - row * blockHeight_);
        return {column, header_.tiled ? row : row * blockHeight_, std::uint64_t{width} * height};
    }

private:
    const ExrHeader& header_;
    std::uint32_t blockWidth_;
    std::uint32_t blockHeight_;
    std::uint32_t columns_;
    std::uint32_t rows_;
};

/// Reads a chunk's coordinates and checks that they are those of `block`.
void checkPlace(ByteReader& reader, const ExrHeader& header, const Block& block, const std::string& file) {
    const std::size_t offset = reader.offset();
    if (header.tiled) {
        const auto found = reader.read<std::array<std::uint32_t, 4>>("a tile's coordinates");
        if (found != std::array<std::uint32_t, 4>{block.x, block.y, 0, 0}) {
            fail(ExitCode::BadInput, "{}: byte {}: found tile ({}, {}) of level ({}, {}), expected ({}, {}) of (0, 0)",
                 file, offset, found[0], found[1], found[2], found[3], block.x, block.y);
        }
        return;
    }
    const auto found = reader.read<std::int32_t>("a row number");
    const std::int64_t expected = std::int64_t{header.minimumY} + block.y;
    if (found != expected) {
        fail(ExitCode::BadInput, "{}: byte {}: found a chunk of row {}, expected row {}", file, offset, found,
             expected);
    }
}

/// Checks the chunk that `reader` stands at and returns the size of its data.
std::uint64_t checkChunk(ByteReader& reader, const ExrHeader& header, const Block& block, const std::string& file) {
    checkPlace(reader, header, block, file);
    const std::size_t offset = reader.offset();
    const std::uint64_t size = reader.read<std::uint32_t>("a chunk's size");
    const std::uint64_t raw = block.pixels * header.bytesPerPixel();
    // Data that does not shrink is stored as it is, so a chunk never exceeds its pixels.
    const std::uint64_t least = header.compression == 0 ? raw : raw / kMaximumCompressionRatio + 1;
    if (size > raw || size < std::min(least, raw)) {
        fail(ExitCode::BadInput, "{}: byte {}: found a chunk of {} bytes, expected {} to {}", file, offset, size,
             std::min(least, raw), raw);
    }
    reader.take(size, "a chunk's pixels");
    return size;
}

} // namespace

std::uint32_t exrRowsOfChunk(std::uint8_t compression) {
    constexpr std::array<std::uint32_t, 5> kRows = {1, 1, 1, 16, 32}; // none, RLE, ZIPS, ZIP, PIZ
    return kRows.at(compression);
}

void checkExrChunks(const ExrHeader& header, std::span<const std::byte> bytes, const std::string& file) {
    const BlockGrid grid(header);
    if (grid.count() > bytes.size() / sizeof(std::uint64_t)) {
        fail(ExitCode::BadInput, "{}: found {} bytes, expected a table of {} chunks", file, bytes.size(), grid.count());
    }
    ByteReader table(bytes, file, header.tableOffset);
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < grid.count(); ++i) {
        const auto offset = table.read<std::uint64_t>("the chunk table");
        if (offset == 0) {
            fail(ExitCode::BadInput, "{}: chunk {} of {} is missing: the file was not written to its end", file, i,
                 grid.count());
        }
        if (offset < table.offset() || offset > bytes.size()) {
            fail(ExitCode::BadInput, "{}: byte {}: found chunk {} at byte {}, expected it within the {} bytes", file,
                 table.offset() - sizeof(offset), i, offset, bytes.size());
        }
        ByteReader chunk(bytes, file, offset);
        total += checkChunk(chunk, header, grid.at(i), file);
    }
    if (total > bytes.size()) {
        fail(ExitCode::BadInput, "{}: found chunks of {} bytes in all, expected at most the file's {}", file, total,
             bytes.size());
    }
}

} // namespace aureole
