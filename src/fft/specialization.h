#pragma once

#include "fft/line_shape.h"
#include "gpu/device.h"

namespace aureole::fft {

/// The two build variants of a shader on top of shaders/fft_workgroup.glsl.
struct ShaderVariants {
    std::span<const std::uint32_t> sixteen;   ///< ELEMENTS=16
    std::span<const std::uint32_t> thirtyTwo; ///< ELEMENTS=32
};

/// The limits of a device for `shapeLines`; the layout's wishes are left to the caller.
LineLimits limitsOf(const gpu::Device& device);

/// The pipeline of a shader for a shape; `extra` are the constants of the shader itself, from id 15.
gpu::Pipeline createLinePipeline(const gpu::Device& device, const std::string& name, const ShaderVariants& shader,
                                 const LineShape& shape, std::uint32_t pushConstantBytes,
                                 const std::vector<gpu::Specialization>& extra = {});

/// The twiddle factors of a shape on the device.
gpu::Buffer createTwiddles(const gpu::Device& device, const LineShape& shape);

} // namespace aureole::fft
