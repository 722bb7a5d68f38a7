#include <cmath>
#include <span>

#include "bloom/filter.h"
#include "core/error.h"
#include "core/log.h"
#include "fft/specialization.h"
#include "image/non_finite.h"

namespace aureole {

namespace {

BloomFilter makeFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
                       const BloomMethod& method) {
    if (method.mode == KernelMode::Exact) {
        return {device, width, height, kernel, {}, method.padding};
    }
    const ConvolutionShape cheapest =
        shapeConvolution(width, height, wholeWindow(kernel.width), wholeWindow(kernel.height), fft::limitsOf(device),
                         {}, method.padding);
    const KernelSpectrumOptions options{method.filter, 0.0, cheapest.columnsFirst};
    return {device, width, height, std::make_shared<const KernelSpectrum>(device, kernel, options), {}, method.padding};
}

} // namespace

Image bloom(const gpu::Device& device, const Image& image, const BloomKernel& kernel, const BloomMethod& method,
            const std::string& file, double* deviceMilliseconds) {
    const std::array<const Channel*, 3> source = image.rgb(file);
    if (const NonFinite bad = findNonFinite(std::span<const Channel* const>(source), image.width)) {
        logWarning("{}: {}; bloom takes them as black", file, bad.describe());
    }
    const BloomFilter filter = makeFilter(device, image.width, image.height, kernel, method);

    const std::uint64_t planeBytes = sizeof(float) * image.pixelCount();
    const gpu::Buffer pixels = device.createBuffer(3 * planeBytes, gpu::MemoryKind::Device, "bloom image");
    DevicePlanes planes{{}, image.width};
    for (std::size_t c = 0; c < 3; ++c) {
        planes.addresses.at(c) = pixels.address() + c * planeBytes;
        device.upload(pixels, c * planeBytes, std::as_bytes(std::span(source.at(c)->values)));
    }
    gpu::CommandEncoder commands = device.encoder();
    filter.execute(commands, planes, planes, method.sharpen);
    gpu::Submission submission = device.submit(std::move(commands));
    submission.wait();
    if (deviceMilliseconds != nullptr) {
        *deviceMilliseconds = 0.0;
        for (const gpu::PassTime& pass : submission.passTimes()) {
            *deviceMilliseconds += pass.milliseconds;
        }
    }

    Image result = image;
    const bool coloured = image.find("R") != nullptr;
    const std::array<const char*, 3> names = {"R", "G", "B"};
    if (!coloured) {
        // A grey image bloomed with a coloured kernel is coloured.
        std::erase_if(result.channels, [&](const Channel& channel) { return channel.name == source[0]->name; });
    }
    for (std::size_t c = 0; c < 3; ++c) {
        Channel* channel = result.find(names.at(c));
        Channel& target = channel != nullptr ? *channel : result.add(names.at(c));
        device.download(pixels, c * planeBytes, std::as_writable_bytes(std::span(target.values)));
    }
    return result;
}

} // namespace aureole
