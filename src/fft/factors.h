#pragma once

// The radices of a length, and what a transform by them costs.

#include <cstdint>
#include <vector>

namespace aureole::fft {

struct Factors {
    std::vector<std::uint32_t> radices; ///< in stage order
    std::uint32_t elements = 0;         ///< values an invocation has room for: the build variant of the shaders
    std::uint32_t threads = 0;          ///< invocations per line
    double cost = 0;                    ///< relative time of a line
};

/// What the caller's memory layout wants of the factors.
struct FactorWishes {
    /// Neighbouring places of a line lie in neighbouring invocations of the first stage: its stride and the invocations
    /// per line are even. This takes even lengths from 4.
    bool pairs = false;
    bool evenLastRadix = false; ///< where the length is even
    std::uint32_t mostThreads = 1024;
    std::uint32_t elements = 0; ///< values of an invocation: 8, 16 or 24; 0: the cheapest. For measurements
};

/// The cheapest radices of a supported length; none where they need more than the most invocations, or where no stages
/// have that many values.
Factors cheapestFactors(std::uint32_t length, const FactorWishes& wishes = {});

} // namespace aureole::fft
