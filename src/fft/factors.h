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

/// The cheapest radices of a supported length. `pairs`: neighbouring places of a line must lie in neighbouring
/// invocations of the first stage, so that its stride and the invocations per line are even; this takes even lengths
/// from 4.
Factors cheapestFactors(std::uint32_t length, bool pairs = false);

} // namespace aureole::fft
