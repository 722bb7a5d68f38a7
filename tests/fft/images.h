#pragma once

// Two-dimensional transforms on the device and in double, for their tests.

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fft/plan_2d.h"
#include "gpu_test/gpu_test.h"
#include "oracle.h"
#include "shared/fft/fft_packed.h"

namespace aureole::fft {

/// Where the images of one side stand in a buffer, in elements.
struct ImageLayout {
    std::uint32_t stride = 1;
    std::uint32_t rowStride = 0;
    std::uint64_t imageStride = 0;

    std::size_t at(std::uint32_t x, std::uint32_t y, std::uint32_t image) const {
        return image * imageStride + std::uint64_t{y} * rowStride + std::uint64_t{x} * stride;
    }
    Images images(std::uint64_t address) const { return {address, stride, rowStride, imageStride}; }
};

inline ImageLayout contiguous(std::uint32_t width, std::uint32_t height) {
    return {1, width, std::uint64_t{width} * height};
}

/// Contiguous images of values put where a layout has them, poison between them.
template <typename T>
std::vector<T> spread(const std::vector<T>& values, std::uint32_t width, std::uint32_t height,
                      const ImageLayout& layout, std::size_t elements) {
    std::vector<T> result(elements, T(kPoison));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t row = i / width;
        result.at(layout.at(static_cast<std::uint32_t>(i % width), static_cast<std::uint32_t>(row % height),
                            static_cast<std::uint32_t>(row / height))) = values[i];
    }
    return result;
}

/// And back; fails where anything else is no longer poison.
template <typename T>
std::vector<T> gather(std::vector<T> buffer, std::uint32_t width, std::uint32_t height, const ImageLayout& layout,
                      std::uint32_t count) {
    std::vector<T> values;
    for (std::uint32_t image = 0; image < count; ++image) {
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                T& value = buffer.at(layout.at(x, y, image));
                values.push_back(value);
                value = T(kPoison);
            }
        }
    }
    for (const T& value : buffer) {
        EXPECT_EQ(value, T(kPoison)) << "written between the values";
    }
    return values;
}

/// The spectra of contiguous images in double, in natural order, packed where the images are real.
inline std::vector<ComplexDouble> spectraInDouble(const std::vector<ComplexDouble>& pixels,
                                                  const Plan2dOptions& options) {
    const std::uint32_t width = options.width;
    const std::size_t size = std::size_t{width} * options.height;
    std::vector<ComplexDouble> result;
    for (std::size_t begin = 0; begin < pixels.size(); begin += size) {
        const auto first = pixels.begin() + static_cast<std::ptrdiff_t>(begin);
        const std::vector<ComplexDouble> whole = transformInDouble({first, first + static_cast<std::ptrdiff_t>(size)},
                                                                   width, options.height, options.inverse);
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t u = i % width;
            if (options.real && u == 0) {
                result.push_back(whole[i] + ComplexDouble(0, 1) * whole[i + width / 2]);
            } else if (!options.real || u < width / 2) {
                result.push_back(whole[i]);
            }
        }
    }
    return result;
}

/// Contiguous spectra brought from natural order into the slot order of a plan.
template <typename T>
std::vector<T> inSlotOrder(const std::vector<T>& natural, const Plan2d& made) {
    const Plan2dOptions& options = made.options();
    const std::uint32_t columns = options.real ? options.width / 2 : options.width;
    std::vector<T> result;
    for (std::size_t i = 0; i < natural.size(); ++i) {
        const auto place = static_cast<std::uint32_t>(i % columns);
        const auto slot = static_cast<std::uint32_t>(i / columns % options.height);
        const std::size_t image = i / columns / options.height;
        const std::uint32_t u = options.real ? shared::fftPackedFrequency(made.rows().radices, options.width, place)
                                             : shared::fftFrequency(made.rows().radices, options.width, place);
        const std::uint32_t v = shared::fftFrequency(made.columns().radices, options.height, slot);
        result.push_back(natural[(image * options.height + v) * columns + u]);
    }
    return result;
}

/// Transforms contiguous images, which stand in memory as the layouts say.
template <typename To, typename From>
std::vector<To> transformImages(const gpu::Device& device, const Plan2d& made, const std::vector<From>& input,
                                const ImageLayout& target, const ImageLayout& source, float scale = 1.0F) {
    const Plan2dOptions& options = made.options();
    const std::uint32_t half = options.real ? options.width / 2 : options.width;
    const std::uint32_t from = options.inverse ? half : options.width;
    const std::uint32_t to = options.inverse ? options.width : half;
    const auto count = static_cast<std::uint32_t>(input.size() / from / options.height);
    const std::vector<From> spreadInput =
        spread(input, from, options.height, source, sourceBytes(options, source.images(0), count) / sizeof(From));
    std::vector<To> output(targetBytes(options, target.images(0), count) / sizeof(To), To(kPoison));
    const gpu::Buffer sourceBuffer = device.createBufferWith(std::span<const From>(spreadInput), "source");
    const gpu::Buffer targetBuffer = device.createBufferWith(std::span<const To>(output), "target");
    const Images targetImages = target.images(targetBuffer.address());
    const gpu::Buffer scratch =
        device.createBuffer(scratchBytes(options, targetImages, count), gpu::MemoryKind::Device, "scratch");
    gpu::CommandEncoder commands = device.encoder();
    made.execute(commands, targetImages, source.images(sourceBuffer.address()), count, scale, scratch.address());
    commands.barrier();
    device.submit(std::move(commands)).wait();
    std::vector<From> sourceAfter(spreadInput.size());
    device.download(sourceBuffer, 0, std::as_writable_bytes(std::span(sourceAfter)));
    EXPECT_EQ(sourceAfter, spreadInput) << "the source is kept";
    device.download(targetBuffer, 0, std::as_writable_bytes(std::span(output)));
    return gather(std::move(output), to, options.height, target, count);
}

} // namespace aureole::fft
