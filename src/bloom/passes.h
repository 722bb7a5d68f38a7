#pragma once

// What the passes of the bloom have in common: how they are specialised, what they are pushed. Internal to the module.

#include <cstdint>
#include <vector>

#include "bloom/convolution_shape.h"
#include "bloom/device_planes.h"
#include "core/divide_up.h"
#include "gpu/device.h"
#include "shared/bloom.h"

namespace aureole::bloom_passes {

inline constexpr std::uint32_t kColours = 3;
inline constexpr std::uint64_t kComplexBytes = 8;

/// Complex values of a plane of the spectrum of `lines` lines; indices inside it are 32 bits wide.
std::uint64_t spectrumPlane(const ConvolutionShape& shape, std::uint32_t lines);

/// Workgroups of the first or third pass, as it is shaped, over `lines` lines.
std::uint32_t axisGroups(const fft::LineShape& pass, std::uint32_t lines);

/// Push constants of the first or third pass between planes of pixels and a spectrum.
shared::BloomAxisPush axisPush(const ConvolutionShape& shape, const DevicePlanes& planes, std::uint32_t lines,
                               const gpu::Buffer& spectrum, const gpu::Buffer& twiddles);

/// Specialization constants of the first and third pass, beside those of the lines' shape.
std::vector<gpu::Specialization> axisConstants(std::uint32_t pixels, std::uint32_t lines, bool isKernel,
                                               std::uint32_t mirroredTo);

/// Specialization constants of the second pass, beside those of the lines' shape.
std::vector<gpu::Specialization> multiplyConstants(std::uint32_t lines, bool realKernel, std::uint32_t mirroredTo);

} // namespace aureole::bloom_passes
