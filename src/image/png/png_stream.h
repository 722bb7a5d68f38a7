#pragma once

// The zlib stream of a PNG, made on all cores.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aureole {

/// The rows of a picture, each filtered by what makes its bytes smallest (the sum of their absolute values, as the PNG
/// specification recommends), and deflated. `samples` are rows of rowBytes, of pixels of pixelBytes, as a PNG stores
/// them. Blocks are deflated by themselves, each knowing the one before as its dictionary, so that the bytes depend on
/// the samples alone. Throws Error (OutOfMemory).
std::vector<std::byte> deflateRows(std::span<const std::uint8_t> samples, std::size_t rowBytes, std::size_t pixelBytes,
                                   const std::string& file);

} // namespace aureole
