#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash.h"

namespace aureole {

/// Bytes of a section of an octree file that have a checksum of their own.
inline constexpr std::size_t kChecksumPiece = std::size_t{4} << 20U;

/// The checksum of a section from those of its pieces.
class SectionChecksum {
public:
    void add(std::uint64_t pieceChecksum) { hasher_.add(&pieceChecksum, sizeof(pieceChecksum)); }
    std::uint64_t value() const { return hasher_.value(); }

private:
    Hasher hasher_;
};

} // namespace aureole
