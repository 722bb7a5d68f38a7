#include "import/vox/vox_materials.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "model/texture_sample.h"
#include "settings/limits.h"

namespace aureole::vox {

namespace {

/// A number of a dictionary; `otherwise` where it is missing or none.
float numberOr(const Dictionary& properties, const char* key, float otherwise) {
    const auto found = properties.find(key);
    if (found == properties.end()) {
        return otherwise;
    }
    const std::string& text = found->second;
    float value = 0.0F;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && std::isfinite(value) ? value : otherwise;
}

std::string textOr(const Dictionary& properties, const char* key, const char* otherwise) {
    const auto found = properties.find(key);
    return found == properties.end() ? otherwise : found->second;
}

float unitOr(const Dictionary& properties, const char* key, float otherwise) {
    return std::clamp(numberOr(properties, key, otherwise), 0.0F, 1.0F);
}

/// How much passes: newer versions write it as "_trans", others as "_alpha".
float transparencyOf(const Dictionary& properties) {
    return unitOr(properties, "_trans", unitOr(properties, "_alpha", 0.0F));
}

/// Whether a medium absorbs, or does not say what it does otherwise; glass says it where it has one.
bool absorbs(const Dictionary& properties) {
    const char* const unsaid = textOr(properties, "_type", "") == "_media" ? "_absorb" : "";
    return textOr(properties, "_media_type", unsaid) == "_absorb";
}

/// A solid that light goes through. "_ri" is the index, "_ior" of other versions what it has above 1. What absorbs
/// ("_media" of the type "_absorb") has its colour after 1 / density cells; else the colour tints at each surface.
void makeGlass(const Dictionary& properties, float leastIor, Material& material) {
    material.model = MaterialModel::Dielectric;
    const float ior = numberOr(properties, "_ri", 1.0F + numberOr(properties, "_ior", leastIor - 1.0F));
    material.ior = std::clamp(ior, static_cast<float>(kMinimumIor), static_cast<float>(kMaximumIor));
    material.roughness = unitOr(properties, "_rough", 0.0F);
    const float density = std::max(numberOr(properties, "_d", 0.0F), 0.0F);
    if (absorbs(properties) && density > 0.0F) {
        constexpr float kDarkest = 1e-3F;
        constexpr float kDensest = 1e3F;
        material.absorption = -glm::log(glm::max(material.albedo, kDarkest)) * std::min(density, kDensest);
        material.albedo = glm::vec3(1.0F);
    }
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
    const float weight = numberOr(properties, "_weight", 1.0F);
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
    } else if (kind == "_media" && absorbs(properties)) {
        makeGlass(properties, 1.0F, material); // without a surface; what scatters stays matt
    } else if (kind == "_emit") {
        constexpr float kMaxPower = 10.0F;
        const float emit = unitOr(properties, "_emit", weight);
        const float power = std::clamp(numberOr(properties, "_flux", 0.0F), 0.0F, kMaxPower);
        material.emission = material.albedo * emit * std::pow(10.0F, power);
    }
    return material;
}

} // namespace aureole::vox
