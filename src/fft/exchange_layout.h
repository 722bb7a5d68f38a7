#pragma once

// Where the values of an exchange between two stages stand in workgroup memory, such that few accesses meet in a bank.

#include <array>
#include <cstdint>
#include <vector>

#include "shared/fft/fft_index.h"

namespace aureole::fft {

/// The boundary after a stage leaves blocks of that stage's stride: `blockStride` words apart, `roundBlocks` of them in
/// workgroup memory at a time.
struct ExchangeLayout {
    std::uint32_t blockStride = 1;
    std::uint32_t roundBlocks = 1;
};

/// The exchanges of a shape.
struct ExchangeLayouts {
    std::array<ExchangeLayout, FFT_MAX_STAGES - 1> boundaries{};
    std::uint32_t lineStride = 0; ///< words from line to line
    std::uint32_t words = 0;      ///< of workgroup memory, for all lines
};

/// What the layouts depend on.
struct ExchangeTask {
    std::uint32_t length = 0;
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 0;
    std::uint32_t lines = 0;
    std::uint32_t elements = 0;
    bool firstLinesFastest = false;
    bool laterLinesFastest = false;
    std::uint32_t wordBytes = 8; ///< 8: whole values; 4: real and imaginary parts in turn
    std::uint32_t memoryBytes = 0;
    std::uint32_t shuffled = 0; ///< bit s: the boundary after stage s needs no workgroup memory
};

/// Cycles that the first `warps` warps of 32 invocations spend on the exchange at a boundary, both ways, on memory with
/// 32 banks of 4 bytes that serves half a warp at a time where words have 8 bytes.
std::uint32_t bankCycles(const ExchangeTask& task, std::uint32_t boundary, std::uint32_t blockStride,
                         std::uint32_t lineStride, std::uint32_t warps);

/// The layouts with the fewest bank conflicts that fit the memory in one round; none (words = 0) where the values do
/// not fit. `allowRounds`: then as few rounds as possible.
ExchangeLayouts layOutExchanges(const ExchangeTask& task, bool allowRounds);

} // namespace aureole::fft
