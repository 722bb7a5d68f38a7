#include "fft/specialization.h"

#include <algorithm>

namespace aureole::fft {

LineLimits limitsOf(const gpu::Device& device) {
    // 32 KiB is what every device has; more would only make fewer workgroups resident.
    constexpr std::uint32_t kMemoryBytes = 32768;
    constexpr std::uint32_t kInvocations = 1024;
    LineLimits limits;
    limits.workgroupMemoryBytes = std::min(kMemoryBytes, device.info().workgroupMemoryBytes);
    limits.invocations = std::min(kInvocations, device.info().maxWorkgroupInvocations);
    return limits;
}

gpu::Pipeline createLinePipeline(const gpu::Device& device, const std::string& name, const ShaderVariants& shader,
                                 const LineShape& shape, std::uint32_t pushConstantBytes,
                                 const std::vector<gpu::Specialization>& extra) {
    const std::uint32_t pool = shape.lines * shape.capacity;
    gpu::PipelineOptions options;
    options.name = name;
    options.spirv = shape.elements == 16 ? shader.sixteen : shader.thirtyTwo;
    options.pushConstantBytes = pushConstantBytes;
    options.specialization = {{0, shape.workgroupSize()},
                              {1, shape.length},
                              {2, shape.radices.r0},
                              {3, shape.radices.r1},
                              {4, shape.radices.r2},
                              {5, shape.radices.r3},
                              {6, shape.radices.r4},
                              {7, shape.radices.r5},
                              {8, shape.threads},
                              {9, shape.lines},
                              {10, shape.capacity},
                              {11, shape.wholeValues ? 1U : 0U},
                              {12, shape.linesFastest ? 1U : 0U},
                              {13, shape.wholeValues ? pool : 1U},
                              {14, shape.wholeValues ? 1U : pool}};
    options.specialization.insert(options.specialization.end(), extra.begin(), extra.end());
    return device.createPipeline(options);
}

gpu::Buffer createTwiddles(const gpu::Device& device, const LineShape& shape) {
    const std::vector<std::complex<float>> table = twiddleTable(shape);
    return device.createBufferWith(std::span<const std::complex<float>>(table), "FFT twiddle factors");
}

} // namespace aureole::fft
