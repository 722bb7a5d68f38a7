#include "image/png/png_stream.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <zlib.h>

#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kBlockBytes = std::size_t{1} << 17U;
constexpr std::size_t kDictionaryBytes = std::size_t{1} << 15U; // all that deflate looks back on
constexpr std::int64_t kRowsAtOnce = 8;

std::uint8_t paeth(int left, int up, int upLeft) {
    const int byLeft = std::abs(up - upLeft);
    const int byUp = std::abs(left - upLeft);
    const int byUpLeft = std::abs(left + up - 2 * upLeft);
    return static_cast<std::uint8_t>(byLeft <= byUp && byLeft <= byUpLeft ? left : byUp <= byUpLeft ? up : upLeft);
}

/// Puts the bytes of a row less what `guess` makes of the bytes to the left, above, and above that to the left.
template <typename Guess>
void filterBy(const Guess& guess, Bytes row, const std::uint8_t* above, std::size_t pixelBytes,
              std::uint8_t* filtered) {
    const std::size_t size = row.size();
    const std::uint8_t* const at = row.data();
    for (std::size_t i = 0; i < std::min(pixelBytes, size); ++i) {
        filtered[i] = static_cast<std::uint8_t>(at[i] - guess(0, above[i], 0));
    }
    for (std::size_t i = pixelBytes; i < size; ++i) {
        filtered[i] = static_cast<std::uint8_t>(at[i] - guess(at[i - pixelBytes], above[i], above[i - pixelBytes]));
    }
}

/// The bytes of a row after filter `type`, of 0 to 4, behind that number.
void filterRow(int type, Bytes row, const std::uint8_t* above, std::size_t pixelBytes,
               std::vector<std::uint8_t>& filtered) {
    filtered.resize(row.size() + 1);
    filtered[0] = static_cast<std::uint8_t>(type);
    std::uint8_t* const out = filtered.data() + 1;
    switch (type) {
    case 0:
        std::copy(row.begin(), row.end(), out);
        break;
    case 1:
        filterBy([](int left, int /*up*/, int /*upLeft*/) { return left; }, row, above, pixelBytes, out);
        break;
    case 2:
        filterBy([](int /*left*/, int up, int /*upLeft*/) { return up; }, row, above, pixelBytes, out);
        break;
    case 3:
        filterBy([](int left, int up, int /*upLeft*/) { return (left + up) / 2; }, row, above, pixelBytes, out);
        break;
    default:
        filterBy(paeth, row, above, pixelBytes, out);
        break;
    }
}

std::uint32_t sizeOf(const std::vector<std::uint8_t>& filtered) {
    std::uint32_t sum = 0; // of rows of 2^24 bytes at most
    for (const std::uint8_t byte : filtered) {
        sum += std::min<std::uint32_t>(byte, 256U - byte);
    }
    return sum;
}

std::vector<std::uint8_t> filterRows(Bytes samples, std::size_t rowBytes, std::size_t pixelBytes) {
    const std::size_t rows = samples.size() / rowBytes;
    std::vector<std::uint8_t> all(rows * (rowBytes + 1));
    const std::vector<std::uint8_t> none(rowBytes); // above the first row
    parallelFor(static_cast<std::int64_t>(rows), kRowsAtOnce, [&](std::int64_t y) {
        const auto at = static_cast<std::size_t>(y);
        const Bytes row = samples.subspan(at * rowBytes, rowBytes);
        const std::uint8_t* const above = at == 0 ? none.data() : row.data() - rowBytes;
        std::vector<std::uint8_t> filtered;
        std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
        for (int type = 0; type <= 4; ++type) {
            filterRow(type, row, above, pixelBytes, filtered);
            if (const std::uint32_t size = sizeOf(filtered); size < least) {
                least = size;
                std::copy(filtered.begin(), filtered.end(),
                          all.begin() + static_cast<std::ptrdiff_t>(at * (rowBytes + 1)));
            }
        }
    });
    return all;
}

struct Block {
    std::vector<std::uint8_t> bytes;
    uLong checksum = 0;
    std::size_t size = 0; ///< before
};

/// Deflates the block that begins at `first`, to the end of a byte.
Block deflateBlock(Bytes all, std::size_t first, const std::string& file) {
    const std::size_t size = std::min(kBlockBytes, all.size() - first);
    const std::size_t known = std::min(first, kDictionaryBytes);
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_FILTERED) != Z_OK) {
        fail(ExitCode::OutOfMemory, "{}: out of memory", file);
    }
    Block block;
    block.size = size;
    block.checksum = adler32(1, &all[first], static_cast<uInt>(size));
    block.bytes.resize(deflateBound(&stream, static_cast<uLong>(size)) + 16); // and the mark at its end
    if (known > 0) {
        deflateSetDictionary(&stream, &all[first - known], static_cast<uInt>(known));
    }
    stream.next_in = const_cast<Bytef*>(&all[first]); // zlib only reads it
    stream.avail_in = static_cast<uInt>(size);
    stream.next_out = block.bytes.data();
    stream.avail_out = static_cast<uInt>(block.bytes.size());
    const bool isLast = first + size == all.size();
    const int result = deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH);
    const bool isWhole = stream.avail_in == 0 && result == (isLast ? Z_STREAM_END : Z_OK);
    block.bytes.resize(block.bytes.size() - stream.avail_out);
    deflateEnd(&stream);
    if (!isWhole) {
        fail(ExitCode::Internal, "{}: deflate ended with {}", file, result);
    }
    return block;
}

} // namespace

std::vector<std::byte> deflateRows(Bytes samples, std::size_t rowBytes, std::size_t pixelBytes,
                                   const std::string& file) {
    const std::vector<std::uint8_t> filtered = filterRows(samples, rowBytes, pixelBytes);
    std::vector<Block> blocks((filtered.size() + kBlockBytes - 1) / kBlockBytes);
    parallelFor(static_cast<std::int64_t>(blocks.size()), 1, [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        blocks[at] = deflateBlock(filtered, at * kBlockBytes, file);
    });
    std::vector<std::byte> stream = {std::byte{0x78}, std::byte{0x9c}}; // a window of 32 KiB, the usual effort
    uLong checksum = adler32(0, nullptr, 0);
    for (const Block& block : blocks) {
        const auto bytes = std::as_bytes(std::span(block.bytes));
        stream.insert(stream.end(), bytes.begin(), bytes.end());
        checksum = adler32_combine(checksum, block.checksum, static_cast<z_off_t>(block.size));
    }
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        stream.push_back(static_cast<std::byte>((checksum >> shift) & 0xffU));
    }
    return stream;
}

} // namespace aureole
