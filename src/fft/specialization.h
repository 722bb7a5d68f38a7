#pragma once

#include <array>
#include <string>
#include <vector>

#include "fft/line_shape.h"
#include "gpu/device.h"
#include "gpu/shader.h"

namespace aureole::fft {

/// The build variants of a shader on top of shaders/fft/fft_workgroup.glsl; those that no length asks for are empty.
/// Made by aureole_fft_shader (CMake).
struct ShaderVariants {
    using ByStages = std::array<gpu::Shader, FFT_MAX_STAGES>; ///< by stages - 1
    using ByElements = std::array<ByStages, 3>;               ///< by values an invocation / 8 - 1
    ByElements whole;                                         ///< values exchanged whole
    ByElements turns;                                         ///< real and imaginary parts in turn
};

/// The limits of a device for `shapeLines`; the layout's wishes are left to the caller.
LineLimits limitsOf(const gpu::Device& device, Exchange exchange = Exchange::Memory);

/// The pipeline of a shader for a shape; `extra` are the constants of the shader itself, from id 32.
gpu::Pipeline createLinePipeline(const gpu::Device& device, const std::string& name, const ShaderVariants& shader,
                                 const LineShape& shape, std::uint32_t pushConstantBytes,
                                 const std::vector<gpu::Specialization>& extra = {});

/// The twiddle factors of a shape on the device.
gpu::Buffer createTwiddles(const gpu::Device& device, const LineShape& shape);

} // namespace aureole::fft
