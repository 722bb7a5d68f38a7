#pragma once

// For targets whose inputs have checksums or tables, which few of libFuzzer's mutations would leave in order.

#include <cstddef>
#include <span>
#include <vector>

#include "fuzz.h"

namespace aureole::fuzz {

/// A mutation of an input, by the seed. One of more than the maximum size is dropped.
std::vector<std::byte> mutateInput(Bytes input, std::size_t maximumSize, unsigned seed);

/// A mutation as libFuzzer makes it, of up to the maximum size.
std::vector<std::byte> mutateBytes(Bytes bytes, std::size_t maximumSize);

/// Whether mutations by this seed are to be put in order: not all, as what checks that is to be tried too.
inline bool isMended(unsigned seed) {
    return seed % 8 != 0;
}

} // namespace aureole::fuzz
