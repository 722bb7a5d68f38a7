#pragma once

// The compact spectrum of a kernel, which serves images of many sizes.

#include <cstdint>

#include "bloom/convolution_shape.h"
#include "bloom/kernel.h"
#include "bloom/resampling.h"
#include "gpu/device.h"

namespace aureole {

struct KernelSpectrumOptions {
    BloomResampling filter = BloomResampling::Kaiser;
    double oversampling = 0.0; ///< compact period over texels, at least, 1 to 2; 0: usualOversampling
    bool columnsFirst = false; ///< the first axis is y, and with it that of every image
};

/// A kernel transformed at periods of its own, resident on the device; BloomFilters of any number of images share it.
class KernelSpectrum {
public:
    /// Transforms the kernel on the device, and waits. Throws Error (BadInput) for an empty kernel, one that needs a
    /// compact period above 16384 and an oversampling out of range, (OutOfMemory) where the spectrum does not fit.
    KernelSpectrum(const gpu::Device& device, const BloomKernel& kernel, const KernelSpectrumOptions& options = {});

    /// The kernel's size and the compact periods. Axes as ConvolutionShape has them.
    std::uint32_t width() const { return width_; }
    std::uint32_t height() const { return height_; }
    bool columnsFirst() const { return columnsFirst_; }
    std::uint32_t firstPeriod() const { return firstPeriod_; }
    std::uint32_t secondPeriod() const { return secondPeriod_; }
    /// Whether the kernel is symmetric about its centre, so that its spectrum is real and half as large.
    bool real() const { return real_; }
    std::uint32_t tapCount() const { return aureole::tapCount(filter_); }
    /// How frequencies along the first and the second axis are interpolated.
    Resampling firstResampling() const;
    Resampling secondResampling() const;

    std::uint64_t address() const { return buffer_.address(); }
    std::uint64_t deviceBytes() const { return buffer_.size(); }

private:
    std::uint32_t width_;
    std::uint32_t height_;
    bool columnsFirst_;
    BloomResampling filter_;
    std::uint32_t firstPeriod_ = 0;
    std::uint32_t secondPeriod_ = 0;
    bool real_ = false;
    gpu::Buffer buffer_;
};

} // namespace aureole
