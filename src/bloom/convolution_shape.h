#pragma once

// The sizes of a zero-padded convolution of an image with a kernel: periods, axis order, shapes of the passes.

#include <cstdint>
#include <optional>
#include <vector>

#include "fft/line_shape.h"
#include "settings/bloom.h"
#include "shared/bloom.h"

namespace aureole {

/// The texels of one kernel axis that reach any pixel from any other.
struct KernelWindow {
    std::uint32_t begin = 0;  ///< first texel used
    std::uint32_t count = 0;  ///< texels used
    std::uint32_t centre = 0; ///< the kernel's centre, texel floor(K / 2), counted from `begin`
};

/// The window of a kernel of `taps` texels along an axis of `pixels` pixels. Texels further than pixels - 1 from the
/// centre never meet a pixel under zero padding, and would wrap onto others, so they are left out. Under mirror padding
/// all are used.
KernelWindow usedWindow(std::uint32_t pixels, std::uint32_t taps, BloomPadding padding = BloomPadding::Zero);

/// The window of all texels, for kernels whose spectrum is made without knowing the image.
KernelWindow wholeWindow(std::uint32_t taps);

/// The least period that keeps wrapped light off the image: pixels + centre; under mirror padding, pixels + count - 1.
std::uint32_t leastPeriod(std::uint32_t pixels, const KernelWindow& window, BloomPadding padding = BloomPadding::Zero);

struct ConvolutionShape {
    bool columnsFirst = false; ///< the first axis is y
    std::uint32_t pixels = 0;  ///< of the image along the first axis
    std::uint32_t lines = 0;   ///< of the image along the second axis
    fft::LineShape first;
    fft::LineShape second;
    fft::LineShape third;               ///< as the first, in workgroups of their own size
    std::uint32_t firstMirroredTo = 0;  ///< under mirror padding, shared::bloomMirrored's farEnd along the first axis
    std::uint32_t secondMirroredTo = 0; ///< farEnd along the second axis; 0 under zero padding

    std::uint32_t pairs() const { return (lines + 1) / 2; } ///< of lines, packed in complex ones
    /// Pairs from position to position of the spectrum of so many lines: runs of 128 bytes stay aligned.
    static std::uint32_t pairStride(std::uint32_t lineCount) { return ((lineCount + 1) / 2 + 7U) & ~7U; }
};

/// What is not left to the cost model; zero or empty is. For measurements and tests. Periods must reach the least one.
struct ConvolutionWishes {
    std::optional<bool> columnsFirst{};
    std::uint32_t firstPeriod = 0;
    std::uint32_t secondPeriod = 0;
    std::uint32_t firstLines = 0;                   ///< pairs of lines of a workgroup of the first and third pass
    std::uint32_t secondLines = 0;                  ///< bins of a workgroup of the second pass
    fft::Exchange exchange = fft::Exchange::Memory; ///< for fft::limitsOf
};

/// The cheapest shape for an image and a kernel. `limits` are those of the device. Throws Error (BadInput) naming the
/// sizes where a period would be longer than 16384.
ConvolutionShape shapeConvolution(std::uint32_t width, std::uint32_t height, const KernelWindow& columns,
                                  const KernelWindow& rows, const fft::LineLimits& limits,
                                  const ConvolutionWishes& wishes = {}, BloomPadding padding = BloomPadding::Zero);

/// The bins of the second pass, neighbouring positions in neighbouring bins where the last radix is even; a few may be
/// BLOOM_NO_BIN.
std::vector<shared::BloomBin> listBins(const fft::LineShape& first);

/// Estimated relative time of a bloom along these axes, in floating-point operations per colour: the passes' bytes at
/// about 8 operations each, and their transforms.
double convolutionCost(const ConvolutionShape& shape);

/// The bytes of an exact kernel's spectrum for RGB. `realKernel`: of a symmetric kernel.
std::uint64_t exactKernelBytes(const ConvolutionShape& shape, bool realKernel);

/// The bytes that the three passes read and write for an RGB image, each once, with those of the kernel's spectrum.
std::uint64_t convolutionBytes(const ConvolutionShape& shape, std::uint64_t kernelBytes);

} // namespace aureole
