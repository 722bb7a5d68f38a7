#include "bench/bloom_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "bloom/filter.h"
#include "bloom/kernel.h"
#include "core/threads/parallel.h"
#include "image/colour/tonemap.h"
#include "session/bloom.h"

namespace aureole::bench {

namespace {

struct Lamp {
    float x;      ///< of the width
    float y;      ///< of the height
    float radius; ///< of the height
    std::array<float, 3> radiance;
};

constexpr std::array<Lamp, 8> kLamps = {{{0.14F, 0.62F, 0.012F, {900.0F, 520.0F, 190.0F}},
                                         {0.29F, 0.66F, 0.010F, {900.0F, 520.0F, 190.0F}},
                                         {0.41F, 0.685F, 0.008F, {900.0F, 520.0F, 190.0F}},
                                         {0.50F, 0.70F, 0.006F, {900.0F, 520.0F, 190.0F}},
                                         {0.72F, 0.24F, 0.020F, {700.0F, 760.0F, 900.0F}},
                                         {0.64F, 0.78F, 0.007F, {900.0F, 30.0F, 20.0F}},
                                         {0.67F, 0.78F, 0.007F, {900.0F, 30.0F, 20.0F}},
                                         {0.86F, 0.60F, 0.005F, {120.0F, 800.0F, 420.0F}}}};

} // namespace

Image nightPicture(std::uint32_t width, std::uint32_t height) {
    constexpr float kHorizon = 0.74F;
    constexpr std::int64_t kRowsAtOnce = 16;
    Image image = makeImage(width, height, {"R", "G", "B"});
    parallelFor(height, kRowsAtOnce, [&](std::int64_t y) {
        const float v = (static_cast<float>(y) + 0.5F) / static_cast<float>(height);
        const float glow = v < kHorizon ? 0.03F + 0.25F * std::pow(v / kHorizon, 3.0F) : 0.02F;
        for (std::uint32_t x = 0; x < width; ++x) {
            std::array<float, 3> colour = {0.35F * glow, 0.5F * glow, glow};
            for (const Lamp& lamp : kLamps) {
                const float across = static_cast<float>(x) + 0.5F - lamp.x * static_cast<float>(width);
                const float down = static_cast<float>(y) + 0.5F - lamp.y * static_cast<float>(height);
                const float inside = lamp.radius * static_cast<float>(height) - std::hypot(across, down) + 0.5F;
                for (std::size_t c = 0; c < colour.size(); ++c) {
                    colour.at(c) += std::min(std::max(inside, 0.0F), 1.0F) * lamp.radiance.at(c);
                }
            }
            for (std::size_t c = 0; c < colour.size(); ++c) {
                image.channels[c].values[static_cast<std::size_t>(y) * width + x] = colour.at(c);
            }
        }
    });
    return image;
}

PicturePair bloomPictures(const gpu::Device& device, const cli::ModeOptions& mode) {
    const glm::uvec2 size = device.info().isCpu ? glm::uvec2(320, 180) : glm::uvec2(1280, 720);
    const Image night = nightPicture(size.x, size.y);
    const BloomSettings settings;
    const BloomKernel kernel = makeBloomKernel(settings, size, bloomViewOf(night, {}).degreesPerPixel);
    BloomMethod method;
    method.mode = mode.mode;
    method.filter = mode.chosenFilter();
    const Image bloomed = ImageBloom(device, size.x, size.y, kernel, method).apply(night, "lights at night");
    const auto shown = [](const Image& image) { return toneMap(image, ToneMap::Filmic, 0.0, "lights at night"); };
    return {"Lights at night",
            fmt::format("{}x{} pixels, the default kernel, tone mapped by 'filmic' after the bloom.", size.x, size.y),
            {"before", shown(night)},
            {"after", shown(bloomed)},
            {}};
}

} // namespace aureole::bench
