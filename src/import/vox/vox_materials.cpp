#include "import/vox/vox_materials.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "import/vox/vox_values.h"
#include "model/texture_sample.h"
#include "settings/limits.h"

namespace aureole::vox {

namespace {

float floatOr(const Dictionary& properties, const char* key, float otherwise) {
    return static_cast<float>(numberOr(properties, key, otherwise));
}

std::string textOr(const Dictionary& properties, const char* key, const char* otherwise) {
    const auto found = properties.find(key);
    return found == properties.end() ? otherwise : found->second;
}

float unitOr(const Dictionary& properties, const char* key, float otherwise) {
    return std::clamp(floatOr(properties, key, otherwise), 0.0F, 1.0F);
}

/// How much passes: newer versions write it as "_trans", others as "_alpha".
float transparencyOf(const Dictionary& properties) {
    return unitOr(properties, "_trans", unitOr(properties, "_alpha", 0.0F));
}

/// What a medium does with light; "" of one that does nothing. Media absorb where they do not say otherwise, glass says
/// it where it has one.
std::string mediumOf(const Dictionary& properties) {
    return textOr(properties, "_media_type", textOr(properties, "_type", "") == "_media" ? "_absorb" : "");
}

/// How much a medium does in the width of a cell.
float densityOf(const Dictionary& properties) {
    constexpr float kUsual = 0.05F; // of a medium that is new in MagicaVoxel
    constexpr float kDensest = 1e3F;
    const bool isMedium = textOr(properties, "_type", "") == "_media";
    return std::clamp(floatOr(properties, "_d", isMedium ? kUsual : 0.0F), 0.0F, kDensest);
}

/// A solid that light goes through. "_ri" is the index, "_ior" of other versions what it has above 1. What absorbs has
/// its colour after 1 / density cells. What scatters ("_scatter", and "_sss" within a surface) meets light each 1 /
/// density cells, which then goes on in the share that its colour says. The colour of other glass tints at each
/// surface.
void makeGlass(const Dictionary& properties, float leastIor, Material& material) {
    material.model = MaterialModel::Dielectric;
    const float ior = floatOr(properties, "_ri", 1.0F + floatOr(properties, "_ior", leastIor - 1.0F));
    material.ior = std::clamp(ior, static_cast<float>(kMinimumIor), static_cast<float>(kMaximumIor));
    material.roughness = unitOr(properties, "_rough", 0.0F);
    const float density = densityOf(properties);
    const std::string medium = mediumOf(properties);
    if (density == 0.0F || medium.empty()) {
        return;
    }
    if (medium == "_absorb") {
        constexpr float kDarkest = 1e-3F;
        material.absorption = -glm::log(glm::max(material.albedo, kDarkest)) * density;
        material.albedo = glm::vec3(1.0F);
    } else if (medium == "_scatter" || medium == "_sss") {
        material.scattering = material.albedo * density;
        material.absorption = (1.0F - material.albedo) * density;
        material.anisotropy = std::clamp(floatOr(properties, "_g", 0.0F), static_cast<float>(kMinimumAnisotropy),
                                         static_cast<float>(kMaximumAnisotropy));
        material.albedo = glm::vec3(1.0F);
    }
}

/// A cloud, without a surface. One that glows ("_emit") radiates what the depth of a cell does, as a solid.
void makeMedium(const Dictionary& properties, Material& material) {
    if (mediumOf(properties) == "_emit") {
        material.emission = material.albedo * densityOf(properties);
        return;
    }
    makeGlass(properties, 1.0F, material);
    material.ior = 1.0F;
    material.roughness = 0.0F;
}

void makeMetal(const Dictionary& properties, float weight, Material& material) {
    material.model = MaterialModel::MetallicRoughness;
    material.metalness = unitOr(properties, "_metal", weight);
    material.roughness = unitOr(properties, "_rough", 1.0F);
}

} // namespace

Material makeMaterial(const VoxFile& file, std::uint8_t index) {
    const auto& colour = file.palette[index];
    Material material;
    material.name = fmt::format("palette {}", index);
    material.albedo = {srgbToLinear(colour[0]), srgbToLinear(colour[1]), srgbToLinear(colour[2])};
    const auto found = file.materials.find(index);
    if (found == file.materials.end()) {
        return material;
    }
    const Dictionary& properties = found->second;
    const std::string kind = textOr(properties, "_type", "");
    // Older files write one "_weight" for what the type is about.
    const float weight = floatOr(properties, "_weight", 1.0F);
    constexpr float kGlass = 1.3F;
    constexpr float kHalf = 0.5F;
    if (kind == "_metal") {
        makeMetal(properties, weight, material);
    } else if (kind == "_glass") {
        makeGlass(properties, kGlass, material);
    } else if (kind == "_blend") {
        // A mixture: what most of the light does.
        if (transparencyOf(properties) > kHalf) {
            makeGlass(properties, kGlass, material);
        } else {
            makeMetal(properties, 0.0F, material);
        }
    } else if (kind == "_media") {
        makeMedium(properties, material);
    } else if (kind == "_emit") {
        constexpr float kMaxPower = 10.0F;
        const float emit = unitOr(properties, "_emit", weight);
        const float power = std::clamp(floatOr(properties, "_flux", 0.0F), 0.0F, kMaxPower);
        material.emission = material.albedo * emit * std::pow(10.0F, power);
    }
    return material;
}

} // namespace aureole::vox
