#pragma once

// How a workgroup transforms lines of a length: radices, invocations and workgroup memory. Knows no device.

#include <complex>
#include <cstdint>
#include <vector>

#include "fft/exchange_layout.h"
#include "shared/fft/fft_index.h"

namespace aureole::fft {

inline constexpr std::uint32_t kMaximumLength = 16384;

/// Whether transforms of that length exist: 2 to 16384 without a prime factor above 7.
bool isSupported(std::uint32_t length);

/// The supported lengths up to `maximum`, ascending.
std::vector<std::uint32_t> supportedLengths(std::uint32_t maximum = kMaximumLength);

/// How values change hands between two stages.
enum class Exchange {
    Memory,  ///< through workgroup memory, as measurements suggest (README.md)
    Shuffle, ///< by subgroup shuffles where the stride allows (fft/shuffles.h), else through workgroup memory
};

/// What the device allows, and what the caller's memory layout wants.
struct LineLimits {
    std::uint32_t workgroupMemoryBytes = 32768;
    std::uint32_t invocations = 1024;
    std::uint32_t shuffleSize = 0;        ///< subgroups of that size exchange by shuffles; 0: they do not
    std::uint32_t lines = 1;              ///< lines of a workgroup; halved until they fit
    bool linesInRounds = false;           ///< lines fit where workgroup memory takes them in rounds, too
    std::uint32_t elements = 0;           ///< values of an invocation, as FactorWishes has them
    std::uint32_t fewestInvocations = 64; ///< workgroups of fewer invocations take more lines, up to `lineCount`
    std::uint32_t lineCount = 1;          ///< lines there are
    bool firstLinesFastest = false;       ///< in the first stage, neighbouring invocations work on neighbouring lines
    bool laterLinesFastest = false;       ///< so do they in the later stages
    bool evenLastRadix = false;           ///< where the length is even
    bool pairs = false; ///< neighbouring places of a line stand in neighbouring invocations of the first stage
};

/// How one workgroup transforms its lines; the specialization of shaders/fft/fft_workgroup.glsl.
struct LineShape {
    std::uint32_t length = 0;
    shared::FftRadices radices{1, 1, 1, 1, 1, 1};
    std::uint32_t stages = 0;
    std::uint32_t elements = 0; ///< values an invocation holds: 8, 16 or 24, the build variant of the shader
    std::uint32_t threads = 0;  ///< invocations per line
    std::uint32_t lines = 0;    ///< lines per workgroup
    bool wholeValues = false;   ///< exchanges move complex values, not real and imaginary parts in turn
    bool firstLinesFastest = false;
    bool laterLinesFastest = false;
    std::uint32_t shuffled = 0;     ///< bit s: shuffles make the exchange at the boundary after stage s
    std::uint32_t subgroupSize = 0; ///< that shuffles count on; 0: any will do
    ExchangeLayouts exchanges;

    std::uint32_t workgroupSize() const { return threads * lines; }
    std::uint32_t workgroupMemoryBytes() const { return exchanges.words * (wholeValues ? 8U : 4U); }
    std::uint32_t lastRadix() const { return shared::fftRadix(radices, stages - 1); }
};

/// The shape for lines of a supported length; with `pairs`, an even one from 4. Throws Error (Internal) for other
/// lengths, and Error (NoDevice) where the limits are too narrow for the length.
LineShape shapeLines(std::uint32_t length, const LineLimits& limits);

/// The twiddle factors of all stages, computed in double: stage by stage, rows of the legs that shared::fftTwiddleLeg
/// names, a value for each place in a block.
std::vector<std::complex<float>> twiddleTable(const LineShape& shape);

/// The relative time of one transform of that (supported) length: work of the butterflies, idle lanes included, and of
/// the exchanges. In floating-point operations.
double transformCost(std::uint32_t length);

/// The even supported length, from 4, that reaches `minimum` and transforms fastest; with `pairs`, as one for
/// LineLimits::pairs. Throws Error (BadInput) above 16384.
std::uint32_t cheapestLength(std::uint32_t minimum, bool pairs);

} // namespace aureole::fft
