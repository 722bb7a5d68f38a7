#include "scene/json/texture_packing.h"

#include <algorithm>
#include <cmath>

#include "image/colour/srgb.h"
#include "model/texture_sample.h"

namespace aureole {

namespace {

std::uint8_t valueOf(const std::uint8_t* rgba, std::size_t channel) {
    if (channel == kNoChannel) {
        return 255;
    }
    const std::uint8_t value = rgba[channel % 4];
    return channel < 4 ? value : static_cast<std::uint8_t>(255 - value);
}

std::uint8_t byteOf(double value) {
    return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(value, 0.0, 1.0)));
}

/// The texel at a place of a picture, or of its mirrored half behind it.
std::size_t texelAt(std::uint32_t place, std::uint32_t size) {
    return std::min(place, 2 * size - 1 - place);
}

/// Two texels along an axis, of which the difference tells the slope.
struct Neighbours {
    std::size_t before;
    std::size_t behind;
};

/// Those beside a place; of a mirrored picture, also beyond its two halves. Beyond the edges of one that is clamped
/// lies what its outermost texel shows. The heights are level there, and so is that texel: it is beside itself.
Neighbours neighboursOf(std::uint32_t place, std::uint32_t size, Wrap wrap) {
    if (wrap == Wrap::Clamp && (place == 0 || place == size - 1)) {
        return {place, place};
    }
    const std::uint32_t period = wrap == Wrap::Mirror ? 2 * size : size;
    return {texelAt((place + period - 1) % period, size), texelAt((place + 1) % period, size)};
}

} // namespace

const std::vector<std::string>& textureChannelNames() {
    static const std::vector<std::string> names = {"r", "g", "b", "a", "1-r", "1-g", "1-b", "1-a", "none"};
    return names;
}

Texture repacked(Texture texture, std::size_t roughness, std::size_t metalness) {
    for (std::size_t i = 0; i < texture.rgba.size(); i += 4) {
        std::uint8_t* const texel = texture.rgba.data() + i;
        const std::uint8_t rough = valueOf(texel, roughness);
        const std::uint8_t metal = valueOf(texel, metalness);
        texel[1] = rough;
        texel[2] = metal;
    }
    return texture;
}

Texture occlusionOf(const Texture& texture, std::size_t channel, float strength) {
    Texture result = texture;
    for (std::size_t i = 0; i < result.rgba.size(); i += 4) {
        const double value = valueOf(texture.rgba.data() + i, channel) / 255.0;
        std::fill_n(result.rgba.begin() + static_cast<std::ptrdiff_t>(i), 3,
                    byteOf(1.0 - static_cast<double>(strength) * (1.0 - value)));
        result.rgba[i + 3] = 255;
    }
    return result;
}

Texture darkened(const Texture& albedo, const TextureSlot& slot, const Texture& occlusion) {
    TextureSlot colours = slot;
    TextureSlot greys = slot;
    greys.srgb = false;
    Texture result{albedo.name, std::max(albedo.width, occlusion.width), std::max(albedo.height, occlusion.height), {}};
    result.rgba.reserve(std::size_t{4} * result.width * result.height);
    for (std::uint32_t y = 0; y < result.height; ++y) {
        for (std::uint32_t x = 0; x < result.width; ++x) {
            const glm::vec2 place((static_cast<float>(x) + 0.5F) / static_cast<float>(result.width),
                                  (static_cast<float>(y) + 0.5F) / static_cast<float>(result.height));
            const glm::vec4 colour = sampleTexture(albedo, colours, place);
            const float light = sampleTexture(occlusion, greys, place).r;
            for (glm::length_t c = 0; c < 3; ++c) {
                const double value = static_cast<double>(colour[c] * light);
                result.rgba.push_back(byteOf(slot.srgb ? srgbEncode(value) : value));
            }
            result.rgba.push_back(byteOf(colour.a));
        }
    }
    return result;
}

Texture normalsOf(const Texture& texture, std::size_t channel, double scale, const std::array<Wrap, 2>& wrap) {
    Texture result{texture.name,
                   texture.width * (wrap[0] == Wrap::Mirror ? 2U : 1U),
                   texture.height * (wrap[1] == Wrap::Mirror ? 2U : 1U),
                   {}};
    result.rgba.reserve(std::size_t{4} * result.width * result.height);
    const auto height = [&](std::size_t x, std::size_t y) {
        return valueOf(texture.rgba.data() + 4 * (y * texture.width + x), channel) / 255.0;
    };
    const double texels = 0.5 * scale * texture.width; // of a height of 1, by the distance of two neighbours
    for (std::uint32_t y = 0; y < result.height; ++y) {
        const Neighbours rows = neighboursOf(y, texture.height, wrap[1]);
        const std::size_t row = texelAt(y, texture.height);
        for (std::uint32_t x = 0; x < result.width; ++x) {
            const Neighbours columns = neighboursOf(x, texture.width, wrap[0]);
            const std::size_t column = texelAt(x, texture.width);
            // Rows run downwards, and green up: what rises downwards leans up.
            const glm::dvec3 normal =
                glm::normalize(glm::dvec3(texels * (height(columns.before, row) - height(columns.behind, row)),
                                          texels * (height(column, rows.behind) - height(column, rows.before)), 1.0));
            for (glm::length_t c = 0; c < 3; ++c) {
                result.rgba.push_back(byteOf(0.5 + 0.5 * normal[c]));
            }
            result.rgba.push_back(255);
        }
    }
    return result;
}

} // namespace aureole
