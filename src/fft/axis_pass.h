#pragma once

// One dispatch that transforms lines along one axis of many images; what the plans are made of.

#include <cstdint>

#include "fft/line_shape.h"
#include "gpu/device.h"
#include "shared/fft/fft.h"

namespace aureole::fft {

struct AxisOptions {
    std::uint32_t length = 0;
    bool inverse = false;
    bool naturalOrder = true;    ///< of the frequencies
    bool real = false;           ///< real lines on the side of the pixels, packed in pairs; the length is even
    bool linesFastest = false;   ///< neighbouring lines are neighbours in memory
    std::uint32_t mostLines = 0; ///< of an image; 0: many
    bool sourceHalf = false;     ///< fp16 with a scale per line
    bool targetHalf = false;
    Exchange exchange = Exchange::Memory;
    std::uint32_t elements = 0; ///< as FactorWishes has them
};

/// The complex values of a line on the side of the frequencies: all, or half where the other side is real.
std::uint32_t frequencyCount(const AxisOptions& options);

/// One side of a pass, in elements: complex values, half2 ones, or real ones on the side of real lines. Value n of line
/// l of image i is at address + elementBytes (i batchStride + l lineStride + n stride).
struct AxisLayout {
    std::uint64_t address = 0;
    std::uint32_t stride = 1;
    std::uint32_t lineStride = 0;
    std::uint64_t batchStride = 0;
    std::uint64_t scales = 0; ///< of fp16 lines: the address of floats, one for each line of the pass that stores them
};

/// The shape of a pass within the limits. Throws Error (Internal) for lengths that are not supported, or odd ones of
/// real lines.
LineShape shapeAxis(const LineLimits& limits, const AxisOptions& options);

/// A pass made ready for a device.
struct AxisPass {
    AxisOptions options;
    LineShape shape;
    gpu::Pipeline pipeline;
    gpu::Buffer twiddles;

    /// Records the transforms of `count` lines of each of `images` images. Throws Error (BadInput) where a line reaches
    /// over 2^31 elements.
    void record(gpu::CommandEncoder& commands, const AxisLayout& target, const AxisLayout& source, std::uint32_t count,
                std::uint32_t images, float scale) const;
};

AxisPass createAxisPass(const gpu::Device& device, const AxisOptions& options);

} // namespace aureole::fft
