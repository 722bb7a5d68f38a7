#pragma once

// How surfaces look.

#include <cstdint>
#include <optional>
#include <string>

#include "core/math.h"
#include "model/pattern.h"
#include "model/texture.h"

namespace aureole {

enum class AlphaMode { Opaque, Mask, Blend };

/// How a material scatters light, by the numbers of shared/bsdf/material.h.
enum class MaterialModel : std::uint32_t { Lambert, MetallicRoughness, Mirror, Dielectric, ThinGlass };

/// What all places of a material have in common. Octrees and their files hold it as it is: a new member makes a new
/// version of these (CONTRIBUTING.md), and sandbox::kProtocol goes up.
struct MaterialConstants {
    MaterialModel model = MaterialModel::Lambert;
    float ior = 1.5F;             ///< index of refraction, kMinimumIor to kMaximumIor
    glm::vec3 absorption{0.0F};   ///< of the inside of a dielectric, per metre
    std::uint32_t lightGroup = 0; ///< of its emission: index into Scene::lightGroups
    std::uint32_t rough = 0;      ///< of octrees: 1 for a dielectric that some voxels may be rough of; else 0
};

template <typename Archive>
void pack(Archive& archive, MaterialConstants& constants) {
    archive(constants.model, constants.ior, constants.absorption, constants.lightGroup, constants.rough);
}

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
    AlphaMode alphaMode = AlphaMode::Opaque;
    float alphaCutoff = 0.5F;
};

} // namespace aureole
