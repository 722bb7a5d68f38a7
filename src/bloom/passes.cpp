#include "bloom/passes.h"
#include "shared/specialization.h"

namespace aureole::bloom_passes {

std::uint64_t spectrumPlane(const ConvolutionShape& shape, std::uint32_t lines) {
    return std::uint64_t{shape.first.length + shape.first.length % 2} * ConvolutionShape::pairStride(lines);
}

std::uint32_t axisGroups(const fft::LineShape& pass, std::uint32_t lines) {
    return divideUp(divideUp(lines, 2), pass.lines);
}

shared::BloomAxisPush axisPush(const ConvolutionShape& shape, const DevicePlanes& planes, std::uint32_t lines,
                               const gpu::Buffer& spectrum, const gpu::Buffer& twiddles) {
    shared::BloomAxisPush push{};
    push.red = planes.addresses[0];
    push.green = planes.addresses[1];
    push.blue = planes.addresses[2];
    push.spectrum = spectrum.address();
    push.twiddles = twiddles.address();
    push.lines = lines;
    push.rowStride = planes.rowStride;
    push.planeStride = static_cast<std::uint32_t>(spectrumPlane(shape, lines));
    return push;
}

std::vector<gpu::Specialization> axisConstants(std::uint32_t pixels, std::uint32_t lines, bool isKernel,
                                               std::uint32_t mirroredTo) {
    return {{SPEC_BLOOM_PIXELS, pixels},
            {SPEC_BLOOM_PAIR_STRIDE, ConvolutionShape::pairStride(lines)},
            {SPEC_BLOOM_CENTRED, isKernel ? 1U : 0U},
            {SPEC_BLOOM_MIRRORED_TO, mirroredTo}};
}

std::vector<gpu::Specialization> multiplyConstants(std::uint32_t lines, bool realKernel, std::uint32_t mirroredTo) {
    return {{SPEC_BLOOM_LINES_USED, lines},
            {SPEC_BLOOM_PAIR_STRIDE, ConvolutionShape::pairStride(lines)},
            {SPEC_BLOOM_REAL_KERNEL, realKernel ? 1U : 0U},
            {SPEC_BLOOM_MIRRORED_TO, mirroredTo}};
}

} // namespace aureole::bloom_passes
