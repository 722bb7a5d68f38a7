#pragma once

// Batched one-dimensional transforms on the device, of complex lines or of real ones.
//
// Forward: X[k] = sum x[n] exp(-2 pi i n k / N); inverse: the same with the other sign; both times `scale`, so that a
// round trip is the identity with a scale of 1/N on one side. Frequencies are stored in natural order, or in slot order
// (shared/fft/fft_index.h: fftSlot, fftFrequency, fftMirrorSlot, fftNyquistSlot), which saves the device scattered
// accesses where a forward transform meets its inverse.
//
// Supported lengths, the cheapest one from a minimum, and shapes are in fft/line_shape.h; README.md says how far
// transforms are from exact ones.
//
// Of real lines half the spectrum is stored, as N/2 complex values, DC and Nyquist packed in the first: see
// shared/fft/fft_packed.h. In slot order these are the first N/2 slots of the whole spectrum.

#include <cstdint>

#include "fft/axis_pass.h"
#include "fft/line_shape.h"
#include "gpu/device.h"

namespace aureole::fft {

struct PlanOptions {
    std::uint32_t length = 0; ///< supported ones only (isSupported); of real lines, even ones
    bool inverse = false;
    bool naturalOrder = true; ///< of the frequencies: the output of a forward transform, the input of an inverse one
    Exchange exchange = Exchange::Memory;
    bool real = false;         ///< real lines: the input of a forward transform, the output of an inverse one
    bool linesFastest = false; ///< made for lines whose lineStride is less than their stride, such as columns
    /// Values of an invocation, 8, 16 or 24 (of lengths of four stages); 0: the cheapest. For measurements.
    std::uint32_t elements = 0;
};

/// fp32 values on the device: value n of line l is at address + elementBytes (l lineStride + n stride), where an
/// element is a complex value (re, im), 8 bytes, or a real one, 4.
struct Lines {
    std::uint64_t address = 0; ///< a multiple of an element's bytes
    std::uint32_t stride = 1;
    std::uint32_t lineStride = 0;
};

/// A transform made ready for a device. Must live until the commands it was executed in have ended.
class Plan {
public:
    /// Records the transform of `count` lines, none where that is 0. The caller sets barriers around it. In place:
    /// complex lines may be transformed into themselves, and real lines where each has the same bytes on both sides:
    /// strides of 1, the same address, and a real lineStride twice the complex one. Throws Error (BadInput) where the
    /// memory of source and target, from first value to last, overlaps otherwise, target values share memory, an
    /// address is not aligned, or a line reaches over 2^31 elements.
    void execute(gpu::CommandEncoder& commands, const Lines& target, const Lines& source, std::uint32_t count,
                 float scale = 1.0F) const;

    const LineShape& shape() const { return pass_.shape; }

private:
    friend Plan plan(const gpu::Device& device, const PlanOptions& options);
    AxisPass pass_;
};

/// Throws Error (Internal) for a length that is not supported, (NoDevice) where it cannot have that many values an
/// invocation, and what the device throws.
Plan plan(const gpu::Device& device, const PlanOptions& options);

/// The shape that a plan on the device would have: radices, workgroup size and memory.
LineShape shapeFor(const gpu::Device& device, const PlanOptions& options);

/// The bytes of a buffer that holds the source, or the target, of `count` lines: from the address of the lines to the
/// end of their last value. Throws Error (OutOfMemory) where that is no number of 64 bits.
std::uint64_t sourceBytes(const PlanOptions& options, const Lines& source, std::uint32_t count);
std::uint64_t targetBytes(const PlanOptions& options, const Lines& target, std::uint32_t count);

} // namespace aureole::fft
