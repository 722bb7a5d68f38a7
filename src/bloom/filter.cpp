#include "bloom/filter.h"

#include <algorithm>

#include "bloom_first_variants.h"
#include "bloom_kernel_variants.h"
#include "bloom_second_variants.h"
#include "bloom_third_variants.h"
#include "core/error.h"
#include "fft/specialization.h"
#include "shared/bloom.h"

namespace aureole {

namespace {

constexpr std::uint32_t kColours = 3;
constexpr std::uint64_t kComplexBytes = 8;

std::uint32_t divideUp(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
}

void checkSizes(std::uint32_t width, std::uint32_t height, const BloomKernel& kernel) {
    if (width == 0 || height == 0) {
        fail(ExitCode::BadInput, "bloom: the image is empty ({}x{})", width, height);
    }
    if (kernel.width == 0 || kernel.height == 0) {
        fail(ExitCode::BadInput, "bloom: the kernel is empty ({}x{})", kernel.width, kernel.height);
    }
}

ConvolutionShape shapeFor(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                          const BloomKernel& kernel, const ConvolutionWishes& wishes, Padding padding) {
    checkSizes(width, height, kernel);
    return shapeConvolution(width, height, usedWindow(width, kernel.width, padding),
                            usedWindow(height, kernel.height, padding), fft::limitsOf(device, wishes.exchange), wishes,
                            padding);
}

/// The spectrum of `lines` lines; indices inside a plane are 32 bits wide.
std::uint64_t spectrumPlane(const ConvolutionShape& shape, std::uint32_t lines) {
    return std::uint64_t{shape.first.length + shape.first.length % 2} * ConvolutionShape::pairStride(lines);
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

std::uint32_t firstGroups(const ConvolutionShape& shape, std::uint32_t lines) {
    return divideUp(divideUp(lines, 2), shape.first.lines);
}

/// The used texels of the kernel, plane after plane.
std::vector<float> windowOf(const BloomKernel& kernel, const KernelWindow& columns, const KernelWindow& rows) {
    std::vector<float> texels;
    texels.reserve(std::size_t{kColours} * columns.count * rows.count);
    for (const std::vector<float>& plane : kernel.planes) {
        for (std::uint32_t y = rows.begin; y < rows.begin + rows.count; ++y) {
            const auto row = plane.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * kernel.width + columns.begin);
            texels.insert(texels.end(), row, row + columns.count);
        }
    }
    return texels;
}

/// Specialization constants of the passes, beside those of the lines' shape.
std::vector<gpu::Specialization> axisConstants(std::uint32_t pixels, std::uint32_t lines, bool isKernel,
                                               std::uint32_t mirroredTo) {
    return {{32, pixels}, {33, ConvolutionShape::pairStride(lines)}, {34, isKernel ? 1U : 0U}, {35, mirroredTo}};
}
std::vector<gpu::Specialization> multiplyConstants(std::uint32_t lines, bool realKernel, std::uint32_t mirroredTo) {
    return {{32, lines}, {33, ConvolutionShape::pairStride(lines)}, {34, realKernel ? 1U : 0U}, {35, mirroredTo}};
}

/// Whether the used texels mirror each other about the centre, in every plane.
bool isSymmetric(const BloomKernel& kernel, const KernelWindow& columns, const KernelWindow& rows) {
    if (columns.count != 2 * columns.centre + 1 || rows.count != 2 * rows.centre + 1) {
        return false;
    }
    const std::vector<float> texels = windowOf(kernel, columns, rows);
    const std::size_t plane = std::size_t{columns.count} * rows.count;
    for (std::size_t begin = 0; begin < texels.size(); begin += plane) {
        for (std::size_t i = 0; i < plane / 2; ++i) {
            if (texels[begin + i] != texels[begin + plane - 1 - i]) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

BloomFilter::BloomFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                         const BloomKernel& kernel, const ConvolutionWishes& wishes, Padding padding)
    : BloomFilter(device, shapeFor(device, width, height, kernel, wishes, padding),
                  usedWindow(width, kernel.width, padding), usedWindow(height, kernel.height, padding), kernel) {}

BloomFilter::BloomFilter(const gpu::Device& device, const ConvolutionShape& shape, const KernelWindow& columns,
                         const KernelWindow& rows, const BloomKernel& kernel)
    : shape_(shape)
    , realKernel_(isSymmetric(kernel, columns, rows))
    , firstTwiddles_(fft::createTwiddles(device, shape.first))
    , secondTwiddles_(fft::createTwiddles(device, shape.second))
    , bins_(device.createBufferWith(std::span<const shared::BloomBin>(listBins(shape.first)), "bloom bins"))
    , kernelSpectrum_(
          device.createBuffer((realKernel_ ? 4U : 8U) * kColours * std::uint64_t{binCount()} * shape.second.length,
                              gpu::MemoryKind::Device, "bloom kernel spectrum"))
    , spectrum_(device.createBuffer(kComplexBytes * kColours * spectrumPlane(shape, shape.lines),
                                    gpu::MemoryKind::Device, "bloom spectrum"))
    , first_(fft::createLinePipeline(device, "bloom.first", shaders::bloom_first(), shape.first,
                                     sizeof(shared::BloomAxisPush),
                                     axisConstants(shape.pixels, shape.lines, false, shape.firstMirroredTo)))
    , second_(fft::createLinePipeline(device, "bloom.second", shaders::bloom_second(), shape.second,
                                      sizeof(shared::BloomMultiplyPush),
                                      multiplyConstants(shape.lines, realKernel_, shape.secondMirroredTo)))
    , third_(fft::createLinePipeline(device, "bloom.third", shaders::bloom_third(), shape.first,
                                     sizeof(shared::BloomAxisPush),
                                     axisConstants(shape.pixels, shape.lines, false, shape.firstMirroredTo))) {
    transformKernel(device, columns, rows, kernel);
}

void BloomFilter::transformKernel(const gpu::Device& device, const KernelWindow& columns, const KernelWindow& rows,
                                  const BloomKernel& kernel) {
    const KernelWindow& along = shape_.columnsFirst ? rows : columns;
    const KernelWindow& across = shape_.columnsFirst ? columns : rows;
    const gpu::Buffer texels =
        device.createBufferWith(std::span<const float>(windowOf(kernel, columns, rows)), "bloom kernel");
    const gpu::Buffer scratch = device.createBuffer(kComplexBytes * kColours * spectrumPlane(shape_, across.count),
                                                    gpu::MemoryKind::Device, "bloom kernel scratch");
    const gpu::Pipeline first =
        fft::createLinePipeline(device, "bloom.kernel.first", shaders::bloom_first(), shape_.first,
                                sizeof(shared::BloomAxisPush), axisConstants(along.count, across.count, true, 0));
    const gpu::Pipeline second =
        fft::createLinePipeline(device, "bloom.kernel.second", shaders::bloom_kernel(), shape_.second,
                                sizeof(shared::BloomMultiplyPush), multiplyConstants(across.count, realKernel_, 0));

    const std::uint64_t planeBytes = sizeof(float) * std::uint64_t{columns.count} * rows.count;
    const DevicePlanes planes{{texels.address(), texels.address() + planeBytes, texels.address() + 2 * planeBytes},
                              columns.count};
    shared::BloomAxisPush axis = axisPush(shape_, planes, across.count, scratch, firstTwiddles_);
    axis.shift = along.centre;

    shared::BloomMultiplyPush store{};
    store.spectrum = scratch.address();
    store.kernel = kernelSpectrum_.address();
    store.twiddles = secondTwiddles_.address();
    store.bins = bins_.address();
    store.binCount = binCount();
    store.planeStride = axis.planeStride;
    store.shift = across.centre;
    // Both passes unpack to twice the values: the spectrum is stored at half, and a kernel comes doubled itself.
    store.keep = static_cast<float>(0.25 / (static_cast<double>(shape_.first.length) * shape_.second.length));

    gpu::CommandEncoder commands = device.encoder();
    commands.beginPass("bloom.kernel");
    commands.dispatch(first, axis, firstGroups(shape_, across.count), kColours);
    commands.barrier();
    commands.dispatch(second, store, divideUp(binCount(), shape_.second.lines), kColours);
    commands.barrier();
    device.submit(std::move(commands)).wait();
}

void BloomFilter::execute(gpu::CommandEncoder& commands, const DevicePlanes& output, const DevicePlanes& input,
                          double sharpen) const {
    if (!(sharpen >= 0.0 && sharpen <= 1.0)) {
        fail(ExitCode::BadInput, "bloom: sharpening by {}; expected 0 to 1", sharpen);
    }
    const double scale = 1.0 / (static_cast<double>(shape_.first.length) * shape_.second.length);
    shared::BloomMultiplyPush multiply{};
    multiply.spectrum = spectrum_.address();
    multiply.kernel = kernelSpectrum_.address();
    multiply.twiddles = secondTwiddles_.address();
    multiply.bins = bins_.address();
    multiply.binCount = binCount();
    multiply.planeStride = static_cast<std::uint32_t>(spectrumPlane(shape_, shape_.lines));
    multiply.keep = static_cast<float>(1.0 - sharpen);
    multiply.delta = static_cast<float>(0.5 * sharpen * scale);

    commands.beginPass("bloom.first");
    commands.dispatch(first_, axisPush(shape_, input, shape_.lines, spectrum_, firstTwiddles_),
                      firstGroups(shape_, shape_.lines), kColours);
    commands.dispatchBarrier();
    commands.beginPass("bloom.second");
    commands.dispatch(second_, multiply, divideUp(binCount(), shape_.second.lines), kColours);
    commands.dispatchBarrier();
    commands.beginPass("bloom.third");
    commands.dispatch(third_, axisPush(shape_, output, shape_.lines, spectrum_, firstTwiddles_),
                      firstGroups(shape_, shape_.lines), kColours);
    commands.barrier();
}

std::uint64_t BloomFilter::deviceBytes() const {
    return kernelSpectrum_.size() + spectrum_.size() + bins_.size() + firstTwiddles_.size() + secondTwiddles_.size();
}

} // namespace aureole
