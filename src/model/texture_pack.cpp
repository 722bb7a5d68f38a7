#include "model/texture_pack.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "image/colour/srgb.h"

namespace aureole {

namespace {

std::size_t pixelAt(const Texture& texture, std::size_t x, std::size_t y, const Texture& target) {
    const std::size_t column = x * texture.width / target.width;
    const std::size_t row = y * texture.height / target.height;
    return row * texture.width + column;
}

const std::uint8_t* texelAt(const Texture& texture, std::size_t x, std::size_t y, const Texture& target) {
    return texture.rgba.data() + 4 * pixelAt(texture, x, y, target);
}

/// A colour through the sRGB curve, as bytes of colours are.
void copyColour(const Texture& colour, std::size_t x, std::size_t y, const Texture& target, std::uint8_t* texel) {
    if (colour.light.empty()) {
        std::copy_n(texelAt(colour, x, y, target), 3, texel);
        return;
    }
    const glm::vec3& light = colour.light[pixelAt(colour, x, y, target)];
    for (glm::length_t c = 0; c < 3; ++c) {
        texel[c] = static_cast<std::uint8_t>(std::lround(255.0 * srgbEncode(std::min(light[c], 1.0F))));
    }
}

/// A white texture as large as the larger of the two.
Texture makeTarget(const Texture* a, const Texture* b) {
    Texture target;
    for (const Texture* source : {a, b}) {
        if (source != nullptr) {
            target.name += (target.name.empty() ? "" : " + ") + source->name;
            target.width = std::max(target.width, source->width);
            target.height = std::max(target.height, source->height);
        }
    }
    target.rgba.assign(std::size_t{target.width} * target.height * 4, 255);
    return target;
}

/// Calls write(target texel, x, y) for every texel.
template <typename Write>
void forEachTexel(Texture& target, const Write& write) {
    for (std::size_t y = 0; y < target.height; ++y) {
        for (std::size_t x = 0; x < target.width; ++x) {
            write(target.rgba.data() + 4 * (y * target.width + x), x, y);
        }
    }
}

} // namespace

Texture packMetallicRoughness(const Texture* roughness, const Texture* metalness) {
    Texture target = makeTarget(roughness, metalness);
    forEachTexel(target, [&](std::uint8_t* texel, std::size_t x, std::size_t y) {
        texel[1] = roughness != nullptr ? *texelAt(*roughness, x, y, target) : std::uint8_t{255};
        texel[2] = metalness != nullptr ? *texelAt(*metalness, x, y, target) : std::uint8_t{255};
    });
    return target;
}

Texture packAlpha(const Texture* colour, const Texture& opacity) {
    bool hasAlpha = false;
    for (std::size_t i = 3; i < opacity.rgba.size(); i += 4) {
        hasAlpha = hasAlpha || opacity.rgba[i] != 255;
    }
    Texture target = makeTarget(colour, &opacity);
    forEachTexel(target, [&](std::uint8_t* texel, std::size_t x, std::size_t y) {
        if (colour != nullptr) {
            copyColour(*colour, x, y, target, texel);
        }
        texel[3] = texelAt(opacity, x, y, target)[hasAlpha ? 3 : 0];
    });
    return target;
}

bool isGrey(const Texture& texture) {
    constexpr int kNoise = 8; // JPEG's
    for (std::size_t i = 0; i + 3 < texture.rgba.size(); i += 4) {
        const std::uint8_t* texel = texture.rgba.data() + i;
        if (std::abs(texel[0] - texel[1]) > kNoise || std::abs(texel[1] - texel[2]) > kNoise) {
            return false;
        }
    }
    return true;
}

} // namespace aureole
