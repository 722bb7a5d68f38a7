#pragma once

// An EXR file joined from strips that were encoded by themselves.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aureole {

/// The rows of a strip, whether it is encoded or decoded by itself; the last one may have fewer. A multiple of the rows
/// of every compression's chunks.
inline constexpr std::uint32_t kRowsOfStrip = 32;

/// The file that an encoder would make of the whole image, byte by byte: `strips` are the files that it made of each
/// kRowsOfStrip rows from the top, which differ from it in their windows, the table of chunks and the chunks' rows.
std::vector<std::byte> joinStrips(const std::vector<std::vector<std::byte>>& strips, std::uint32_t height,
                                  const std::string& file);

} // namespace aureole
