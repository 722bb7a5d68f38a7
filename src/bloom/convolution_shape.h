#pragma once

// The sizes of a zero-padded convolution of an image with a kernel: periods, axis order, shapes of the passes.

#include <cstdint>

#include "fft/line_shape.h"

namespace aureole {

/// The texels of one kernel axis that reach any pixel from any other.
struct KernelWindow {
    std::uint32_t begin = 0;  ///< first texel used
    std::uint32_t count = 0;  ///< texels used
    std::uint32_t centre = 0; ///< the kernel's centre, texel floor(K / 2), counted from `begin`
};

/// The window of a kernel of `taps` texels along an axis of `pixels` pixels. Texels further than pixels - 1 from the
/// centre never meet a pixel under zero padding, and would wrap onto others, so they are left out.
KernelWindow usedWindow(std::uint32_t pixels, std::uint32_t taps);

/// The least period that keeps wrapped light off the image: pixels + centre.
std::uint32_t leastPeriod(std::uint32_t pixels, const KernelWindow& window);

struct ConvolutionShape {
    bool columnsFirst = false; ///< the first axis is y
    std::uint32_t pixels = 0;  ///< of the image along the first axis
    std::uint32_t lines = 0;   ///< of the image along the second axis
    fft::LineShape first;
    fft::LineShape second;

    std::uint32_t bins() const { return first.length / 2; }
    /// Complex values from bin to bin of the spectrum of `lineCount` lines: runs of 64 bytes stay aligned.
    static std::uint32_t spectrumLineStride(std::uint32_t lineCount) { return (lineCount + 7U) & ~7U; }
};

/// The cheapest shape for an image and a kernel. `limits` are those of the device. Throws Error (BadInput) where a
/// period would be longer than 16384.
ConvolutionShape shapeConvolution(std::uint32_t width, std::uint32_t height, const KernelWindow& columns,
                                  const KernelWindow& rows, const fft::LineLimits& limits);

/// The shape for a given axis order.
ConvolutionShape shapeConvolution(std::uint32_t width, std::uint32_t height, const KernelWindow& columns,
                                  const KernelWindow& rows, const fft::LineLimits& limits, bool columnsFirst);

/// Estimated relative time of a bloom along these axes, in floating-point operations per colour: the passes' bytes at
/// about 8 operations each, and their transforms.
double convolutionCost(const ConvolutionShape& shape);

} // namespace aureole
