#pragma once

// How surfaces look.

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

} // namespace aureole
