#pragma once

#include <cstdint>
#include <vector>

namespace aureole {

/// Sorts keys of at most highBit bits by their bits from lowBit up, on all CPU cores. Stable, so the result does not
/// depend on the number of threads. Needs as much memory again.
void radixSort(std::vector<std::uint64_t>& keys, unsigned lowBit, unsigned highBit);

} // namespace aureole
