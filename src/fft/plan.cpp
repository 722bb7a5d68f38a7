#include "fft/plan.h"

#include <limits>

#include "core/error.h"
#include "fft/buffer_bytes.h"
#include "fft/specialization.h"
#include "fft_forward_variants.h"
#include "fft_inverse_variants.h"

namespace aureole::fft {

namespace {

AxisOptions axisOf(const PlanOptions& options) {
    AxisOptions axis;
    axis.length = options.length;
    axis.inverse = options.inverse;
    axis.naturalOrder = options.naturalOrder;
    axis.real = options.real;
    axis.linesFastest = options.linesFastest;
    axis.exchange = options.exchange;
    return axis;
}

/// The shader of complex lines counts elements in 32 bits.
void checkReach(const Lines& lines, std::uint32_t length, std::uint32_t count) {
    if (elementCount({{length, lines.stride}, {count, lines.lineStride}}) >
        std::uint64_t{std::numeric_limits<std::uint32_t>::max()} + 1) {
        fail(ExitCode::BadInput, "FFT: {} lines of {} values with strides of {} and {}; expected at most 2^32 elements",
             count, length, lines.lineStride, lines.stride);
    }
}

std::uint64_t sideBytes(const PlanOptions& options, bool frequencies, const Lines& lines, std::uint32_t count) {
    const std::uint32_t values = frequencies ? frequencyCount(axisOf(options)) : options.length;
    const std::uint32_t bytes = options.real && !frequencies ? 4 : 8;
    return bytesOf({{values, lines.stride}, {count, lines.lineStride}}, bytes);
}

} // namespace

Plan plan(const gpu::Device& device, const PlanOptions& options) {
    Plan result;
    if (options.real) {
        result.pass_ = createAxisPass(device, axisOf(options));
        return result;
    }
    result.pass_.options = axisOf(options);
    result.pass_.shape = shapeFor(device, options);
    result.pass_.pipeline =
        createLinePipeline(device, "fft.complex", options.inverse ? shaders::fft_inverse() : shaders::fft_forward(),
                           result.pass_.shape, sizeof(shared::FftComplexPush), {{32, options.naturalOrder ? 1U : 0U}});
    result.pass_.twiddles = createTwiddles(device, result.pass_.shape);
    return result;
}

LineShape shapeFor(const gpu::Device& device, const PlanOptions& options) {
    return shapeAxis(limitsOf(device, options.exchange), axisOf(options));
}

void Plan::execute(gpu::CommandEncoder& commands, const Lines& target, const Lines& source, std::uint32_t count,
                   float scale) const {
    if (pass_.options.real) {
        pass_.record(commands, {target.address, target.stride, target.lineStride},
                     {source.address, source.stride, source.lineStride}, count, 1, scale);
        return;
    }
    checkReach(target, pass_.shape.length, count);
    checkReach(source, pass_.shape.length, count);
    shared::FftComplexPush push{};
    push.source = source.address;
    push.target = target.address;
    push.twiddles = pass_.twiddles.address();
    push.count = count;
    push.scale = scale;
    push.sourceStride = source.stride;
    push.sourceLineStride = source.lineStride;
    push.targetStride = target.stride;
    push.targetLineStride = target.lineStride;
    commands.dispatch(pass_.pipeline, push, (count + pass_.shape.lines - 1) / pass_.shape.lines);
}

std::uint64_t sourceBytes(const PlanOptions& options, const Lines& source, std::uint32_t count) {
    return sideBytes(options, options.inverse, source, count);
}

std::uint64_t targetBytes(const PlanOptions& options, const Lines& target, std::uint32_t count) {
    return sideBytes(options, !options.inverse, target, count);
}

} // namespace aureole::fft
