#include "filter_util.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <string_view>

#include <gtest/gtest.h>

namespace aureole::testing {

namespace {

constexpr float kPoison = -12345.0F;

std::int64_t reflected(std::int64_t at, std::int64_t size) {
    while (at < 0 || at >= size) {
        at = at < 0 ? -1 - at : 2 * size - 1 - at;
    }
    return at;
}

Planes convolveAll(const Picture& picture, const BloomKernel& kernel, BloomPadding padding) {
    Planes result;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::uint32_t y = 0; y < picture.height; ++y) {
            for (std::uint32_t x = 0; x < picture.width; ++x) {
                result.at(c).push_back(convolveAt(picture, kernel, padding, c, x, y));
            }
        }
    }
    return result;
}

DevicePlanes planesOf(const gpu::Buffer& buffer, std::uint32_t height, std::uint32_t stride) {
    const std::uint64_t bytes = sizeof(float) * std::uint64_t{stride} * height;
    return {{buffer.address(), buffer.address() + bytes, buffer.address() + 2 * bytes}, stride};
}

/// The gaps are very bright: reading them would show.
gpu::Buffer uploadPlanes(const gpu::Device& device, const Picture& picture, std::uint32_t stride) {
    std::vector<float> values(3 * std::size_t{stride} * picture.height, 1e20F);
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::uint32_t y = 0; y < picture.height; ++y) {
            std::memcpy(&values[(c * picture.height + y) * stride],
                        &picture.planes.at(c)[std::size_t{y} * picture.width], sizeof(float) * picture.width);
        }
    }
    return device.createBufferWith(std::span<const float>(values), "input");
}

} // namespace

Picture blackPicture(std::uint32_t width, std::uint32_t height) {
    Picture picture{width, height, {}};
    for (auto& plane : picture.planes) {
        plane.assign(std::size_t{width} * height, 0.0F);
    }
    return picture;
}

Picture randomPicture(std::uint32_t width, std::uint32_t height, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    Picture picture = blackPicture(width, height);
    for (auto& plane : picture.planes) {
        for (float& value : plane) {
            value = uniform(random) < 0.02F ? 50.0F * uniform(random) : uniform(random);
        }
    }
    return picture;
}

BloomKernel randomKernel(std::uint32_t width, std::uint32_t height, std::uint32_t seed) {
    const Picture picture = randomPicture(width, height, seed);
    return {width, height, picture.planes};
}

BloomKernel symmetricKernel(std::uint32_t width, std::uint32_t height, std::uint32_t seed) {
    BloomKernel kernel = randomKernel(width, height, seed);
    for (auto& plane : kernel.planes) {
        std::copy_n(plane.begin(), plane.size() / 2, plane.rbegin());
    }
    return kernel;
}

double convolveAt(const Picture& picture, const BloomKernel& kernel, BloomPadding padding, std::size_t colour,
                  std::int64_t x, std::int64_t y) {
    const auto width = static_cast<std::int64_t>(picture.width);
    const auto height = static_cast<std::int64_t>(picture.height);
    double sum = 0;
    for (std::int64_t v = 0; v < kernel.height; ++v) {
        const std::int64_t row = y - v + kernel.height / 2;
        for (std::int64_t u = 0; u < kernel.width; ++u) {
            const std::int64_t column = x - u + kernel.width / 2;
            const bool inside = row >= 0 && row < height && column >= 0 && column < width;
            if (inside || padding == BloomPadding::Mirror) {
                const std::int64_t pixel = reflected(row, height) * width + reflected(column, width);
                sum += static_cast<double>(picture.planes.at(colour)[static_cast<std::size_t>(pixel)]) *
                       kernel.planes.at(colour)[static_cast<std::size_t>(v * kernel.width + u)];
            }
        }
    }
    return sum;
}

Planes convolve(const Picture& picture, const BloomKernel& kernel) {
    return convolveAll(picture, kernel, BloomPadding::Zero);
}

Planes convolveReflected(const Picture& picture, const BloomKernel& kernel) {
    return convolveAll(picture, kernel, BloomPadding::Mirror);
}

double relativeError(const Picture& picture, const Planes& expected) {
    double error = 0;
    double norm = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < expected.at(c).size(); ++i) {
            error += std::pow(picture.planes.at(c)[i] - expected.at(c)[i], 2);
            norm += std::pow(expected.at(c)[i], 2);
        }
    }
    return norm > 0 ? std::sqrt(error / norm) : std::sqrt(error);
}

Picture FilterTest::run(const BloomFilter& filter, const Picture& picture, double sharpen) {
    const std::uint32_t inputStride = picture.width + 3;
    const std::uint32_t outputStride = picture.width + 5;
    const gpu::Buffer input = uploadPlanes(device(), picture, inputStride);
    const std::size_t planeFloats = std::size_t{outputStride} * picture.height;
    std::vector<float> values(3 * planeFloats, kPoison);
    const gpu::Buffer output = device().createBufferWith(std::span<const float>(values), "output");
    gpu::CommandEncoder commands = device().encoder();
    filter.execute(commands, planesOf(output, picture.height, outputStride),
                   planesOf(input, picture.height, inputStride), sharpen);
    device().submit(std::move(commands)).wait();
    device().download(output, 0, std::as_writable_bytes(std::span(values)));

    Picture result = blackPicture(picture.width, picture.height);
    for (std::size_t row = 0; row < std::size_t{3} * picture.height; ++row) {
        const float* const found = &values[row * outputStride];
        float* const kept = &result.planes.at(row / picture.height)[row % picture.height * picture.width];
        std::copy_n(found, picture.width, kept);
        for (std::size_t x = picture.width; x < outputStride; ++x) {
            EXPECT_EQ(found[x], kPoison) << "written outside of the image";
        }
    }
    return result;
}

} // namespace aureole::testing
