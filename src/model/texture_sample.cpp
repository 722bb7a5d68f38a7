#include "model/texture_sample.h"

#include <algorithm>
#include <cmath>

namespace aureole {

namespace {

float decodeSrgb(float value) {
    return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

struct ByteTables {
    ByteTables() {
        for (std::size_t i = 0; i < 256; ++i) {
            linear[i] = static_cast<float>(i) / 255.0F;
            srgb[i] = decodeSrgb(linear[i]);
        }
    }
    std::array<float, 256> linear{};
    std::array<float, 256> srgb{};
};

const ByteTables kTables;

float wrapped(float value, Wrap wrap) {
    switch (wrap) {
    case Wrap::Repeat:
        return value - std::floor(value);
    case Wrap::Mirror: {
        const float period = value - 2.0F * std::floor(0.5F * value);
        return period > 1.0F ? 2.0F - period : period;
    }
    case Wrap::Clamp:
        break;
    }
    return value;
}

/// Brings a coordinate into [0, 1]; what is not finite becomes 0.
float wrapCoordinate(float value, Wrap wrap) {
    const float result = wrapped(value, wrap);
    return result > 0.0F ? std::min(result, 1.0F) : 0.0F;
}

struct Taps {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    float weight = 0.0F; ///< of `high`
};

/// The two texels around a wrapped coordinate. Beyond an edge lies the far edge when repeating, else the edge itself:
/// a mirrored picture shows its last texel twice.
Taps tapsAt(float value, std::uint32_t size, Wrap wrap) {
    const float position = value * static_cast<float>(size) - 0.5F;
    const float floor = std::floor(position);
    const auto cell = static_cast<std::int64_t>(floor);
    const std::int64_t last = std::int64_t{size} - 1;
    const auto bring = [&](std::int64_t texel) {
        if (texel < 0) {
            return static_cast<std::uint32_t>(wrap == Wrap::Repeat ? last : 0);
        }
        if (texel > last) {
            return static_cast<std::uint32_t>(wrap == Wrap::Repeat ? 0 : last);
        }
        return static_cast<std::uint32_t>(texel);
    };
    return {bring(cell), bring(cell + 1), position - floor};
}

glm::vec4 texel(const Texture& texture, bool srgb, std::uint32_t x, std::uint32_t y) {
    const std::size_t pixel = std::size_t{y} * texture.width + x;
    const std::uint8_t* rgba = texture.rgba.data() + 4 * pixel;
    if (!texture.light.empty()) {
        return {texture.light[pixel], kTables.linear[rgba[3]]};
    }
    const std::array<float, 256>& curve = srgb ? kTables.srgb : kTables.linear;
    return {curve[rgba[0]], curve[rgba[1]], curve[rgba[2]], kTables.linear[rgba[3]]};
}

std::uint32_t nearestTexel(float value, std::uint32_t size) {
    return std::min(static_cast<std::uint32_t>(value * static_cast<float>(size)), size - 1);
}

} // namespace

float srgbToLinear(std::uint8_t code) {
    return kTables.srgb[code];
}

float srgbToLinear(float value) {
    return decodeSrgb(std::clamp(value, 0.0F, 1.0F));
}

glm::vec4 sampleTexture(const Texture& texture, const TextureSlot& slot, const glm::vec2& uv) {
    const float u = wrapCoordinate(uv.x, slot.wrap[0]);
    const float v = wrapCoordinate(uv.y, slot.wrap[1]);
    if (slot.nearest) {
        return texel(texture, slot.srgb, nearestTexel(u, texture.width), nearestTexel(v, texture.height));
    }
    const Taps x = tapsAt(u, texture.width, slot.wrap[0]);
    const Taps y = tapsAt(v, texture.height, slot.wrap[1]);
    const glm::vec4 top =
        glm::mix(texel(texture, slot.srgb, x.low, y.low), texel(texture, slot.srgb, x.high, y.low), x.weight);
    const glm::vec4 bottom =
        glm::mix(texel(texture, slot.srgb, x.low, y.high), texel(texture, slot.srgb, x.high, y.high), x.weight);
    return glm::mix(top, bottom, y.weight);
}

} // namespace aureole
