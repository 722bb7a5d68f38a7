#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bloom/filter.h"
#include "core/error.h"
#include "core/log.h"
#include "fft/specialization.h"
#include "image/non_finite.h"

namespace aureole {

namespace {

BloomFilter makeFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
                       const BloomMethod& method) {
    if (method.mode == BloomMode::Exact) {
        return {device, width, height, kernel, {}, method.padding};
    }
    const ConvolutionShape cheapest =
        shapeConvolution(width, height, wholeWindow(kernel.width), wholeWindow(kernel.height), fft::limitsOf(device),
                         {}, method.padding);
    const KernelSpectrumOptions options{method.filter, 0.0, cheapest.columnsFirst};
    return {device, width, height, std::make_shared<const KernelSpectrum>(device, kernel, options), {}, method.padding};
}

// Transforms add up all pixels, so that those near the end of fp32's range would overflow: 2^28 of them stay within it
// up to this. Brighter images are bloomed scaled down, by a power of two, which is exact.
constexpr float kBrightest = 0x1p96F;
constexpr float kDimmed = 0x1p-64F;

float scaleFor(const std::array<const Channel*, 3>& channels) {
    for (const Channel* const channel : channels) {
        for (const float value : channel->values) {
            if (std::abs(value) > kBrightest && std::isfinite(value)) {
                return kDimmed;
            }
        }
    }
    return 1.0F;
}

void multiply(std::vector<float>& values, float factor) {
    if (factor != 1.0F) {
        std::transform(values.begin(), values.end(), values.begin(), [=](float value) { return factor * value; });
    }
}

} // namespace

ImageBloom::ImageBloom(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
                       const BloomMethod& method)
    : device_(device)
    , size_(width, height)
    , sharpen_(method.sharpen)
    , filter_(makeFilter(device, width, height, kernel, method))
    , pixels_(device.createBuffer(3 * sizeof(float) * std::uint64_t{width} * height, gpu::MemoryKind::Device,
                                  "bloom image")) {}

Image ImageBloom::apply(Image image, const std::string& file) {
    if (image.width != size_.x || image.height != size_.y) {
        fail(ExitCode::Internal, "{}: bloom of {}x{} pixels, made for {}x{}", file, image.width, image.height, size_.x,
             size_.y);
    }
    const std::array<const Channel*, 3> source = std::as_const(image).rgb(file);
    if (const NonFinite bad = findNonFinite(std::span<const Channel* const>(source), image.width)) {
        logWarning("{}: {}; bloom takes them as black", file, bad.describe());
    }
    const std::uint64_t planeBytes = sizeof(float) * image.pixelCount();
    DevicePlanes planes{{}, image.width};
    const float scale = scaleFor(source);
    for (std::size_t c = 0; c < 3; ++c) {
        planes.addresses.at(c) = pixels_.address() + c * planeBytes;
        std::vector<float> scaled = scale == 1.0F ? std::vector<float>() : source.at(c)->values;
        multiply(scaled, scale);
        const std::vector<float>& values = scaled.empty() ? source.at(c)->values : scaled;
        device_.upload(pixels_, c * planeBytes, std::as_bytes(std::span(values)));
    }
    gpu::CommandEncoder commands = device_.encoder();
    filter_.execute(commands, planes, planes, sharpen_);
    gpu::Submission submission = device_.submit(std::move(commands));
    submission.wait();
    for (const gpu::PassTime& pass : submission.passTimes()) {
        milliseconds_ += pass.milliseconds;
    }
    if (source[0] == source[1]) {
        // A grey image bloomed with a coloured kernel is coloured.
        std::erase_if(image.channels,
                      [grey = source[0]->name](const Channel& channel) { return channel.name == grey; });
    }
    const std::array<const char*, 3> names = {"R", "G", "B"};
    for (std::size_t c = 0; c < 3; ++c) {
        Channel* channel = image.find(names.at(c));
        Channel& target = channel != nullptr ? *channel : image.add(names.at(c));
        device_.download(pixels_, c * planeBytes, std::as_writable_bytes(std::span(target.values)));
        multiply(target.values, 1.0F / scale);
    }
    return image;
}

} // namespace aureole
