#pragma once

#include <cstdint>

namespace aureole {

/// The largest image read or written: pixels a side, and bytes of decoded pixels. An 8K frame with sixty fp32
/// channels fits; a small file that claims more than it could hold is refused before anything is allocated.
inline constexpr std::uint32_t kMaximumImageSide = 65536;
inline constexpr std::uint64_t kMaximumImageBytes = std::uint64_t{1} << 33U;

/// Deflate yields at most 1032 bytes from one (zlib's technical notes); RLE and PIZ yield less.
inline constexpr std::uint64_t kMaximumCompressionRatio = 1032;

} // namespace aureole
