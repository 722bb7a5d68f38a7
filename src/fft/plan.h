#pragma once

// Batched one-dimensional complex transforms on the device.
//
// Forward: X[k] = sum x[n] exp(-2 pi i n k / N); inverse: the same with the other sign; both times `scale`, so that a
// round trip is the identity with a scale of 1/N on one side. Frequencies are stored in natural order, or in slot order
// (shared/fft_index.h: fftSlot, fftFrequency, fftMirrorSlot, fftNyquistSlot), which saves the device scattered accesses
// where a forward transform meets its inverse.

#include <cstdint>

#include "fft/line_shape.h"
#include "gpu/device.h"

namespace aureole::fft {

struct PlanOptions {
    std::uint32_t length = 0; ///< supported ones only (isSupported)
    bool inverse = false;
    bool naturalOrder = true; ///< of the frequencies: the output of a forward transform, the input of an inverse one
    Exchange exchange = Exchange::Fastest;
};

/// Complex fp32 values (re, im) on the device: line l's value n is at address + 8 (l lineStride + n stride).
struct Lines {
    std::uint64_t address = 0;
    std::uint32_t stride = 1;
    std::uint32_t lineStride = 0;
};

/// A transform made ready for a device. Must live until the commands it was executed in have ended.
class Plan {
public:
    /// Records the transform of `count` lines. Source and target may be the same lines; else they must not overlap.
    /// The caller sets barriers around it.
    void execute(gpu::CommandEncoder& commands, const Lines& target, const Lines& source, std::uint32_t count,
                 float scale = 1.0F) const;

    const LineShape& shape() const { return shape_; }

private:
    friend Plan plan(const gpu::Device& device, const PlanOptions& options);
    LineShape shape_;
    gpu::Pipeline pipeline_;
    gpu::Buffer twiddles_;
};

/// Throws Error (Internal) for a length that is not supported, and what the device throws.
Plan plan(const gpu::Device& device, const PlanOptions& options);

} // namespace aureole::fft
