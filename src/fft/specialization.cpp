#include "fft/specialization.h"

#include <algorithm>

#include "core/error.h"
#include "fft/device_defaults.h"

namespace aureole::fft {

LineLimits limitsOf(const gpu::Device& device, Exchange exchange) {
    // More would only make fewer workgroups resident.
    constexpr std::uint32_t kMemoryBytes = 49152;
    constexpr std::uint32_t kInvocations = 1024;
    LineLimits limits;
    limits.workgroupMemoryBytes = std::min(kMemoryBytes, device.info().workgroupMemoryBytes);
    limits.invocations = std::min(kInvocations, device.info().maxWorkgroupInvocations);
    if (exchange == Exchange::Fastest) {
        exchange = defaultsFor(device.info()).exchange;
    }
    limits.shuffleSize = exchange == Exchange::Shuffle ? device.info().subgroupSize : 0;
    return limits;
}

gpu::Pipeline createLinePipeline(const gpu::Device& device, const std::string& name, const ShaderVariants& shader,
                                 const LineShape& shape, std::uint32_t pushConstantBytes,
                                 const std::vector<gpu::Specialization>& extra) {
    const ShaderVariants::ByElements& exchange = shape.wholeValues ? shader.whole : shader.turns;
    const ShaderVariants::ByStages& variants = exchange.at(shape.elements / 8 - 1);
    gpu::PipelineOptions options;
    options.name = name;
    options.shader = variants.at(shape.stages - 1);
    if (options.shader.empty()) {
        fail(ExitCode::Internal, "{}: no build variant for {} stages, {} values an invocation, {} in workgroup memory",
             name, shape.stages, shape.elements, shape.wholeValues ? "whole" : "in turn");
    }
    options.pushConstantBytes = pushConstantBytes;
    options.requiredSubgroupSize = shape.subgroupSize;
    const ExchangeLayouts& exchanges = shape.exchanges;
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
                              {10, shape.firstLinesFastest ? 1U : 0U},
                              {11, shape.laterLinesFastest ? 1U : 0U},
                              {12, exchanges.words},
                              {13, exchanges.lineStride},
                              {24, shape.shuffled}};
    for (std::uint32_t i = 0; i < exchanges.boundaries.size(); ++i) {
        options.specialization.push_back({14 + i, exchanges.boundaries.at(i).blockStride});
        options.specialization.push_back({19 + i, exchanges.boundaries.at(i).roundBlocks});
    }
    options.specialization.insert(options.specialization.end(), extra.begin(), extra.end());
    return device.createPipeline(options);
}

gpu::Buffer createTwiddles(const gpu::Device& device, const LineShape& shape) {
    const std::vector<std::complex<float>> table = twiddleTable(shape);
    return device.createBufferWith(std::span<const std::complex<float>>(table), "FFT twiddle factors");
}

} // namespace aureole::fft
