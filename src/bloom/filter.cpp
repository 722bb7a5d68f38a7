#include "bloom/filter.h"

#include "bloom/kernel_texels.h"
#include "bloom/kernel_transform.h"
#include "bloom/passes.h"
#include "bloom/resampling_tables.h"
#include "bloom_first_variants.h"
#include "bloom_resampled_variants.h"
#include "bloom_second_variants.h"
#include "bloom_third_variants.h"
#include "core/error.h"
#include "core/threads/parallel.h"
#include "fft/specialization.h"
#include "shared/specialization.h"

namespace aureole {

using namespace bloom_passes;

namespace {

/// Throws Error (BadInput) for an empty image or kernel.
void checkSizes(std::uint32_t width, std::uint32_t height, std::uint32_t kernelWidth, std::uint32_t kernelHeight) {
    if (width == 0 || height == 0) {
        fail(ExitCode::BadInput, "bloom: the image is empty ({}x{})", width, height);
    }
    if (kernelWidth == 0 || kernelHeight == 0) {
        fail(ExitCode::BadInput, "bloom: the kernel is empty ({}x{})", kernelWidth, kernelHeight);
    }
}

ConvolutionShape exactShape(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                            const BloomKernel& kernel, const ConvolutionWishes& wishes, BloomPadding padding) {
    checkSizes(width, height, kernel.width, kernel.height);
    return shapeConvolution(width, height, usedWindow(width, kernel.width, padding),
                            usedWindow(height, kernel.height, padding), fft::limitsOf(device, wishes.exchange), wishes,
                            padding);
}

ConvolutionShape resampledShape(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                                const KernelSpectrum& kernel, ConvolutionWishes wishes, BloomPadding padding) {
    checkSizes(width, height, kernel.width(), kernel.height());
    if (wishes.columnsFirst.value_or(kernel.columnsFirst()) != kernel.columnsFirst()) {
        fail(ExitCode::Internal, "bloom: the image is to be transformed along the other axis first than the kernel");
    }
    wishes.columnsFirst = kernel.columnsFirst();
    // All texels are in the spectrum, those that never meet a pixel too.
    return shapeConvolution(width, height, wholeWindow(kernel.width()), wholeWindow(kernel.height()),
                            fft::limitsOf(device, wishes.exchange), wishes, padding);
}

gpu::Pipeline firstPipeline(const gpu::Device& device, const ConvolutionShape& shape) {
    return fft::createLinePipeline(device, "bloom.first", shaders::bloom_first(), shape.first,
                                   sizeof(shared::BloomAxisPush),
                                   axisConstants(shape.pixels, shape.lines, false, shape.firstMirroredTo));
}

gpu::Pipeline thirdPipeline(const gpu::Device& device, const ConvolutionShape& shape) {
    return fft::createLinePipeline(device, "bloom.third", shaders::bloom_third(), shape.third,
                                   sizeof(shared::BloomAxisPush),
                                   axisConstants(shape.pixels, shape.lines, false, shape.firstMirroredTo));
}

/// By an exact kernel.
gpu::Pipeline secondPipeline(const gpu::Device& device, const ConvolutionShape& shape, bool realKernel) {
    return fft::createLinePipeline(device, "bloom.second", shaders::bloom_second(), shape.second,
                                   sizeof(shared::BloomMultiplyPush),
                                   multiplyConstants(shape.lines, realKernel, shape.secondMirroredTo));
}

} // namespace

/// What a filter by an exact kernel is made of.
struct BloomFilter::ExactParts {
    ExactParts(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
               const ConvolutionWishes& wishes, BloomPadding padding)
        : shape(exactShape(device, width, height, kernel, wishes, padding))
        , texels(kernelTexels(kernel, usedWindow(width, kernel.width, padding),
                              usedWindow(height, kernel.height, padding)))
        , realKernel(texels.symmetric()) {
        // The device keeps all of them.
        concurrently({[&] { firstPipeline(device, shape); }, [&] { thirdPipeline(device, shape); },
                      [&] { secondPipeline(device, shape, realKernel); },
                      [&] { kernelPipelines(device, texels, realKernel, shape, false); }});
    }

    ConvolutionShape shape;
    KernelTexels texels;
    bool realKernel;
};

void BloomFilter::makePipelines(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                                const BloomKernel& kernel, BloomPadding padding) {
    const ExactParts parts(device, width, height, kernel, {}, padding);
}

BloomFilter::BloomFilter(const gpu::Device& device, const ConvolutionShape& shape)
    : shape_(shape)
    , firstTwiddles_(fft::createTwiddles(device, shape.first))
    , secondTwiddles_(fft::createTwiddles(device, shape.second))
    , bins_(device.createBufferWith(std::span<const shared::BloomBin>(listBins(shape.first)), "bloom bins"))
    , spectrum_(device.createBuffer(kComplexBytes * kColours * spectrumPlane(shape, shape.lines),
                                    gpu::MemoryKind::Device, "bloom spectrum"))
    , first_(firstPipeline(device, shape))
    , third_(thirdPipeline(device, shape)) {}

BloomFilter::BloomFilter(const gpu::Device& device, const ExactParts& parts)
    : BloomFilter(device, parts.shape) {
    realKernel_ = parts.realKernel;
    kernelSpectrum_ =
        transformKernel(device, parts.texels, realKernel_, {&shape_, &firstTwiddles_, &secondTwiddles_, &bins_});
    second_ = secondPipeline(device, shape_, realKernel_);
}

BloomFilter::BloomFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                         const BloomKernel& kernel, const ConvolutionWishes& wishes, BloomPadding padding)
    : BloomFilter(device, ExactParts(device, width, height, kernel, wishes, padding)) {}

BloomFilter::BloomFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                         std::shared_ptr<const KernelSpectrum> kernel, const ConvolutionWishes& wishes,
                         BloomPadding padding)
    : BloomFilter(device, resampledShape(device, width, height, *kernel, wishes, padding)) {
    compact_ = std::move(kernel);
    realKernel_ = compact_->real();
    prepareResampling(device);
}

void BloomFilter::prepareResampling(const gpu::Device& device) {
    rowTaps_ = device.createBufferWith(std::span<const shared::BloomRowTap>(rowTaps(*compact_, shape_.first)),
                                       "bloom row taps");
    slotTaps_ =
        device.createBufferWith(std::span<const std::uint32_t>(slotTaps(*compact_, shape_.second)), "bloom slot taps");
    const CompactRounds rounds = compactRounds(*compact_, shape_.second, fft::limitsOf(device).workgroupMemoryBytes);
    fft::LineShape second = shape_.second;
    second.exchanges.words = rounds.words;
    std::vector<gpu::Specialization> constants = multiplyConstants(shape_.lines, realKernel_, shape_.secondMirroredTo);
    constants.insert(constants.end(), {{SPEC_BLOOM_TAPS, compact_->tapCount()},
                                       {SPEC_BLOOM_COMPACT_COLUMNS, compact_->secondPeriod()},
                                       {SPEC_BLOOM_COMPACT_ROWS, compact_->firstPeriod() / 2 + 1},
                                       {SPEC_BLOOM_ROUND_COLUMNS, rounds.firstTaps}});
    second_ = fft::createLinePipeline(device, "bloom.second", shaders::bloom_resampled(), second,
                                      sizeof(shared::BloomMultiplyPush), constants);
}

void BloomFilter::execute(gpu::CommandEncoder& commands, const DevicePlanes& output, const DevicePlanes& input,
                          double sharpen) const {
    if (!(sharpen >= 0.0 && sharpen <= 1.0)) {
        fail(ExitCode::BadInput, "bloom: sharpening by {}; expected 0 to 1", sharpen);
    }
    const double scale = 1.0 / (static_cast<double>(shape_.first.length) * shape_.second.length);
    shared::BloomMultiplyPush multiply{};
    multiply.spectrum = spectrum_.address();
    multiply.kernel = compact_ ? compact_->address() : kernelSpectrum_.address();
    multiply.twiddles = secondTwiddles_.address();
    multiply.bins = bins_.address();
    multiply.rowTaps = rowTaps_.address();
    multiply.slotTaps = slotTaps_.address();
    multiply.binCount = binCount();
    multiply.planeStride = static_cast<std::uint32_t>(spectrumPlane(shape_, shape_.lines));
    // The second pass unpacks to twice the values. An exact kernel's spectrum is scaled already.
    multiply.keep = static_cast<float>((1.0 - sharpen) * (compact_ ? 0.5 * scale : 1.0));
    multiply.delta = static_cast<float>(0.5 * sharpen * scale);

    commands.beginPass("bloom.first");
    commands.dispatch(first_, axisPush(shape_, input, shape_.lines, spectrum_, firstTwiddles_),
                      axisGroups(shape_.first, shape_.lines), kColours);
    commands.dispatchBarrier();
    commands.beginPass("bloom.second");
    commands.dispatch(second_, multiply, divideUp(binCount(), shape_.second.lines), kColours);
    commands.dispatchBarrier();
    commands.beginPass("bloom.third");
    commands.dispatch(third_, axisPush(shape_, output, shape_.lines, spectrum_, firstTwiddles_),
                      axisGroups(shape_.third, shape_.lines), kColours);
    commands.barrier();
}

std::uint64_t BloomFilter::deviceBytes() const {
    return kernelSpectrum_.size() + spectrum_.size() + bins_.size() + firstTwiddles_.size() + secondTwiddles_.size() +
           rowTaps_.size() + slotTaps_.size();
}

} // namespace aureole
