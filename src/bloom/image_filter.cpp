#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bloom/filter.h"
#include "core/error.h"
#include "core/log.h"
#include "core/threads/parallel.h"
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
        const std::vector<float>& values = channel->values;
        const std::vector<float> brightest = ofRuns(values.size(), [&](std::size_t first, std::size_t end) {
            float most = 0.0F;
            for (std::size_t i = first; i < end; ++i) {
                most = std::isfinite(values[i]) ? std::max(most, std::abs(values[i])) : most;
            }
            return most;
        });
        if (std::any_of(brightest.begin(), brightest.end(), [](float most) { return most > kBrightest; })) {
            return kDimmed;
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

namespace {

/// Whether the transforms of an image need not be longer than `longest`.
bool isWithin(const glm::uvec2& size, const BloomKernel& kernel, const BloomMethod& method, std::uint32_t longest) {
    const auto fits = [&](std::uint32_t pixels, std::uint32_t taps) {
        const KernelWindow window =
            method.mode == BloomMode::Exact ? usedWindow(pixels, taps, method.padding) : wholeWindow(taps);
        return leastPeriod(pixels, window, method.padding) <= longest;
    };
    return size.x == 0 || size.y == 0 || (fits(size.x, kernel.width) && fits(size.y, kernel.height));
}

} // namespace

void ImageBloom::makePipelines(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                               const BloomKernel& kernel, const BloomMethod& method) {
    if (method.mode == BloomMode::Exact && isWithin({width, height}, kernel, method, fft::kMaximumLength)) {
        BloomFilter::makePipelines(device, width, height, kernel, method.padding);
    }
}

ImageBloom::ImageBloom(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
                       const BloomMethod& method, std::uint32_t longest)
    : device_(device)
    , size_(width, height)
    , sharpen_(method.sharpen)
    , method_(method) {
    if (isWithin(size_, kernel, method, longest)) {
        filter_.emplace(makeFilter(device, width, height, kernel, method));
        pixels_ = device.createBuffer(resultBytes(), gpu::MemoryKind::Device, "bloom image");
        return;
    }
    kernel_ = kernel;
    columns_ = cutAxis(width, kernel.width, longest);
    rows_ = cutAxis(height, kernel.height, longest);
    method_.padding = BloomPadding::Zero; // of windows: what lies around them is in them
    padding_ = method.padding;
}

DevicePlanes ImageBloom::planesOf(const gpu::Buffer& pixels, const glm::uvec2& size) {
    DevicePlanes planes{{}, size.x};
    for (std::size_t c = 0; c < 3; ++c) {
        planes.addresses.at(c) = pixels.address() + c * sizeof(float) * std::uint64_t{size.x} * size.y;
    }
    return planes;
}

void ImageBloom::addTimes(const gpu::Submission& submission) {
    for (const gpu::PassTime& pass : submission.passTimes()) {
        milliseconds_ += pass.milliseconds;
    }
}

bool ImageBloom::applyTo(const DrawBloomInput& draw, const gpu::Buffer& result) {
    if (!filter_) {
        return false;
    }
    const std::uint64_t word = 3 * sizeof(float) * pixelCount();
    const DevicePlanes planes = planesOf(pixels_, size_);
    gpu::CommandEncoder commands = device_.encoder();
    commands.fill(pixels_, word, sizeof(std::uint32_t), 0);
    commands.barrier();
    draw(commands, {pixels_.address(), pixels_.address() + word, kBrightest});
    commands.barrier();
    filter_->execute(commands, planes, planes, sharpen_);
    commands.barrier();
    commands.copy(pixels_, 0, result, 0, pixels_.size());
    gpu::Submission submission = device_.submit(std::move(commands));
    submission.wait();
    addTimes(submission);
    std::uint32_t unusual = 0;
    std::memcpy(&unusual, &result.mapped()[word], sizeof(unusual));
    return unusual == 0;
}

void ImageBloom::run(const BloomFilter& filter, const gpu::Buffer& pixels, double sharpen, HostPlanes& image) {
    const std::uint64_t planeBytes = sizeof(float) * std::uint64_t{image.size.x} * image.size.y;
    const DevicePlanes planes = planesOf(pixels, image.size);
    for (std::size_t c = 0; c < 3; ++c) {
        device_.upload(pixels, c * planeBytes, std::as_bytes(std::span(image.planes.at(c))));
    }
    gpu::CommandEncoder commands = device_.encoder();
    filter.execute(commands, planes, planes, sharpen);
    gpu::Submission submission = device_.submit(std::move(commands));
    submission.wait();
    addTimes(submission);
    for (std::size_t c = 0; c < 3; ++c) {
        device_.download(pixels, c * planeBytes, std::as_writable_bytes(std::span(image.planes.at(c))));
    }
}

void ImageBloom::runInStrips(HostPlanes& image) {
    const MakeConvolution make = [&](const glm::uvec2& window, const BloomKernel& block) -> ConvolveWindow {
        const auto filter =
            std::make_shared<const BloomFilter>(makeFilter(device_, window.x, window.y, block, method_));
        const auto pixels = std::make_shared<const gpu::Buffer>(device_.createBuffer(
            3 * sizeof(float) * std::uint64_t{window.x} * window.y, gpu::MemoryKind::Device, "bloom window"));
        return [=, this](HostPlanes& planes) { run(*filter, *pixels, 0.0, planes); };
    };
    const HostPlanes bloomed = convolveInStrips(image, kernel_, padding_, columns_, rows_, make);
    const auto keep = static_cast<float>(1.0 - sharpen_);
    const auto delta = static_cast<float>(sharpen_);
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float>& own = image.planes.at(c);
        for (std::size_t i = 0; i < own.size(); ++i) {
            own[i] = keep * bloomed.planes.at(c)[i] + (std::isfinite(own[i]) ? delta * own[i] : 0.0F);
        }
    }
}

Image ImageBloom::apply(Image image, const std::string& file) {
    if (image.width != size_.x || image.height != size_.y) {
        fail(ExitCode::Internal, "{}: bloom of {}x{} pixels, made for {}x{}", file, image.width, image.height, size_.x,
             size_.y);
    }
    const std::array<const Channel*, 3> source = std::as_const(image).rgb(file);
    if (const NonFinite bad = findNonFinite(std::span<const Channel* const>(source), image.width)) {
        logWarning("{}: {}; bloom takes them as black", file, bad.describe());
    }
    const float scale = scaleFor(source);
    const bool isGrey = source[0] == source[1];
    const std::string grey = source[0]->name;
    HostPlanes planes{size_, {}};
    for (std::size_t c = 0; c < 3; ++c) {
        if (isGrey) {
            planes.planes.at(c) = source.at(c)->values;
        } else { // the image is this function's own, and what its channels held is replaced
            planes.planes.at(c) = std::move(image.find(source.at(c)->name)->values);
        }
        multiply(planes.planes.at(c), scale);
    }
    if (filter_) {
        run(*filter_, pixels_, sharpen_, planes);
    } else {
        runInStrips(planes);
    }
    if (isGrey) {
        // A grey image bloomed with a coloured kernel is coloured.
        std::erase_if(image.channels, [&](const Channel& channel) { return channel.name == grey; });
    }
    const std::array<const char*, 3> names = {"R", "G", "B"};
    for (std::size_t c = 0; c < 3; ++c) {
        Channel* channel = image.find(names.at(c));
        Channel& target = channel != nullptr ? *channel : image.add(names.at(c));
        target.values = std::move(planes.planes.at(c));
        multiply(target.values, 1.0F / scale);
    }
    return image;
}

} // namespace aureole
