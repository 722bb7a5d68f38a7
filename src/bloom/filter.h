#pragma once

// FFT bloom on the device: an RGB image convolved with a kernel, exactly, the outside of the image black
// or its reflection.
//
// Three dispatches: (1) two lines of pixels packed in a complex one, transformed along the first axis, stored
// transposed; (2) along the second axis: unpacking, transform, product with the kernel's spectrum, transform back,
// packing, in place; (3) back along the first axis into the output, cropped. No pass pads, packs or crops on its own.

#include <array>
#include <cstdint>
#include <string>

#include "bloom/convolution_shape.h"
#include "bloom/kernel.h"
#include "gpu/device.h"

namespace aureole {

/// Three planes of fp32 pixels on the device, row by row, the top row first.
struct DevicePlanes {
    std::array<std::uint64_t, 3> addresses{}; ///< of R, G and B
    std::uint32_t rowStride = 0;              ///< floats from row to row
};

/// A bloom made ready for a device, an image size and a kernel. Must live until the commands it was executed in have
/// ended; one execution at a time.
class BloomFilter {
public:
    /// Transforms the kernel on the device, and waits. Throws Error (BadInput) for sizes of zero or too large,
    /// (OutOfMemory) where the spectra do not fit.
    BloomFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
                const ConvolutionWishes& wishes = {}, Padding padding = Padding::Zero);

    /// Records the passes bloom.first, bloom.second and bloom.third, with the barriers between them and after them.
    /// Output may be the input. Pixels that are not finite count as black. `sharpen`, from 0 (the kernel) to 1 (the
    /// image unchanged), interpolates towards a Dirac delta. Throws Error (BadInput) for others.
    void execute(gpu::CommandEncoder& commands, const DevicePlanes& output, const DevicePlanes& input,
                 double sharpen = 0.0) const;

    const ConvolutionShape& shape() const { return shape_; }
    /// Whether the kernel is symmetric about its centre, so that its spectrum is real and half as large.
    bool realKernel() const { return realKernel_; }
    /// Device memory held: the kernel's spectrum, the image's, the twiddle factors.
    std::uint64_t deviceBytes() const;

private:
    BloomFilter(const gpu::Device& device, const ConvolutionShape& shape, const KernelWindow& columns,
                const KernelWindow& rows, const BloomKernel& kernel);
    void transformKernel(const gpu::Device& device, const KernelWindow& columns, const KernelWindow& rows,
                         const BloomKernel& kernel);

    /// Bins of a colour, those that only fill up included.
    std::uint32_t binCount() const { return static_cast<std::uint32_t>(bins_.size() / sizeof(shared::BloomBin)); }

    ConvolutionShape shape_;
    bool realKernel_ = false;
    gpu::Buffer firstTwiddles_;
    gpu::Buffer secondTwiddles_;
    gpu::Buffer bins_;
    gpu::Buffer kernelSpectrum_;
    gpu::Buffer spectrum_;
    gpu::Pipeline first_;
    gpu::Pipeline second_;
    gpu::Pipeline third_;
};

/// Convolves R, G, B of an image in host memory (a grey one gets three channels); other channels and the attributes are
/// kept. Warns of pixels that are not finite, with their number and the place of the first. `file` names the image.
/// `deviceMilliseconds` gets the time of the three passes.
Image bloom(const gpu::Device& device, const Image& image, const BloomKernel& kernel, double sharpen,
            const std::string& file, double* deviceMilliseconds = nullptr, Padding padding = Padding::Zero);

} // namespace aureole
