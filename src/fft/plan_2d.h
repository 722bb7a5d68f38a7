#pragma once

// Two-dimensional transforms of batches of images on the device, complex or real: X[u, v] = sum x[x, y] exp(-2 pi i
// (u x / w + v y / h)), and the inverse with the other sign; both times `scale`, so that a round trip is the identity
// with a scale of 1/(w h) on one side.
//
// Two dispatches: rows, then columns; the inverse the other way round. Nothing is transposed: a workgroup takes several
// neighbouring columns, which memory holds in runs. Frequencies are in natural order along both axes, or in slot order
// along both: column p, row q then hold the frequencies of slot p of rows() and slot q of columns().
//
// Of real images half the spectrum is stored: w/2 columns of h complex values. Along x, rows are as
// shared/fft/fft_packed.h says, in natural or slot order; column 0 packs those of DC and of Nyquist, and the functions
// there take its two spectra apart.

#include <cstdint>

#include "fft/axis_pass.h"
#include "gpu/device.h"

namespace aureole::fft {

struct Plan2dOptions {
    std::uint32_t width = 0;  ///< a supported length; of real images, an even one
    std::uint32_t height = 0; ///< a supported length
    bool inverse = false;
    bool naturalOrder = true; ///< of the frequencies
    bool real = false;        ///< real images: the input of a forward transform, the output of an inverse one
    /// Store what passes from the first axis to the second in fp16, with a scale for each line. Halves these bytes, and
    /// gives the result a relative L2 error of 2.1e-4 for noise and 2.3e-4 for one pixel of 10000 among ones, measured,
    /// instead of 2e-7; never over 4.9e-4, half of fp16's last place, where the device rounds to nearest.
    bool halfIntermediates = false;
    Exchange exchange = Exchange::Memory;
    std::uint32_t elements = 0; ///< as PlanOptions has them
};

/// fp32 images on the device: pixel (x, y) of image i, or column x and row y of its spectrum, is at address +
/// elementBytes (i imageStride + y rowStride + x stride), where an element is a complex value, 8 bytes, or a real
/// one, 4.
struct Images {
    std::uint64_t address = 0; ///< a multiple of an element's bytes
    std::uint32_t stride = 1;
    std::uint32_t rowStride = 0;
    std::uint64_t imageStride = 0;
};

/// A transform made ready for a device. Must live until the commands it was executed in have ended.
class Plan2d {
public:
    /// Records the transform of so many images, with a barrier between its two dispatches; the caller sets those around
    /// it. `scratch` is the address, a multiple of 8, of scratchBytes() bytes, where that is not zero; its contents
    /// are lost. The source is kept unless it is the target. Transforms in place: complex images may be transformed
    /// into themselves, and real ones where each row has the same bytes on both sides: strides of 1, the same address,
    /// and a real rowStride and imageStride twice the complex ones. Throws Error (BadInput) where the memory of source,
    /// target and scratch, from first values to last, overlaps otherwise, target values share memory, an address is not
    /// aligned, or lines reach over 2^31 elements; (Internal) where scratch memory is missing.
    void execute(gpu::CommandEncoder& commands, const Images& target, const Images& source, std::uint32_t images,
                 float scale = 1.0F, std::uint64_t scratch = 0) const;

    const Plan2dOptions& options() const { return options_; }
    const LineShape& rows() const { return rows_.shape; }
    const LineShape& columns() const { return columns_.shape; }

private:
    friend Plan2d plan2d(const gpu::Device& device, const Plan2dOptions& options);
    Plan2dOptions options_;
    AxisPass rows_;
    AxisPass columns_;
};

/// Throws Error (Internal) for sizes that are not supported, and what the device throws.
Plan2d plan2d(const gpu::Device& device, const Plan2dOptions& options);

struct Shapes2d {
    LineShape rows;
    LineShape columns;
};

/// The shapes that a plan on the device would have.
Shapes2d shapesFor(const gpu::Device& device, const Plan2dOptions& options);

/// The bytes of a buffer that holds the source, or the target, of `count` images: from the address of the images to the
/// end of their last value. Throws Error (OutOfMemory) where that is no number of 64 bits.
std::uint64_t sourceBytes(const Plan2dOptions& options, const Images& source, std::uint32_t count);
std::uint64_t targetBytes(const Plan2dOptions& options, const Images& target, std::uint32_t count);

/// The bytes of scratch memory that an execution needs. None in fp32, but for inverse real transforms whose target's
/// rows cannot hold the half spectrum between the two axes: they can with a stride of 1, even strides of rows and
/// images and an address that is a multiple of 8.
std::uint64_t scratchBytes(const Plan2dOptions& options, const Images& target, std::uint32_t count);

} // namespace aureole::fft
