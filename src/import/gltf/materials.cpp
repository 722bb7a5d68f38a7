#include "import/gltf/materials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <set>

#include "core/error.h"
#include "core/log.h"
#include "import/gltf/texture_slots.h"
#include "settings/limits.h"

namespace aureole::gltf {

namespace {

/// What reading one material needs.
struct MaterialSource {
    const Document& document;
    JsonValue json;
    TextureLibrary& library;

    TextureSlot slot(const JsonValue& parent, const char* key, bool srgb) const {
        const std::optional<JsonValue> info = parent.find(key);
        return info ? readTextureSlot(document, *info, srgb, library) : TextureSlot{};
    }

    TextureSlot maskSlot(const JsonValue& info) const { return readMaskSlot(document, info, library); }
};

/// Transmission of what lets all light through but where it is metal, or masked.
constexpr float kMostOfPartial = 0.9999F;

/// A factor from 0 to 1; what lies beyond is taken as the nearest, as in other formats.
float unitFactor(const JsonValue& model, const char* key, double otherwise) {
    return static_cast<float>(std::clamp(model.numberOr(key, otherwise), 0.0, 1.0));
}

void readBaseColour(const MaterialSource& source, const JsonValue& model, const char* factorKey, const char* textureKey,
                    Material& material) {
    if (const std::optional<JsonValue> factor = model.find(factorKey)) {
        std::array<double, 4> rgba{};
        factor->numbers(rgba);
        const glm::dvec4 kept = glm::clamp(glm::dvec4(rgba[0], rgba[1], rgba[2], rgba[3]), 0.0, 1.0);
        material.albedo = glm::vec3(kept);
        material.alpha = static_cast<float>(kept.w);
    }
    material.albedoTexture = source.slot(model, textureKey, true);
}

void readMetallicRoughness(const MaterialSource& source, const JsonValue& model, Material& material) {
    readBaseColour(source, model, "baseColorFactor", "baseColorTexture", material);
    material.metalness = unitFactor(model, "metallicFactor", 1.0);
    material.roughness = unitFactor(model, "roughnessFactor", 1.0);
    material.metallicRoughnessTexture = source.slot(model, "metallicRoughnessTexture", false);
}

/// The older model: its diffuse colour and glossiness; the specular colour has no place in Material.
void readSpecularGlossiness(const MaterialSource& source, const JsonValue& model, Material& material) {
    readBaseColour(source, model, "diffuseFactor", "diffuseTexture", material);
    material.metalness = 0.0F;
    material.roughness = 1.0F - unitFactor(model, "glossinessFactor", 1.0);
}

/// Warns of textures of an extension, which have no place in Material: their factors count everywhere.
void warnOfTextures(const JsonValue& extension, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        if (extension.has(key)) {
            logWarning("{}/{}: is not used, its factor counts everywhere", extension.place(), key);
        }
    }
}

/// KHR_materials_ior. (An index of 0 asks for a coat that reflects all light, for materials that were made from the
/// older model; those come here by the model itself.)
void readIor(const MaterialSource& source, Material& material) {
    if (const std::optional<JsonValue> extension = source.json.extension("KHR_materials_ior")) {
        const double ior = extension->numberOr("ior", 1.5);
        material.ior = ior >= kMinimumIor ? static_cast<float>(std::min(ior, kMaximumIor)) : material.ior;
    }
}

/// KHR_materials_specular of what is no glass: its factor and the mean of its colour multiply the reflectance at normal
/// incidence, which the index of refraction stands for here.
void readSpecular(const MaterialSource& source, Material& material) {
    const std::optional<JsonValue> extension = source.json.extension("KHR_materials_specular");
    if (!extension || material.model != MaterialModel::MetallicRoughness) {
        return;
    }
    const std::optional<JsonValue> colour = extension->find("specularColorFactor");
    const glm::dvec3 tint = colour ? glm::max(colour->vec3(), glm::dvec3(0.0)) : glm::dvec3(1.0);
    const double factor = unitFactor(*extension, "specularFactor", 1.0) * (tint.x + tint.y + tint.z) / 3.0;
    const double most = (kMaximumIor - 1.0) / (kMaximumIor + 1.0);
    const double root = std::min(std::sqrt(factor) * (material.ior - 1.0F) / (material.ior + 1.0F), most);
    material.ior = static_cast<float>((1.0 + root) / (1.0 - root));
    warnOfTextures(*extension, {"specularTexture", "specularColorTexture"});
}

/// KHR_materials_clearcoat of what is no glass; the coat has the bent normals of what is under it.
void readClearcoat(const MaterialSource& source, Material& material) {
    const std::optional<JsonValue> extension = source.json.extension("KHR_materials_clearcoat");
    if (!extension) {
        return;
    }
    const float coat = unitFactor(*extension, "clearcoatFactor", 0.0);
    if (material.model != MaterialModel::MetallicRoughness) {
        if (coat > 0.0F) {
            logWarning("{}: found a clear coat on glass, which is not used", extension->place());
        }
        return;
    }
    material.clearcoat = coat;
    material.clearcoatRoughness = unitFactor(*extension, "clearcoatRoughnessFactor", 0.0);
    if (material.clearcoat > 0.0F) {
        warnOfTextures(*extension, {"clearcoatTexture", "clearcoatRoughnessTexture", "clearcoatNormalTexture"});
    }
}

/// KHR_materials_volume's colour after some metres, as absorption.
glm::vec3 readAbsorption(const JsonValue& volume) {
    const std::optional<JsonValue> colour = volume.find("attenuationColor");
    const std::optional<JsonValue> distance = volume.find("attenuationDistance");
    if (!colour || !distance || distance->number() <= 0.0) {
        return glm::vec3(0.0F);
    }
    constexpr double kDarkest = 1e-6; // black would absorb without bounds
    const glm::dvec3 kept = glm::clamp(colour->vec3(), glm::dvec3(kDarkest), glm::dvec3(1.0));
    return glm::min(-glm::log(kept) / distance->number(), glm::dvec3(kMaximumNumber));
}

/// A texture of transmission takes metalness's place, which says where nothing goes through. So it is used where there
/// is no such texture already; the rest is no metal then.
void readTransmissionMask(const MaterialSource& source, const JsonValue& transmission, Material& material) {
    const std::optional<JsonValue> mask = transmission.find("transmissionTexture");
    if (!mask) {
        return;
    }
    if (material.metallicRoughnessTexture.used()) {
        warnOfTextures(transmission, {"transmissionTexture"});
        return;
    }
    material.metallicRoughnessTexture = source.maskSlot(*mask);
    material.transmission = std::min(material.transmission * (1.0F - material.metalness), kMostOfPartial);
    material.metalness = 1.0F;
    material.masked = 1;
}

/// KHR_materials_transmission and KHR_materials_volume: what transmits is glass for that share of the light, a solid if
/// it has thickness, else a pane, whose roughness what goes through does not see.
void readTransmission(const MaterialSource& source, Material& material) {
    const std::optional<JsonValue> transmission = source.json.extension("KHR_materials_transmission");
    const float factor = transmission ? unitFactor(*transmission, "transmissionFactor", 0.0) : 0.0F;
    const bool isMetal = material.metalness == 1.0F && !material.metallicRoughnessTexture.used();
    if (factor <= 0.0F || isMetal) {
        return;
    }
    material.transmission = material.metalness > 0.0F ? std::min(factor, kMostOfPartial) : factor;
    material.model = MaterialModel::ThinGlass;
    if (const std::optional<JsonValue> volume = source.json.extension("KHR_materials_volume");
        volume && volume->numberOr("thicknessFactor", 0.0) > 0.0) {
        material.model = MaterialModel::Dielectric;
        material.absorption = readAbsorption(*volume);
    }
    readTransmissionMask(source, *transmission, material);
}

void readEmission(const MaterialSource& source, Material& material) {
    if (const std::optional<JsonValue> factor = source.json.find("emissiveFactor")) {
        double strength = 1.0;
        if (const std::optional<JsonValue> extension = source.json.extension("KHR_materials_emissive_strength")) {
            strength = extension->numberOr("emissiveStrength", 1.0);
        }
        const glm::dvec3 emission = factor->vec3() * strength;
        if (glm::any(glm::lessThan(emission, glm::dvec3(0.0))) ||
            glm::any(glm::greaterThan(emission, glm::dvec3(kMaximumNumber)))) {
            fail(ExitCode::BadInput, "{}/emissiveFactor: found {}, {}, {} times a strength of {}, expected 0 to {:g}",
                 source.json.place(), factor->vec3().x, factor->vec3().y, factor->vec3().z, strength, kMaximumNumber);
        }
        material.emission = glm::vec3(emission);
    }
    material.emissionTexture = source.slot(source.json, "emissiveTexture", true);
}

void readNormal(const MaterialSource& source, Material& material) {
    material.normalTexture = source.slot(source.json, "normalTexture", false);
    if (material.normalTexture.used()) {
        material.normalScale = static_cast<float>(source.json["normalTexture"].numberOr("scale", 1.0));
    }
}

void readAlpha(const MaterialSource& source, Material& material) {
    const std::string mode = source.json.textOr("alphaMode", "OPAQUE");
    if (mode == "MASK") {
        material.alphaMode = AlphaMode::Mask;
    } else if (mode == "BLEND") {
        material.alphaMode = AlphaMode::Blend;
    } else if (mode != "OPAQUE") {
        fail(ExitCode::BadInput, "{}/alphaMode: found '{}', expected OPAQUE, MASK or BLEND", source.json.place(), mode);
    }
    material.alphaCutoff = static_cast<float>(source.json.numberOr("alphaCutoff", 0.5));
}

/// KHR_materials_unlit: the base colour, whatever light there is. It is what the surface emits, so it lights others
/// too.
void readUnlit(Material& material) {
    material.model = MaterialModel::Lambert;
    material.unlit = true;
    material.emission = material.albedo;
    material.emissionTexture = material.albedoTexture;
    material.albedo = glm::vec3(0.0F); // its texture stays, for alpha
}

/// Meshes hold two sets of texture coordinates. Gives the numbers that the material's slots have of the file's sets
/// their places among these two; textures of further sets are left out.
UvSets chooseUvSets(const JsonValue& json, Material& material) {
    std::set<std::uint32_t> used;
    for (const auto member : kTextureSlots) {
        if ((material.*member).used()) {
            used.insert((material.*member).uvSet);
        }
    }
    if (used.empty() || *used.rbegin() <= 1) {
        return kUsualUvSets;
    }
    const std::uint32_t first = *used.begin();
    const std::uint32_t second = used.size() > 1 ? *std::next(used.begin()) : first;
    for (const auto member : kTextureSlots) {
        TextureSlot& slot = material.*member;
        if (slot.used() && slot.uvSet > second) {
            logWarning("{}: uses the texture coordinate sets {}, {} and {}: textures of the last are left out",
                       json.place(), first, second, slot.uvSet);
            slot = {};
            if (member == &Material::metallicRoughnessTexture && material.masked != 0) {
                material.masked = 0; // glass without its mask is glass everywhere
                material.metalness = 0.0F;
            }
        }
        slot.uvSet = slot.used() && slot.uvSet != first ? 1 : 0;
    }
    return {first, second};
}

Material readMaterial(const MaterialSource& source, std::size_t index) {
    Material material = defaultMaterial();
    material.name = source.json.nameOr(fmt::format("material {}", index));
    if (const std::optional<JsonValue> model = source.json.extension("KHR_materials_pbrSpecularGlossiness")) {
        readSpecularGlossiness(source, *model, material);
    } else if (const std::optional<JsonValue> pbr = source.json.find("pbrMetallicRoughness")) {
        readMetallicRoughness(source, *pbr, material);
    }
    readIor(source, material);
    readTransmission(source, material);
    readSpecular(source, material);
    readClearcoat(source, material);
    readEmission(source, material);
    readNormal(source, material);
    readAlpha(source, material);
    if (source.json.extension("KHR_materials_unlit")) {
        readUnlit(material);
    }
    return material;
}

} // namespace

Material defaultMaterial() {
    Material material;
    material.name = "default";
    material.model = MaterialModel::MetallicRoughness;
    material.albedo = glm::vec3(1.0F);
    material.metalness = 1.0F;
    return material;
}

MaterialList readMaterials(const Document& document, TextureLibrary& library, bool normalGreenDown) {
    MaterialList list;
    for (std::size_t i = 0; i < document.count("materials"); ++i) {
        const MaterialSource source{document, document.element("materials", i), library};
        list.materials.push_back(readMaterial(source, i));
        list.materials.back().normalGreenDown = normalGreenDown;
        list.uvSets.push_back(chooseUvSets(source.json, list.materials.back()));
    }
    return list;
}

} // namespace aureole::gltf
