#include "image/exr/exr_strips.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/error.h"
#include "core/parallel.h"
#include "image/exr/exr_header.h"

namespace aureole {

namespace {

using namespace std::string_literals;

/// A chunk in its file: four bytes of its row, four of its size, and so many of its data.
struct Chunk {
    const std::byte* begin = nullptr;
    std::uint64_t bytes = 0;
    std::int32_t row = 0; ///< of the whole image
    std::uint64_t to = 0; ///< where it goes in the whole file
};

std::int32_t wordAt(const std::byte* place) {
    std::int32_t word = 0;
    std::memcpy(&word, place, sizeof(word));
    return word;
}

/// Lists the chunks of a strip that begins at row `top`, in the order of the rows.
void listChunks(std::span<const std::byte> strip, std::int32_t top, const std::string& file,
                std::vector<Chunk>& chunks) {
    const std::size_t table = parseExrHeader(strip, file).tableOffset;
    std::uint64_t first = 0; // of the first chunk, where the table ends
    std::memcpy(&first, &strip[table], sizeof(first));
    for (std::uint64_t at = first; at < strip.size();) {
        Chunk chunk;
        chunk.begin = &strip[at];
        chunk.bytes = 2 * sizeof(std::int32_t) + static_cast<std::uint32_t>(wordAt(&strip[at] + sizeof(std::int32_t)));
        chunk.row = wordAt(&strip[at]) + top;
        chunks.push_back(chunk);
        at += chunk.bytes;
    }
}

/// Makes the window's last row that of an image of `height`.
void setWindow(std::vector<std::byte>& header, std::string_view name, std::uint32_t height) {
    // No name of a channel before it has zeros within.
    const std::string pattern = std::string(name) + "\0box2i\0"s;
    const auto* const wanted = reinterpret_cast<const std::byte*>(pattern.data());
    const auto found = std::search(header.begin(), header.end(), wanted, wanted + pattern.size());
    const auto lastRow = static_cast<std::ptrdiff_t>(pattern.size() + 4 * sizeof(std::int32_t));
    if (header.end() - found < lastRow + static_cast<std::ptrdiff_t>(sizeof(std::int32_t))) {
        fail(ExitCode::Internal, "an EXR without {}", name);
    }
    const auto last = static_cast<std::int32_t>(height) - 1;
    std::memcpy(&*(found + lastRow), &last, sizeof(last));
}

} // namespace

std::vector<std::byte> joinStrips(const std::vector<std::vector<std::byte>>& strips, std::uint32_t height,
                                  const std::string& file) {
    std::vector<Chunk> chunks;
    for (std::size_t i = 0; i < strips.size(); ++i) {
        listChunks(strips[i], static_cast<std::int32_t>(i * kRowsOfStrip), file, chunks);
    }
    const std::size_t tableOffset = parseExrHeader(strips.front(), file).tableOffset;
    std::vector<std::byte> joined(strips.front().begin(),
                                  strips.front().begin() + static_cast<std::ptrdiff_t>(tableOffset));
    setWindow(joined, "dataWindow", height);
    setWindow(joined, "displayWindow", height);
    std::uint64_t size = tableOffset + chunks.size() * sizeof(size);
    for (Chunk& chunk : chunks) {
        chunk.to = size;
        size += chunk.bytes;
    }
    joined.resize(size);
    parallelFor(static_cast<std::int64_t>(chunks.size()), 1, [&](std::int64_t number) {
        const auto i = static_cast<std::size_t>(number);
        const Chunk& chunk = chunks[i];
        std::memcpy(&joined[tableOffset + i * sizeof(chunk.to)], &chunk.to, sizeof(chunk.to));
        std::memcpy(&joined[chunk.to], chunk.begin, chunk.bytes);
        std::memcpy(&joined[chunk.to], &chunk.row, sizeof(chunk.row));
    });
    return joined;
}

} // namespace aureole
