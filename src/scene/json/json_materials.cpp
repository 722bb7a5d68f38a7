// "materials": models of scattering (shared/bsdf/material.h) and their values; their textures are in json_textures.cpp.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/blended_material.h"
#include "scene/json/json_textures.h"
#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

/// So that the square of an emission, which the variance sums, is a float's still.
constexpr Range kStrengths{0.0, 1e6};
constexpr std::uint32_t kUsualOctaves = 4;
constexpr std::uint32_t kMostOctaves = 16;

void readPatternColours(ObjectReader& in, Pattern& pattern) {
    const auto value = in.find("colours");
    if (!value) {
        return;
    }
    if (!value->json().is_array() || value->json().size() != pattern.colours.size()) {
        value->expected("an array of two colours");
        return;
    }
    std::size_t index = 0;
    value->readArray([&](const ValueReader& element) { element.readColour(pattern.colours[index++], kUnit); });
}

/// { "checker": {...} } or { "noise": {...} }.
Pattern readPattern(ObjectReader& in) {
    Pattern pattern;
    in.object("checker", [&](ObjectReader& checker) {
        pattern.kind = PatternKind::Checker;
        checker.number("size", pattern.size, kPatternSize);
        readPatternColours(checker, pattern);
    });
    in.object("noise", [&](ObjectReader& noise) {
        pattern.kind = PatternKind::Noise;
        pattern.octaves = kUsualOctaves;
        noise.number("scale", pattern.size, kPatternSize);
        noise.integer("octaves", pattern.octaves, 1, kMostOctaves);
        noise.integer("seed", pattern.seed, 0, std::numeric_limits<std::uint32_t>::max());
        readPatternColours(noise, pattern);
    });
    if (in.has("checker") == in.has("noise")) {
        in.problem(fmt::format("found {}, expected one pattern: 'checker' or 'noise'",
                               in.has("checker") ? "both 'checker' and 'noise'" : "neither 'checker' nor 'noise'"));
    }
    return pattern;
}

/// A colour, or an object that says how it changes from place to place.
void readAlbedo(ObjectReader& in, Material& material) {
    const auto value = in.find("albedo");
    if (!value) {
        return;
    }
    if (value->json().is_object()) {
        value->readObject([&](ObjectReader& reader) { material.pattern = readPattern(reader); });
    } else {
        value->readColour(material.albedo, kUnit);
    }
}

const std::vector<std::pair<std::string, MaterialModel>> kModels = {
    {"lambert", MaterialModel::Lambert},
    {"metallic-roughness", MaterialModel::MetallicRoughness},
    {"mirror", MaterialModel::Mirror},
    {"dielectric", MaterialModel::Dielectric},
    {"thin-glass", MaterialModel::ThinGlass}};

/// Which models use a key that not all do.
bool usesKey(MaterialModel model, std::string_view key) {
    const bool metallic = model == MaterialModel::MetallicRoughness;
    if (key == "metalness" || key == "metallicRoughnessTexture") {
        return metallic;
    }
    const auto* const constant = std::find_if(kMaterialConstants.begin(), kMaterialConstants.end(),
                                              [&](const MaterialConstant& row) { return row.key == key; });
    if (constant != kMaterialConstants.end()) {
        return constant->isOf(model);
    }
    return model != MaterialModel::Lambert && model != MaterialModel::Mirror; // roughness
}

/// The keys that not all models use.
std::vector<std::string_view> keysOfModels() {
    std::vector<std::string_view> keys = {"roughness", "metalness", "metallicRoughnessTexture"};
    for (const MaterialConstant& row : kMaterialConstants) {
        keys.push_back(row.key);
    }
    return keys;
}

/// Reads the model of a material. Where the file names none, the keys that it has tell which one is meant.
void readModel(ObjectReader& in, Material& material) {
    if (in.has("roughness") || in.has("metalness") || in.has("metallicRoughnessTexture")) {
        material.model = MaterialModel::MetallicRoughness;
    }
    in.choice<MaterialModel>("model", material.model, kModels);
    const auto name =
        std::find_if(kModels.begin(), kModels.end(), [&](const auto& model) { return model.second == material.model; });
    for (const std::string_view key : keysOfModels()) {
        if (!in.has(key) || usesKey(material.model, key)) {
            continue;
        }
        std::vector<std::string> users;
        for (const auto& [user, model] : kModels) {
            if (usesKey(model, key)) {
                users.push_back("'" + user + "'");
            }
        }
        in.log().add(in.find(key)->pointer(),
                     fmt::format("found '{}' in a material of the model '{}', which has none; expected {}", key,
                                 name->first, fmt::format("the model {}", fmt::join(users, " or "))));
    }
}

/// What the models have beside what all have. A key that the model does not use was noted before.
void readModelValues(ObjectReader& in, SceneDraft& draft, Material& material) {
    const bool isClear = material.model == MaterialModel::Dielectric || material.model == MaterialModel::ThinGlass;
    material.roughness = isClear || material.model == MaterialModel::Mirror ? 0.0F : 1.0F;
    // A texture multiplies its factor, so a factor of 0 by default would hide it. A simulated one has no metalness.
    const auto surface = in.find("metallicRoughnessTexture");
    material.metalness = surface && surface->json().contains("file") ? 1.0F : 0.0F;
    in.number("roughness", material.roughness, kUnit);
    in.number("metalness", material.metalness, kUnit);
    readTexture(in, "metallicRoughnessTexture", false, draft, material.metallicRoughnessTexture);
    for (const MaterialConstant& row : kMaterialConstants) {
        const Range range{row.least, std::min(row.most, kMaximumNumber)};
        if (const auto* const number = std::get_if<float MaterialConstants::*>(&row.member)) {
            in.number(row.key, material.*(*number), range);
        } else {
            in.colour(row.key, material.*std::get<glm::vec3 MaterialConstants::*>(row.member), range);
        }
    }
}

/// Notes keys that change nothing without others.
void checkCompanions(const ObjectReader& in, const Material& material) {
    const auto needs = [&](std::string_view key, bool met, std::string_view what, std::string_view expected) {
        if (in.has(key) && !met) {
            in.problem(key, fmt::format("found '{}' {}, expected {}", key, what, expected));
        }
    };
    const bool emits = in.has("emission") || in.has("emissionTexture");
    for (const char* key : {"emissionStrength", "lightGroup"}) {
        needs(key, emits, "of a material without emission", "'emission' or 'emissionTexture' beside it");
    }
    for (const char* key : {"normalScale", "normalGreenDown"}) {
        needs(key, in.has("normalTexture"), "without a normal map", "'normalTexture' beside it");
    }
    for (const MaterialConstant& row : kMaterialConstants) {
        needs(row.key, row.needs.empty() || in.has(row.needs), row.without, fmt::format("'{}' beside it", row.needs));
    }
    if (material.model == MaterialModel::ThinGlass) { // a pane is smooth, but not what is beside it
        needs("roughness", in.has("transmission"), "of a pane that is glass alone, which is smooth",
              "'transmission' beside it, or the model 'dielectric'");
    }
    needs("heightScale", in.has("heightTexture"), "without a height", "'heightTexture' beside it");
    needs("occlusionStrength", in.has("occlusionTexture"), "without an occlusion", "'occlusionTexture' beside it");
    // A mode that is none was noted before.
    const bool modeIsKnown = !in.has("alphaMode") || in.value().json()["alphaMode"] == "opaque";
    const bool isOpaque = modeIsKnown && material.alphaMode == AlphaMode::Opaque;
    needs("alpha", !isOpaque, "of an opaque material", "'alphaMode' 'mask' or 'blend' beside it");
    needs("alphaCutoff", !isOpaque && material.alphaMode != AlphaMode::Blend, "of a material without a mask",
          "'alphaMode' 'mask' beside it");
}

Material readMaterial(const std::string& name, ObjectReader& in, SceneDraft& draft) {
    Material material;
    material.name = name;
    readModel(in, material);
    if (material.model != MaterialModel::Lambert && material.model != MaterialModel::MetallicRoughness) {
        material.albedo = glm::vec3(1.0F);
    }
    readAlbedo(in, material);
    readTexture(in, "albedoTexture", true, draft, material.albedoTexture);
    in.number("alpha", material.alpha, kUnit);
    in.choice<AlphaMode>("alphaMode", material.alphaMode,
                         {{"opaque", AlphaMode::Opaque}, {"mask", AlphaMode::Mask}, {"blend", AlphaMode::Blend}});
    in.number("alphaCutoff", material.alphaCutoff, kUnit);
    readModelValues(in, draft, material);
    material.emission = glm::vec3(in.has("emissionTexture") ? 1.0F : 0.0F);
    in.colour("emission", material.emission, kNotNegative);
    float strength = 1.0F;
    in.number("emissionStrength", strength, kStrengths);
    material.emission *= strength;
    material.lightGroup = readLightGroup(in, draft);
    readTexture(in, "emissionTexture", true, draft, material.emissionTexture);
    readNormals(in, draft, material);
    in.number("normalScale", material.normalScale, {-100.0, 100.0});
    in.boolean("normalGreenDown", material.normalGreenDown);
    readOcclusion(in, draft, material);
    checkCompanions(in, material);
    return material;
}

} // namespace

void readMaterials(ObjectReader& root, SceneDraft& draft) {
    root.named("materials", [&](const std::string& name, ObjectReader& in) {
        draft.materialNames.add(name);
        draft.scene.materials.push_back(readMaterial(name, in, draft));
    });
    decodeTextures(draft);
    makeTextures(draft);
    for (Material& material : draft.scene.materials) {
        blendOver(material, draft.scene.textures, false);
    }
}

} // namespace aureole
