#pragma once

// How a workgroup transforms lines of a length: radices, invocations and workgroup memory. Knows no device.

#include <complex>
#include <cstdint>
#include <vector>

#include "shared/fft_index.h"

namespace aureole::fft {

inline constexpr std::uint32_t kMaximumLength = 16384;

/// Whether transforms of that length exist: 2 to 16384 without a prime factor above 7.
bool isSupported(std::uint32_t length);

/// The supported lengths up to `maximum`, ascending.
std::vector<std::uint32_t> supportedLengths(std::uint32_t maximum = kMaximumLength);

/// What the device allows, and what the caller's memory layout wants.
struct LineLimits {
    std::uint32_t workgroupMemoryBytes = 32768;
    std::uint32_t invocations = 1024;
    std::uint32_t lines = 1;              ///< lines of a workgroup; taken down to what fits, a power of two stays one
    std::uint32_t fewestInvocations = 64; ///< workgroups of fewer invocations take more lines, up to `lineCount`
    std::uint32_t lineCount = 1;          ///< lines there are
    bool linesFastest = false;            ///< neighbouring invocations work on neighbouring lines, not along a line
};

/// How one workgroup transforms its lines; the specialization of shaders/fft_workgroup.glsl.
struct LineShape {
    std::uint32_t length = 0;
    shared::FftRadices radices{1, 1, 1, 1, 1, 1};
    std::uint32_t stages = 0;
    std::uint32_t elements = 0; ///< values an invocation holds: 16 or 24, the build variant of the shader
    std::uint32_t threads = 0;  ///< invocations per line
    std::uint32_t lines = 0;    ///< lines per workgroup
    std::uint32_t capacity = 0; ///< slots per line that workgroup memory holds at a time
    bool wholeValues = false;   ///< exchanges move complex values, not real and imaginary parts in turn
    bool linesFastest = false;

    std::uint32_t workgroupSize() const { return threads * lines; }
    std::uint32_t workgroupMemoryBytes() const { return lines * capacity * (wholeValues ? 8U : 4U); }
};

/// The shape for lines of a supported length. Throws Error (Internal) for other lengths, and Error (NoDevice) where the
/// limits are too narrow for the length.
LineShape shapeLines(std::uint32_t length, const LineLimits& limits);

/// The twiddle factors of all stages, in the order of shared::fftTwiddleOffset, computed in double.
std::vector<std::complex<float>> twiddleTable(const LineShape& shape);

/// The relative time of one transform of that (supported) length: work of the butterflies, idle lanes included, and of
/// the exchanges, in floating-point operations.
double transformCost(std::uint32_t length);

/// The supported even length from `minimum` up whose transform costs least. Throws Error (BadInput) where `minimum` is
/// above 16384.
std::uint32_t cheapestEvenLength(std::uint32_t minimum);

} // namespace aureole::fft
