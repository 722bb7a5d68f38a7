#pragma once

// How surfaces look.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/math.h"
#include "model/material_constants.h"
#include "model/pattern.h"
#include "model/texture.h"

namespace aureole {

enum class AlphaMode { Opaque, Mask, Blend };

/// Every texture multiplies its factor. Roughness and metalness are those of glTF's metallic-roughness model.
struct Material : MaterialConstants {
    std::string name;
    glm::vec3 albedo{0.8F};         ///< linear; base colour of glTF
    std::optional<Pattern> pattern; ///< in place of `albedo`
    float alpha = 1.0F;
    TextureSlot albedoTexture; ///< RGB albedo, A alpha
    float roughness = 1.0F;
    float metalness = 0.0F;
    TextureSlot metallicRoughnessTexture; ///< G roughness, B metalness
    glm::vec3 emission{0.0F};             ///< radiance in W/(sr m^2), linear, with any emissive strength multiplied in
    TextureSlot emissionTexture;
    TextureSlot normalTexture; ///< tangent space, green up (OpenGL) unless normalGreenDown
    float normalScale = 1.0F;
    bool normalGreenDown = false;
    bool unlit = false; ///< colours of vertices multiply the emission too
    AlphaMode alphaMode = AlphaMode::Opaque;
    float alphaCutoff = 0.5F;
};

/// All textures of a material. What reads, copies or checks them goes through this list, so that one more, which is to
/// be added here and to `pack` (import/model_pack.h), is forgotten nowhere.
inline constexpr std::array kTextureSlots = {&Material::albedoTexture, &Material::metallicRoughnessTexture,
                                             &Material::emissionTexture, &Material::normalTexture};

/// Whether the material has textures that show, or a pattern, and so may look different from point to point. A texture
/// of the emission multiplies it, and shows none where there is none.
inline bool variesOverSurface(const Material& material) {
    return material.pattern.has_value() ||
           std::any_of(kTextureSlots.begin(), kTextureSlots.end(), [&](const auto slot) {
               const bool isDark = slot == &Material::emissionTexture && material.emission == glm::vec3(0.0F);
               return (material.*slot).used() && !isDark;
           });
}

} // namespace aureole
