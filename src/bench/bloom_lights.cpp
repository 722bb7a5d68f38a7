#include "bench/bloom_lights.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "core/error.h"

namespace aureole::bench {

std::string BloomTask::name() const {
    return fmt::format("{}x{}, {} {}", width, height, kernelSize, symmetric ? "symmetric" : "general");
}

TwoLights::TwoLights(const BloomTask& task)
    : task_(task)
    , lights_{Light{{task.width / 2, task.height / 2}, static_cast<float>(kBrightest)}, Light{{0, 0}, 5.0F}} {}

std::vector<TwoLights::Light> TwoLights::lights() const {
    if (lights_[0].pixel == lights_[1].pixel) {
        return {{lights_[0].pixel, lights_[0].value + lights_[1].value}};
    }
    return {lights_.begin(), lights_.end()};
}

std::vector<glm::uvec2> TwoLights::samples() const {
    constexpr int kOfEach = 12;
    const auto reach = static_cast<int>(task_.kernelSize / 2);
    const glm::ivec2 last(task_.width - 1, task_.height - 1);
    std::mt19937 random(1);
    std::uniform_int_distribution<int> offset(-reach, reach);
    std::vector<glm::uvec2> pixels;
    const auto add = [&](const glm::ivec2& about) {
        for (int i = 0; i < kOfEach; ++i) {
            const glm::ivec2 pixel = about + glm::ivec2(offset(random), offset(random));
            pixels.emplace_back(glm::clamp(pixel, glm::ivec2(0), last));
        }
    };
    add(glm::ivec2(lights_[0].pixel));
    add(glm::ivec2(lights_[1].pixel));
    add({last.x, 0});
    add({0, last.y});
    return pixels;
}

double TwoLights::bloomed(const BloomKernel& kernel, std::size_t colour, glm::uvec2 pixel) const {
    double sum = 0.0;
    for (const Light& light : lights_) {
        const glm::ivec2 texel =
            glm::ivec2(pixel) - glm::ivec2(light.pixel) + glm::ivec2(kernel.width / 2, kernel.height / 2);
        if (texel.x >= 0 && texel.y >= 0 && texel.x < static_cast<int>(kernel.width) &&
            texel.y < static_cast<int>(kernel.height)) {
            const auto index = static_cast<std::size_t>(texel.y) * kernel.width + static_cast<std::size_t>(texel.x);
            sum += static_cast<double>(light.value) * kernel.planes.at(colour)[index];
        }
    }
    return sum;
}

double TwoLights::check(const std::string& what, const BloomKernel& kernel, double tolerance,
                        const std::function<double(std::size_t colour, glm::uvec2 pixel)>& found) const {
    double largest = 0.0;
    for (const glm::uvec2 pixel : samples()) {
        for (std::size_t colour = 0; colour < kBloomColours; ++colour) {
            const double expected = bloomed(kernel, colour, pixel);
            const double value = found(colour, pixel);
            const double error = std::abs(value - expected) / kBrightest;
            // Written so that NaN fails.
            if (!(error <= tolerance)) {
                fail(ExitCode::Internal, "bench bloom: {}: colour {} of pixel ({}, {}) is {}, expected {}", what,
                     colour, pixel.x, pixel.y, value, expected);
            }
            largest = std::max(largest, error);
        }
    }
    return largest;
}

} // namespace aureole::bench
