#include "model/blended_material.h"

#include <algorithm>
#include <cstddef>

#include "shared/bsdf/material.h"

namespace aureole {

namespace {

/// The least share of blended texels among those that are there at all, for which a material is blended.
constexpr double kLeastShare = 0.05;

/// Transmission of what is blended by an alpha that differs from place to place: all goes through where that is 0.
constexpr float kMostTransmission = 0.9999F;

bool isBetween(float alpha) {
    return alpha >= kLeastAlpha && alpha <= kMostAlpha;
}

bool isBlendedByTexels(const Texture& texture, float factor) {
    std::size_t seen = 0;
    std::size_t between = 0;
    for (std::size_t i = 3; i < texture.rgba.size(); i += 4) {
        const float alpha = factor * static_cast<float>(texture.rgba[i]) / 255.0F;
        seen += alpha >= kLeastAlpha ? 1 : 0;
        between += isBetween(alpha) ? 1 : 0;
    }
    return between > 0 && static_cast<double>(between) >= kLeastShare * static_cast<double>(seen);
}

} // namespace

void blendOver(Material& material, std::span<const Texture> textures, bool alphaOfColours) {
    if (material.alphaMode != AlphaMode::Blend || material.model == MaterialModel::Mirror) {
        return;
    }
    const std::uint32_t texture = material.albedoTexture.texture;
    const bool hasTexels = texture < textures.size();
    const bool isBlended = hasTexels ? isBlendedByTexels(textures[texture], material.alpha) : isBetween(material.alpha);
    if (!isBlended && !alphaOfColours) {
        return;
    }
    if (material.model == MaterialModel::Dielectric || material.model == MaterialModel::ThinGlass) {
        material.alphaMode = AlphaMode::Opaque; // light goes through already, and holes would open a solid
        return;
    }
    if (material.model == MaterialModel::Lambert) {
        material.roughness = 1.0F;
        material.ior = 1.0F; // no coat
    }
    material.model = MaterialModel::ThinGlass;
    material.masked = METALNESS_IS_OPACITY;
    const bool varies = hasTexels || alphaOfColours;
    material.transmission = varies ? kMostTransmission : 1.0F - material.alpha;
    material.metalness = varies ? 1.0F : 0.0F;
    material.emission *= varies ? 1.0F : material.alpha;
}

} // namespace aureole
