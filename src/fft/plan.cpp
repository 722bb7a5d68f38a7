#include "fft/plan.h"

#include "fft/specialization.h"
#include "fft_forward_variants.h"
#include "fft_inverse_variants.h"
#include "shared/fft.h"

namespace aureole::fft {

Plan plan(const gpu::Device& device, const PlanOptions& options) {
    LineLimits limits = limitsOf(device, options.exchange);
    limits.lineCount = limits.invocations;
    Plan result;
    result.shape_ = shapeLines(options.length, limits);
    result.pipeline_ =
        createLinePipeline(device, "fft.complex", options.inverse ? shaders::fft_inverse() : shaders::fft_forward(),
                           result.shape_, sizeof(shared::FftComplexPush), {{32, options.naturalOrder ? 1U : 0U}});
    result.twiddles_ = createTwiddles(device, result.shape_);
    return result;
}

void Plan::execute(gpu::CommandEncoder& commands, const Lines& target, const Lines& source, std::uint32_t count,
                   float scale) const {
    shared::FftComplexPush push{};
    push.source = source.address;
    push.target = target.address;
    push.twiddles = twiddles_.address();
    push.count = count;
    push.scale = scale;
    push.sourceStride = source.stride;
    push.sourceLineStride = source.lineStride;
    push.targetStride = target.stride;
    push.targetLineStride = target.lineStride;
    commands.dispatch(pipeline_, push, (count + shape_.lines - 1) / shape_.lines);
}

} // namespace aureole::fft
