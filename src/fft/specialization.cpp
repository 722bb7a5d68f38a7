#include "fft/specialization.h"

#include <algorithm>

#include "core/error.h"
#include "shared/specialization.h"

namespace aureole::fft {

LineLimits limitsOf(const gpu::Device& device, Exchange exchange) {
    // More would only make fewer workgroups resident.
    constexpr std::uint32_t kMemoryBytes = 49152;
    constexpr std::uint32_t kInvocations = 1024;
    LineLimits limits;
    limits.workgroupMemoryBytes = std::min(kMemoryBytes, device.info().workgroupMemoryBytes);
    limits.invocations = std::min(kInvocations, device.info().maxWorkgroupInvocations);
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
    options.specialization = {{SPEC_FFT_WORKGROUP_SIZE, shape.workgroupSize()},
                              {SPEC_FFT_LENGTH, shape.length},
                              {SPEC_FFT_RADIX0, shape.radices.r0},
                              {SPEC_FFT_RADIX1, shape.radices.r1},
                              {SPEC_FFT_RADIX2, shape.radices.r2},
                              {SPEC_FFT_RADIX3, shape.radices.r3},
                              {SPEC_FFT_RADIX4, shape.radices.r4},
                              {SPEC_FFT_RADIX5, shape.radices.r5},
                              {SPEC_FFT_THREADS, shape.threads},
                              {SPEC_FFT_LINES, shape.lines},
                              {SPEC_FFT_FIRST_LINES_FASTEST, shape.firstLinesFastest ? 1U : 0U},
                              {SPEC_FFT_LATER_LINES_FASTEST, shape.laterLinesFastest ? 1U : 0U},
                              {SPEC_FFT_POOL_WORDS, exchanges.words},
                              {SPEC_FFT_LINE_STRIDE, exchanges.lineStride},
                              {SPEC_FFT_SHUFFLED, shape.shuffled}};
    for (std::uint32_t i = 0; i < exchanges.boundaries.size(); ++i) {
        options.specialization.push_back({SPEC_FFT_BLOCK_STRIDE0 + i, exchanges.boundaries.at(i).blockStride});
        options.specialization.push_back({SPEC_FFT_ROUND_BLOCKS0 + i, exchanges.boundaries.at(i).roundBlocks});
    }
    options.specialization.insert(options.specialization.end(), extra.begin(), extra.end());
    return device.createPipeline(options);
}

gpu::Buffer createTwiddles(const gpu::Device& device, const LineShape& shape) {
    const std::vector<std::complex<float>> table = twiddleTable(shape);
    return device.createBufferWith(std::span<const std::complex<float>>(table), "FFT twiddle factors");
}

} // namespace aureole::fft
