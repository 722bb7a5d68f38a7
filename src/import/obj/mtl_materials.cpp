#include "import/obj/mtl_materials.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "core/log.h"
#include "core/suggest.h"
#include "import/pictures/texture_file.h"
#include "model/texture_pack.h"
#include "settings/limits.h"

namespace aureole::obj {

namespace {

using Bytes = std::shared_ptr<const std::vector<std::byte>>;

/// The references of a model's mtllib statements and the lines they stand in.
std::vector<std::pair<std::string, int>> findLibraries(const AssetReader& reader) {
    constexpr std::string_view kKey = "mtllib";
    std::vector<std::pair<std::string, int>> libraries;
    InputStream stream(reader.openModel());
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        if (line.rfind(kKey, 0) != 0 || line.size() <= kKey.size() ||
            (line[kKey.size()] != ' ' && line[kKey.size()] != '\t')) {
            continue;
        }
        const std::size_t first = line.find_first_not_of(" \t", kKey.size());
        const std::size_t last = line.find_last_not_of(" \t\r");
        if (first != std::string::npos && last >= first) {
            libraries.emplace_back(line.substr(first, last - first + 1), number);
        }
    }
    return libraries;
}

/// The factor beside a texture: one where the file has none or zero.
glm::vec3 factorBeside(const std::optional<glm::vec3>& factor, bool textured, const glm::vec3& otherwise) {
    if (textured && factor.value_or(glm::vec3(0.0F)) == glm::vec3(0.0F)) {
        return glm::vec3(1.0F);
    }
    return factor.value_or(otherwise);
}

float factorBeside(const std::optional<float>& factor, bool textured, float otherwise) {
    return textured && factor.value_or(0.0F) == 0.0F ? 1.0F : factor.value_or(otherwise);
}

/// Phong's exponent as roughness: the width of the lobe matches that of GGX with alpha = roughness squared.
float roughnessOfExponent(float exponent) {
    return std::pow(2.0F / (std::max(exponent, 0.0F) + 2.0F), 0.25F);
}

/// MTL's coordinates have v upwards, the slot's v downwards: u' = s u + o, 1 - v' = s (1 - v) + o.
void setTransform(const MtlMap& map, TextureSlot& slot) {
    slot.transform = glm::mat3(map.scale.x, 0.0F, 0.0F, 0.0F, map.scale.y, 0.0F, map.offset.x,
                               1.0F - map.scale.y - map.offset.y, 1.0F);
    if (map.clamp) {
        slot.wrap = {Wrap::Clamp, Wrap::Clamp};
    }
}

Bytes share(std::vector<std::byte> bytes) {
    return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

} // namespace

MtlLibrary::MtlLibrary(const AssetReader& reader, bool normalGreenDown)
    : reader_(reader)
    , normalGreenDown_(normalGreenDown)
    , pictures_(reader) {
    for (const auto& [reference, line] : findLibraries(reader)) {
        readLibraries(reference, fmt::format("line {}: mtllib", line));
    }
}

void MtlLibrary::readLibraries(const std::string& references, const std::string& place) {
    // The format separates names by spaces, but names with spaces are what people have.
    if (references.find(' ') == std::string::npos || reader_.find(references, place)) {
        readLibrary(references, place);
        return;
    }
    std::istringstream words(references);
    for (std::string reference; words >> reference;) {
        readLibrary(reference, place);
    }
}

void MtlLibrary::readLibrary(const std::string& reference, const std::string& place) {
    const std::optional<std::filesystem::path> path = reader_.find(reference, place);
    if (!path) {
        logWarning("{}: {}: '{}' does not exist, its materials are plain", reader_.name(), place, reference);
        return;
    }
    std::string relative = reference;
    std::replace(relative.begin(), relative.end(), '\\', '/');
    const std::vector<std::byte> bytes = reader_.read(*path);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string file = (reader_.file().parent_path() / relative).string();
    const std::size_t slash = relative.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : relative.substr(0, slash + 1);
    for (MtlMaterial& material : parseMtl(text, file)) {
        std::string name = material.name;
        sources_[std::move(name)] = {std::move(material), file, folder};
    }
}

std::optional<std::filesystem::path> MtlLibrary::find(const Source& source, const MtlMap& map) {
    return pictures_.find(source.folder, map.path, fmt::format("{} line {}", source.file, map.line));
}

void MtlLibrary::dropUnreachable(const Source& source, std::optional<MtlMap>& map) {
    if (map && !find(source, *map)) {
        map.reset();
    }
}

void MtlLibrary::dropUnreachable(Source& source) {
    MtlMaterial& mtl = source.material;
    for (std::optional<MtlMap>* map :
         {&mtl.emissionMap, &mtl.opacityMap, &mtl.roughnessMap, &mtl.metalnessMap, &mtl.normalMap, &mtl.bumpMap}) {
        dropUnreachable(source, *map);
    }
    const bool wasTextured = mtl.diffuseMap.has_value();
    dropUnreachable(source, mtl.diffuseMap);
    if (wasTextured && !mtl.diffuseMap && mtl.diffuse == glm::vec3(0.0F)) {
        mtl.diffuse.reset(); // the colour beside a map
    }
}

TextureSlot MtlLibrary::slot(const Source& source, const MtlMap& map, bool srgb, TextureLibrary& textures) {
    TextureSlot slot;
    const std::filesystem::path path = find(source, map).value();
    slot.texture = textures.add(path.string(), [&]() -> TextureLibrary::Decode {
        return [bytes = share(reader_.read(path)), name = path.string()] { return decodeTexture(*bytes, name); };
    });
    slot.srgb = srgb;
    setTransform(map, slot);
    return slot;
}

TextureSlot MtlLibrary::packed(const Source& source, const MtlMap* first, const MtlMap* second, bool albedo,
                               TextureLibrary& textures) {
    const std::filesystem::path a = first != nullptr ? find(source, *first).value() : "";
    const std::filesystem::path b = second != nullptr ? find(source, *second).value() : "";
    const std::string key = fmt::format("{}|{}|{}", albedo ? "alpha" : "surface", a.string(), b.string());
    TextureSlot slot;
    slot.texture = textures.add(key, [&]() -> TextureLibrary::Decode {
        const auto open = [&](const std::filesystem::path& path) {
            return path.empty() ? nullptr : share(reader_.read(path));
        };
        return [bytesA = open(a), bytesB = open(b), nameA = a.string(), nameB = b.string(), albedo] {
            std::optional<Texture> textureA;
            std::optional<Texture> textureB;
            if (bytesA) {
                textureA = decodeTexture(*bytesA, nameA);
            }
            if (bytesB) {
                textureB = decodeTexture(*bytesB, nameB);
            }
            const Texture* pointerA = textureA ? &*textureA : nullptr;
            return albedo ? packAlpha(pointerA, *textureB)
                          : packMetallicRoughness(pointerA, textureB ? &*textureB : nullptr);
        };
    });
    slot.srgb = albedo;
    // There is one of both. NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker)
    setTransform(first != nullptr ? *first : *second, slot);
    return slot;
}

void MtlLibrary::setSurface(const Source& source, Material& material, TextureLibrary& textures) {
    const MtlMaterial& mtl = source.material;
    material.metalness = factorBeside(mtl.metalness, mtl.metalnessMap.has_value(), 0.0F);
    float otherwise = 1.0F;
    if (mtl.shininess && mtl.specular.value_or(glm::vec3(0.0F)) != glm::vec3(0.0F)) {
        otherwise = roughnessOfExponent(*mtl.shininess);
    }
    material.roughness = mtl.roughnessMap ? factorBeside(mtl.roughness, true, 1.0F) : mtl.roughness.value_or(otherwise);
    if (mtl.roughnessMap || mtl.metalnessMap) {
        material.metallicRoughnessTexture = packed(source, mtl.roughnessMap ? &*mtl.roughnessMap : nullptr,
                                                   mtl.metalnessMap ? &*mtl.metalnessMap : nullptr, false, textures);
    }
}

namespace {

/// Models 4, 6, 7 and 9 of illum are of glass: 6 and 7 refract and are solids, 4 and 9 only let light through and are
/// panes where d or Tr says that they do. What has a highlight (Ks and Ns) or a physically based value is
/// metallic-roughness, the rest is matt. Exporters write Ni 1 where they have none.
void setModel(const MtlMaterial& mtl, Material& material) {
    const float illumination = mtl.illumination.value_or(2.0F);
    const bool refracts = illumination == 6.0F || illumination == 7.0F;
    const bool isClear = (illumination == 4.0F || illumination == 9.0F) && mtl.opacity.value_or(1.0F) < 1.0F;
    if (mtl.ior.value_or(1.0F) > 1.0F) {
        material.ior = std::min(*mtl.ior, static_cast<float>(kMaximumIor));
    }
    if (refracts || isClear) {
        material.model = refracts ? MaterialModel::Dielectric : MaterialModel::ThinGlass;
        material.albedo = glm::clamp(mtl.filter.value_or(glm::vec3(1.0F)), glm::vec3(0.0F), glm::vec3(1.0F));
        material.albedoTexture = {};
        material.roughness = mtl.roughness.value_or(0.0F);
        material.metallicRoughnessTexture = {};
        material.alpha = 1.0F;
        material.alphaMode = AlphaMode::Opaque;
        return;
    }
    const bool shines =
        mtl.shininess && mtl.specular.value_or(glm::vec3(0.0F)) != glm::vec3(0.0F) && illumination >= 2.0F;
    if (shines || mtl.roughness || mtl.metalness || material.metallicRoughnessTexture.used()) {
        material.model = MaterialModel::MetallicRoughness;
    }
}

} // namespace

void MtlLibrary::setAlpha(const Source& source, Material& material, TextureLibrary& textures) {
    const MtlMaterial& mtl = source.material;
    material.alpha = mtl.opacity.value_or(1.0F);
    const bool textured = mtl.opacityMap.has_value();
    if (textured) {
        material.alpha = factorBeside(mtl.opacity, true, 1.0F);
        material.albedoTexture =
            packed(source, mtl.diffuseMap ? &*mtl.diffuseMap : nullptr, &*mtl.opacityMap, true, textures);
    }
    if (textured || material.alpha < 1.0F) {
        material.alphaMode = AlphaMode::Blend;
    }
}

Material MtlLibrary::make(const std::string& name, TextureLibrary& textures) {
    Material material;
    material.name = name;
    const auto found = sources_.find(name);
    if (found == sources_.end()) {
        if (!sources_.empty()) {
            std::vector<std::string> names;
            for (const auto& [known, source] : sources_) {
                names.push_back(known);
            }
            logWarning("{}: no material library has the material '{}'{}, it is plain", reader_.name(), name,
                       didYouMean(name, names));
        }
        return material;
    }
    Source& source = found->second;
    dropUnreachable(source);
    const MtlMaterial& mtl = source.material;
    material.albedo = factorBeside(mtl.diffuse, mtl.diffuseMap.has_value(), material.albedo);
    if (mtl.diffuseMap && !mtl.opacityMap) {
        material.albedoTexture = slot(source, *mtl.diffuseMap, true, textures);
    }
    material.emission = factorBeside(mtl.emission, mtl.emissionMap.has_value(), glm::vec3(0.0F));
    if (mtl.emissionMap) {
        material.emissionTexture = slot(source, *mtl.emissionMap, true, textures);
    }
    if (const std::optional<MtlMap>& map = mtl.normalMap ? mtl.normalMap : mtl.bumpMap) {
        material.normalTexture = slot(source, *map, false, textures);
        material.normalScale = map->bump;
        material.normalGreenDown = normalGreenDown_;
    }
    setSurface(source, material, textures);
    setAlpha(source, material, textures);
    setModel(mtl, material);
    return material;
}

void MtlLibrary::dropHeightMaps(std::vector<Material>& materials, const std::vector<Texture>& textures) {
    for (Material& material : materials) {
        if (material.normalTexture.used() && isGrey(textures[material.normalTexture.texture])) {
            logWarning("{}: material '{}': the bump heights are not used, only normal maps are",
                       textures[material.normalTexture.texture].name, material.name);
            material.normalTexture = {};
            material.normalScale = 1.0F;
        }
    }
}

} // namespace aureole::obj
