#include "fft/axis_pass.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/divide_up.h"
#include "core/error.h"
#include "fft/specialization.h"
#include "fft_complex_forward_variants.h"
#include "fft_complex_inverse_variants.h"
#include "fft_real_forward_variants.h"
#include "fft_real_inverse_variants.h"
#include "shared/specialization.h"

namespace aureole::fft {

namespace {

// Eight neighbouring complex values are a run of 64 bytes.
constexpr std::uint32_t kNeighbours = 8;
constexpr std::uint32_t kMostGroups = 65535; ///< that every device takes along each axis of a dispatch

const ShaderVariants& shaderOf(const AxisOptions& options) {
    static const ShaderVariants kComplex[] = {shaders::fft_complex_forward(), shaders::fft_complex_inverse()};
    static const ShaderVariants kReal[] = {shaders::fft_real_forward(), shaders::fft_real_inverse()};
    return options.real ? kReal[options.inverse ? 1 : 0] : kComplex[options.inverse ? 1 : 0];
}

/// Words of workgroup memory for a line's frequencies where these are dealt to the invocations anew (fft_deal.glsl), 0
/// where they are not. Slots of one or two stages are in natural order as they are, and of lines that run fastest
/// neighbours lie in memory in any order.
std::uint32_t dealtWords(const LineLimits& limits, const LineShape& shape, const AxisOptions& options) {
    constexpr std::uint32_t kRowWords = 32;
    const bool scattered = shape.stages > 2 && !shape.laterLinesFastest;
    if (!options.naturalOrder || !(options.real || scattered)) {
        return 0;
    }
    const std::uint32_t room = limits.workgroupMemoryBytes / (shape.wholeValues ? 8 : 4) / shape.lines;
    return room >= shape.length ? shape.length : room / kRowWords * kRowWords;
}

/// Whether an element is complex, as fp32 or fp16; then its bytes.
std::uint32_t elementBytes(bool real, bool half) {
    return real || half ? 4 : 8;
}

/// SPIR-V takes an index as signed.
void checkReach(std::uint32_t values, std::uint32_t stride) {
    if (std::uint64_t{values - 1} * stride > std::numeric_limits<std::int32_t>::max()) {
        fail(ExitCode::BadInput, "FFT: lines of {} values, a stride of {} elements apart; expected at most 2^31 in all",
             values, stride);
    }
}

} // namespace

std::uint32_t frequencyCount(const AxisOptions& options) {
    return options.real ? options.length / 2 : options.length;
}

LineShape shapeAxis(const LineLimits& limits, const AxisOptions& options) {
    if (options.real && options.length % 2 != 0) {
        fail(ExitCode::Internal, "no FFT of real lines of length {}: expected an even one", options.length);
    }
    LineLimits wished = limits;
    wished.elements = options.elements;
    const std::uint32_t lines = options.mostLines > 0 ? options.mostLines : limits.invocations;
    wished.lineCount = options.real ? divideUp(lines, 2) : lines;
    wished.evenLastRadix = options.real;
    wished.firstLinesFastest = options.linesFastest;
    wished.laterLinesFastest = options.linesFastest;
    if (options.linesFastest) {
        wished.lines = std::min(kNeighbours, std::bit_ceil(wished.lineCount));
    }
    LineShape shape = shapeLines(options.length, wished);
    // Workgroup memory also serves to deal frequencies, to find mirrored ones, and the largest value of a line.
    std::uint32_t words = options.targetHalf ? shape.workgroupSize() : 0;
    words = std::max(words, shape.lines * dealtWords(limits, shape, options));
    if (options.real && !options.naturalOrder) {
        words = std::max(words, shape.lines * shape.length / 2);
    }
    shape.exchanges.words = std::max(shape.exchanges.words, words);
    if (shape.workgroupMemoryBytes() > limits.workgroupMemoryBytes) {
        fail(ExitCode::NoDevice, "an FFT of length {} needs {} bytes of workgroup memory; the device has {}",
             options.length, shape.workgroupMemoryBytes(), limits.workgroupMemoryBytes);
    }
    return shape;
}

AxisPass createAxisPass(const gpu::Device& device, const AxisOptions& options) {
    const LineLimits limits = limitsOf(device, options.exchange);
    const LineShape shape = shapeAxis(limits, options);
    const std::vector<gpu::Specialization> constants = {{SPEC_FFT_NATURAL_ORDER, options.naturalOrder ? 1U : 0U},
                                                        {SPEC_FFT_SOURCE_HALF, options.sourceHalf ? 1U : 0U},
                                                        {SPEC_FFT_TARGET_HALF, options.targetHalf ? 1U : 0U},
                                                        {SPEC_FFT_DEALT_WORDS, dealtWords(limits, shape, options)}};
    return {options, shape,
            createLinePipeline(device, options.real ? "fft.real" : "fft.complex", shaderOf(options), shape,
                               sizeof(shared::FftPassPush), constants),
            createTwiddles(device, shape)};
}

void AxisPass::record(gpu::CommandEncoder& commands, const AxisLayout& target, const AxisLayout& source,
                      std::uint32_t count, std::uint32_t images, float scale) const {
    const std::uint32_t sourceValues = options.inverse ? frequencyCount(options) : options.length;
    const std::uint32_t targetValues = options.inverse ? options.length : frequencyCount(options);
    checkReach(sourceValues, source.stride);
    checkReach(targetValues, target.stride);
    const std::uint64_t sourceBytes = elementBytes(options.real && !options.inverse, options.sourceHalf);
    const std::uint64_t targetBytes = elementBytes(options.real && options.inverse, options.targetHalf);
    shared::FftPassPush push{};
    push.twiddles = twiddles.address();
    push.sourceBatchStride = source.batchStride;
    push.targetBatchStride = target.batchStride;
    push.scale = scale;
    push.sourceStride = source.stride;
    push.sourceLineStride = source.lineStride;
    push.targetStride = target.stride;
    push.targetLineStride = target.lineStride;
    const std::uint32_t groupLines = shape.lines * (options.real ? 2 : 1);
    // Lines with scales are those of images, far too few for a second dispatch: `count` is all of them.
    const std::uint64_t mostLines = std::uint64_t{kMostGroups} * groupLines;
    for (std::uint64_t image = 0; image < images; image += kMostGroups) {
        for (std::uint64_t line = 0; line < count; line += mostLines) {
            push.source = source.address + sourceBytes * (image * source.batchStride + line * source.lineStride);
            push.target = target.address + targetBytes * (image * target.batchStride + line * target.lineStride);
            push.sourceScales = source.scales + sizeof(float) * image * sourceValues;
            push.targetScales = target.scales + sizeof(float) * image * count;
            push.count = static_cast<std::uint32_t>(std::min(count - line, mostLines));
            commands.dispatch(pipeline, push, divideUp(push.count, groupLines),
                              static_cast<std::uint32_t>(std::min<std::uint64_t>(images - image, kMostGroups)));
        }
    }
}

} // namespace aureole::fft
