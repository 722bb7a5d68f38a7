#pragma once

// Which exchanges between stages the shuffles of a subgroup can make.

#include <cstdint>

#include "fft/exchange_layout.h"

namespace aureole::fft {

/// The boundaries, bit s for that after stage s, where shuffles can exchange the values (exchangeByShuffles in
/// shaders/fft/fft_exchange.glsl): both stages have one radix, a power of two, and the boundary's stride (times the
/// lines, where these run fastest) is a power of two and at most the subgroup size, so that `stride` neighbouring
/// butterflies, whose legs and numbers are transposed, lie in one subgroup. The workgroup consists of whole subgroups.
std::uint32_t shuffledBoundaries(const ExchangeTask& task, std::uint32_t subgroupSize);

/// The invocations per line, the task's or a few more, that make the workgroup whole subgroups without making it more
/// of them; 0 where there is no such number.
std::uint32_t threadsOfWholeSubgroups(const ExchangeTask& task, std::uint32_t subgroupSize);

} // namespace aureole::fft
