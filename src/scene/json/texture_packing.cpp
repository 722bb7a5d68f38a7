#include "scene/json/texture_packing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/input_file.h"
#include "image/colour/srgb.h"
#include "image/image_file.h"
#include "image/png/png.h"
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

/// The texel at a place of a picture, or of its mirrored half behind it.
std::size_t texelAt(std::uint32_t place, std::uint32_t size) {
    return std::min(place, 2 * size - 1 - place);
}

/// Two texels along an axis, of which the difference tells the slope.
struct Neighbours {
    std::size_t before;
    std::size_t behind;
};

/// The texels beside a place; of a mirrored picture, also beyond its two halves. Beyond the edges of one that is
/// clamped lies what its outermost texel shows. The heights are level there, and so is that texel: it is beside itself.
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
    texture.light.clear();
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
    result.light.clear();
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
                const auto value = static_cast<double>(colour[c] * light);
                result.rgba.push_back(byteOf(slot.srgb ? srgbEncode(value) : value));
            }
            result.rgba.push_back(byteOf(colour.a));
        }
    }
    return result;
}

Texture normalsOf(const std::string& name, const TextureHeights& heights, double scale,
                  const std::array<Wrap, 2>& wrap) {
    Texture result{name,
                   heights.width * (wrap[0] == Wrap::Mirror ? 2U : 1U),
                   heights.height * (wrap[1] == Wrap::Mirror ? 2U : 1U),
                   {}};
    result.rgba.reserve(std::size_t{4} * result.width * result.height);
    const auto height = [&](std::size_t x, std::size_t y) { return double{heights.values[y * heights.width + x]}; };
    const double texels = 0.5 * scale * heights.width; // of a height of 1, by the distance of two neighbours
    for (std::uint32_t y = 0; y < result.height; ++y) {
        const Neighbours rows = neighboursOf(y, heights.height, wrap[1]);
        const std::size_t row = texelAt(y, heights.height);
        for (std::uint32_t x = 0; x < result.width; ++x) {
            const Neighbours columns = neighboursOf(x, heights.width, wrap[0]);
            const std::size_t column = texelAt(x, heights.width);
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

Texture normalsOf(const Texture& texture, std::size_t channel, double scale, const std::array<Wrap, 2>& wrap) {
    TextureHeights heights{texture.width, texture.height, {}};
    constexpr std::size_t kColours = 3;
    const std::size_t place = channel % 4; // those behind 4 are inverted
    for (std::size_t i = 0; i < texture.rgba.size(); i += 4) {
        if (texture.light.empty() || channel >= kNoChannel || place >= kColours) {
            heights.values.push_back(static_cast<float>(valueOf(texture.rgba.data() + i, channel)) / 255.0F);
        } else {
            const float value = texture.light[i / 4][static_cast<glm::length_t>(place)];
            heights.values.push_back(channel < 4 ? value : 1.0F - value);
        }
    }
    return normalsOf(texture.name, heights, scale, wrap);
}

std::optional<TextureHeights> deepHeights(const std::filesystem::path& file, std::size_t channel) {
    constexpr std::size_t kColours = 3;
    const std::size_t place = channel % 4; // those behind 4 are inverted
    if (channel >= kNoChannel || imageFormat(file) != ImageFormat::Png) {
        return std::nullopt;
    }
    const Image image = readPng(file, PngTransfer::Linear, Links::Refuse);
    const Channel* const found = place < kColours ? image.rgb(file.string()).at(place) : image.find("A");
    const auto isDeep = [](float value) { return std::abs(255.0F * value - std::round(255.0F * value)) > 1e-3F; };
    if (found == nullptr || std::none_of(found->values.begin(), found->values.end(), isDeep)) {
        return std::nullopt;
    }
    TextureHeights heights{image.width, image.height, {}};
    for (const float value : found->values) {
        heights.values.push_back(channel < 4 ? value : 1.0F - value);
    }
    return heights;
}

} // namespace aureole
