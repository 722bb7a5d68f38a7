#pragma once

// The transform of a kernel on the device. Internal to the module.

#include <vector>

#include "bloom/convolution_shape.h"
#include "bloom/kernel_texels.h"
#include "gpu/device.h"

namespace aureole {

struct KernelTransform {
    const ConvolutionShape* shape;    ///< periods and axis order
    const gpu::Buffer* firstTwiddles; ///< of the shape's axes
    const gpu::Buffer* secondTwiddles;
    const gpu::Buffer* bins; ///< BloomBin; the lines of the result are in their order
    bool compact = false;    ///< lines in natural order, unscaled; else in slot order, ready for the second pass
};

struct KernelPipelines {
    gpu::Pipeline first;
    gpu::Pipeline second;
};

/// The pipelines of transformKernel, whose device keeps them; made at the same time.
KernelPipelines kernelPipelines(const gpu::Device& device, const KernelTexels& texels, bool real,
                                const ConvolutionShape& shape, bool compact);

/// The spectrum of a kernel, complex, or real where the kernel is symmetric; shared/bloom.h has the layouts. Waits.
gpu::Buffer transformKernel(const gpu::Device& device, const KernelTexels& texels, bool real,
                            const KernelTransform& transform);

} // namespace aureole
