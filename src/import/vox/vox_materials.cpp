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
    const auto type = properties.find("_type");
    const std::string kind = type == properties.end() ? "" : type->second;
    // Older files write one "_weight" for what the type is about.
    const float weight = numberOr(properties, "_weight", 1.0F);
    if (kind == "_metal") {
        material.model = MaterialModel::MetallicRoughness;
        material.metalness = std::clamp(numberOr(properties, "_metal", weight), 0.0F, 1.0F);
        material.roughness = std::clamp(numberOr(properties, "_rough", 1.0F), 0.0F, 1.0F);
    } else if (kind == "_glass") {
        // "_ri" is the index, "_ior" of other versions what it has above 1. The colour tints at each surface.
        material.model = MaterialModel::Dielectric;
        const float ior = numberOr(properties, "_ri", 1.0F + numberOr(properties, "_ior", 0.3F));
        material.ior = std::clamp(ior, static_cast<float>(kMinimumIor), static_cast<float>(kMaximumIor));
        material.roughness = std::clamp(numberOr(properties, "_rough", 0.0F), 0.0F, 1.0F);
    } else if (kind == "_emit") {
        constexpr float kMaxPower = 10.0F;
        const float emit = std::clamp(numberOr(properties, "_emit", weight), 0.0F, 1.0F);
        const float power = std::clamp(numberOr(properties, "_flux", 0.0F), 0.0F, kMaxPower);
        material.emission = material.albedo * emit * std::pow(10.0F, power);
    }
    return material;
}

} // namespace aureole::vox
