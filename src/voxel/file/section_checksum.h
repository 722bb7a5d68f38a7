#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash.h"

namespace aureole {

/// Bytes of a section of an octree file that have a checksum of their own.
inline constexpr std::size_t kChecksumPiece = std::size_t{4} << 20U;

/// The checksum of a section from those of its pieces: FNV-1a over their bytes, lowest first, with a final avalanche.
class SectionChecksum {
public:
    void add(std::uint64_t pieceChecksum) {
        for (unsigned shift = 0; shift < 64; shift += 8) {
            state_ = (state_ ^ ((pieceChecksum >> shift) & 0xFFU)) * 0x100000001b3ULL;
        }
    }
    std::uint64_t value() const { return mixBits(state_); }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

} // namespace aureole
