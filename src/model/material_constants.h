#pragma once

// What a material has in common all over, and which of that scene files may set.

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

#include "core/math.h"
#include "settings/limits.h"

namespace aureole {

/// How a material scatters light, by the numbers of shared/bsdf/material.h.
enum class MaterialModel : std::uint32_t { Lambert, MetallicRoughness, Mirror, Dielectric, ThinGlass };

/// Octrees and their files hold it as it is. New members go to the end: files that lack them are read with the defaults
/// here, which must be what those files meant.
struct MaterialConstants {
    MaterialModel model = MaterialModel::Lambert;
    float ior = 1.5F;             ///< index of refraction
    glm::vec3 absorption{0.0F};   ///< of the inside of a dielectric, per metre
    std::uint32_t lightGroup = 0; ///< of its emission: index into Scene::lightGroups
    std::uint32_t rough = 0;      ///< of octrees: 1 for a dielectric that some voxels may be rough of; else 0
    float transmission = 1.0F;    ///< of glass: 1, or the share of light that goes through where nothing is metal
    float clearcoat = 0.0F;       ///< how much of a clear coat is on it
    float clearcoatRoughness = 0.0F;
    std::uint32_t masked = 0;   ///< of partial glass: what metalness is, by METALNESS_IS_... of shared/bsdf/material.h
    glm::vec3 scattering{0.0F}; ///< of the inside of a dielectric, per metre
    float anisotropy = 0.0F;    ///< of that: the mean cosine by which it turns light
};

template <typename Archive>
void pack(Archive& archive, MaterialConstants& constants) {
    archive(constants.model, constants.ior, constants.absorption, constants.lightGroup, constants.rough,
            constants.transmission, constants.clearcoat, constants.clearcoatRoughness, constants.masked,
            constants.scattering, constants.anisotropy);
}

/// Whether a material is glass for a part of the light only.
inline bool isPartialGlass(const MaterialConstants& constants) {
    return constants.transmission < 1.0F;
}

/// A constant that materials of some models have, by its key in scene files.
struct MaterialConstant {
    std::string_view key;
    std::variant<float MaterialConstants::*, glm::vec3 MaterialConstants::*> member;
    double least;
    double most;
    std::uint32_t models;          ///< a bit for each that has it
    std::string_view description;  ///< in the schema of scenes
    std::string_view needs = {};   ///< the key without which it changes nothing, if there is one
    std::string_view without = {}; ///< what a material is that lacks that key, behind "found 'anisotropy'"

    constexpr bool isOf(MaterialModel model) const { return ((models >> static_cast<std::uint32_t>(model)) & 1U) != 0; }
};

constexpr std::uint32_t modelBit(MaterialModel model) {
    return 1U << static_cast<std::uint32_t>(model);
}

/// Scene files are read and octree files are checked by these rows, and the schema of scenes has its entries from them.
inline constexpr std::array kMaterialConstants = {
    MaterialConstant{"ior", &MaterialConstants::ior, kMinimumIor, kMaximumIor,
                     modelBit(MaterialModel::MetallicRoughness) | modelBit(MaterialModel::Dielectric) |
                         modelBit(MaterialModel::ThinGlass),
                     "Index of refraction of glass, and of the coat of metallic-roughness."},
    MaterialConstant{"absorption", &MaterialConstants::absorption, 0.0, std::numeric_limits<float>::max(),
                     modelBit(MaterialModel::Dielectric),
                     "Of the inside of a dielectric, per metre: light that goes d metres is multiplied by "
                     "exp(-absorption d). For a colour c at a distance d it is -ln(c) / d."},
    MaterialConstant{"scattering", &MaterialConstants::scattering, 0.0, std::numeric_limits<float>::max(),
                     modelBit(MaterialModel::Dielectric),
                     "Of the inside of a dielectric, per metre: of light that goes d metres exp(-scattering d) is not "
                     "scattered. Fog, milk, wax and jade scatter."},
    MaterialConstant{"anisotropy", &MaterialConstants::anisotropy, kMinimumAnisotropy, kMaximumAnisotropy,
                     modelBit(MaterialModel::Dielectric),
                     "Mean cosine of the angle by which that scattering turns light (Henyey and Greenstein): 0 to all "
                     "sides alike, above 0 mostly forwards, below 0 mostly back.",
                     "scattering", "of a solid that does not scatter"},
    MaterialConstant{"transmission", &MaterialConstants::transmission, 0.0, 1.0,
                     modelBit(MaterialModel::Dielectric) | modelBit(MaterialModel::ThinGlass),
                     "Share of the light for which the surface is glass; the rest finds a matt surface of the same "
                     "albedo, roughness and index of refraction, as metallic-roughness has it."},
    MaterialConstant{"clearcoat", &MaterialConstants::clearcoat, 0.0, 1.0, modelBit(MaterialModel::MetallicRoughness),
                     "How much of a clear coat of varnish, of index 1.5, is on the surface."},
    MaterialConstant{"clearcoatRoughness", &MaterialConstants::clearcoatRoughness, 0.0, 1.0,
                     modelBit(MaterialModel::MetallicRoughness), "Roughness of that coat.", "clearcoat",
                     "without a coat"},
};

/// The constants, with the usual values of those that their model does not have. Model files may give a matt material
/// an index of refraction, and octree files may hold it.
inline MaterialConstants ofItsModel(MaterialConstants constants) {
    const MaterialConstants usual;
    for (const MaterialConstant& row : kMaterialConstants) {
        if (!row.isOf(constants.model)) {
            std::visit([&](auto member) { constants.*member = usual.*member; }, row.member);
        }
    }
    return constants;
}

} // namespace aureole
