#include "import/assimp/materials.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <assimp/material.h>

#include "core/error.h"
#include "import/assimp/convert.h"
#include "import/pictures/texture_file.h"
#include "model/texture_pack.h"

namespace aureole {

namespace {

using Bytes = std::shared_ptr<const std::vector<std::byte>>;

/// A picture held in the model file: one of a file, or bare texels.
Texture decodeEmbedded(const aiTexture& source, const std::string& name) {
    if (source.mHeight == 0) {
        return decodeTexture({reinterpret_cast<const std::byte*>(source.pcData), source.mWidth}, name);
    }
    if (source.mWidth > kMaxTextureSide || source.mHeight > kMaxTextureSide) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, expected 1 to {} a side", name, source.mWidth,
             source.mHeight, kMaxTextureSide);
    }
    Texture texture;
    texture.name = name;
    texture.width = source.mWidth;
    texture.height = source.mHeight;
    const std::size_t count = std::size_t{source.mWidth} * source.mHeight;
    texture.rgba.reserve(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        const aiTexel& texel = source.pcData[i];
        texture.rgba.insert(texture.rgba.end(), {texel.r, texel.g, texel.b, texel.a});
    }
    return texture;
}

/// The first texture of one of several types, as an assimp material names it.
struct TextureReference {
    aiString path;
    aiTextureType type = aiTextureType_NONE;
    std::filesystem::path file; ///< of one that the model does not hold itself
    bool missing = false;       ///< it is named, and not to be had

    bool named() const { return type != aiTextureType_NONE; }
    bool found() const { return named() && !missing; }
};

TextureReference nameTexture(const aiMaterial& material, std::initializer_list<aiTextureType> types) {
    for (const aiTextureType type : types) {
        aiString path;
        if (material.GetTexture(type, 0, &path) == aiReturn_SUCCESS && path.length > 0) {
            return {path, type, {}};
        }
    }
    return {};
}

class Converter {
public:
    Converter(const aiScene& scene, const aiMaterial& source, const AssetReader& reader, PictureFinder& pictures,
              TextureLibrary& library)
        : scene_(scene)
        , source_(source)
        , reader_(reader)
        , pictures_(pictures)
        , library_(library) {}

    Material convert();

private:
    TextureReference findTexture(std::initializer_list<aiTextureType> types) const {
        TextureReference reference = nameTexture(source_, types);
        if (!reference.named() || scene_.GetEmbeddedTexture(reference.path.C_Str()) != nullptr) {
            return reference;
        }
        const std::string place = fmt::format("material '{}'", source_.GetName().C_Str());
        const auto file = pictures_.find("", reference.path.C_Str(), place);
        reference.missing = !file;
        reference.file = file.value_or("");
        return reference;
    }

    TextureLibrary::Decode prepare(const TextureReference& reference) const {
        if (const aiTexture* embedded = scene_.GetEmbeddedTexture(reference.path.C_Str())) {
            return [embedded, name = fmt::format("{}: {}", reader_.name(), reference.path.C_Str())] {
                return decodeEmbedded(*embedded, name);
            };
        }
        return [bytes = std::make_shared<const std::vector<std::byte>>(reader_.read(reference.file)),
                label = reference.file.string()] { return decodeTexture(*bytes, label); };
    }

    TextureSlot slot(const TextureReference& reference, bool srgb) {
        TextureSlot result;
        if (!reference.found()) {
            return result;
        }
        result.texture = library_.add(reference.path.C_Str(), [&] { return prepare(reference); });
        result.srgb = srgb;
        readMapping(reference.type, result);
        return result;
    }

    TextureSlot surfaceSlot(const TextureReference& roughness, const TextureReference& metalness) {
        TextureSlot result;
        if (!roughness.found() && !metalness.found()) {
            return result;
        }
        const std::string key = fmt::format("{}|{}", roughness.path.C_Str(), metalness.path.C_Str());
        result.texture = library_.add(key, [&]() -> TextureLibrary::Decode {
            const TextureLibrary::Decode rough = roughness.found() ? prepare(roughness) : nullptr;
            const TextureLibrary::Decode metal = metalness.found() ? prepare(metalness) : nullptr;
            return [rough, metal] {
                const Texture a = rough ? rough() : Texture{};
                const Texture b = metal ? metal() : Texture{};
                return packMetallicRoughness(rough ? &a : nullptr, metal ? &b : nullptr);
            };
        });
        readMapping(roughness.found() ? roughness.type : metalness.type, result);
        return result;
    }

    void readMapping(aiTextureType type, TextureSlot& slot) const {
        int set = 0;
        source_.Get(AI_MATKEY_UVWSRC(type, 0), set);
        slot.uvSet = set == 1 ? 1 : 0;
        slot.wrap = {wrapOf(AI_MATKEY_MAPPINGMODE_U(type, 0)), wrapOf(AI_MATKEY_MAPPINGMODE_V(type, 0))};
        aiUVTransform transform;
        if (source_.Get(AI_MATKEY_UVTRANSFORM(type, 0), transform) == aiReturn_SUCCESS) {
            slot.transform = matrixOf(transform);
        }
    }

    Wrap wrapOf(const char* key, unsigned type, unsigned index) const {
        int mode = aiTextureMapMode_Wrap;
        source_.Get(key, type, index, mode);
        return mode == aiTextureMapMode_Mirror ? Wrap::Mirror
                                               : (mode == aiTextureMapMode_Wrap ? Wrap::Repeat : Wrap::Clamp);
    }

    /// assimp scales, turns counter-clockwise about the middle and moves, with v upwards.
    static glm::mat3 matrixOf(const aiUVTransform& transform) {
        const float cosine = std::cos(transform.mRotation);
        const float sine = std::sin(transform.mRotation);
        const glm::mat3 flip(1.0F, 0.0F, 0.0F, 0.0F, -1.0F, 0.0F, 0.0F, 1.0F, 1.0F);
        const auto move = [](float x, float y) { return glm::mat3(1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, x, y, 1.0F); };
        const glm::mat3 turn(cosine, sine, 0.0F, -sine, cosine, 0.0F, 0.0F, 0.0F, 1.0F);
        const glm::mat3 scale(transform.mScaling.x, 0.0F, 0.0F, 0.0F, transform.mScaling.y, 0.0F, 0.0F, 0.0F, 1.0F);
        return flip * move(transform.mTranslation.x, transform.mTranslation.y) * move(0.5F, 0.5F) * turn *
               move(-0.5F, -0.5F) * scale * flip;
    }

    float number(const char* key, unsigned type, unsigned index, float otherwise) const {
        float value = otherwise;
        source_.Get(key, type, index, value);
        return std::isfinite(value) ? value : otherwise;
    }

    glm::vec3 colour(const char* key, unsigned type, unsigned index, const glm::vec3& otherwise) const {
        aiColor3D value;
        // Get overwrites the value even where it finds none.
        return source_.Get(key, type, index, value) == aiReturn_SUCCESS ? toVec3(value) : otherwise;
    }

    void setAlbedo(Material& material);
    void setSurface(Material& material);
    void setEmission(Material& material);

    const aiScene& scene_;
    const aiMaterial& source_;
    const AssetReader& reader_;
    PictureFinder& pictures_;
    TextureLibrary& library_;
};

void Converter::setAlbedo(Material& material) {
    const TextureReference picture = findTexture({aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE});
    const glm::vec3 plain = material.albedo;
    material.albedo = colour(AI_MATKEY_BASE_COLOR, colour(AI_MATKEY_COLOR_DIFFUSE, plain));
    if (picture.named() && material.albedo == glm::vec3(0.0F)) {
        material.albedo = picture.found() ? glm::vec3(1.0F) : plain; // black is what exporters write beside a picture
    }
    material.albedoTexture = slot(picture, true);
    material.alpha = std::clamp(number(AI_MATKEY_OPACITY, 1.0F), 0.0F, 1.0F);
    if (material.alpha < 1.0F || nameTexture(source_, {aiTextureType_OPACITY}).named()) {
        material.alphaMode = AlphaMode::Blend;
    }
}

void Converter::setSurface(Material& material) {
    const TextureReference roughness = findTexture({aiTextureType_DIFFUSE_ROUGHNESS});
    const TextureReference metalness = findTexture({aiTextureType_METALNESS});
    material.roughness = std::clamp(number(AI_MATKEY_ROUGHNESS_FACTOR, 1.0F), 0.0F, 1.0F);
    material.metalness = std::clamp(number(AI_MATKEY_METALLIC_FACTOR, metalness.found() ? 1.0F : 0.0F), 0.0F, 1.0F);
    material.metallicRoughnessTexture = surfaceSlot(roughness, metalness);
    float unused = 0.0F;
    if (material.metallicRoughnessTexture.used() ||
        source_.Get(AI_MATKEY_ROUGHNESS_FACTOR, unused) == aiReturn_SUCCESS ||
        source_.Get(AI_MATKEY_METALLIC_FACTOR, unused) == aiReturn_SUCCESS) {
        material.model = MaterialModel::MetallicRoughness;
    }
}

void Converter::setEmission(Material& material) {
    const TextureReference picture = findTexture({aiTextureType_EMISSION_COLOR, aiTextureType_EMISSIVE});
    material.emission = colour(AI_MATKEY_COLOR_EMISSIVE, glm::vec3(0.0F)) * number(AI_MATKEY_EMISSIVE_INTENSITY, 1.0F);
    if (picture.found() && material.emission == glm::vec3(0.0F)) {
        material.emission = glm::vec3(1.0F);
    }
    material.emissionTexture = slot(picture, true);
}

Material Converter::convert() {
    Material material;
    material.name = source_.GetName().C_Str();
    setAlbedo(material);
    setSurface(material);
    setEmission(material);
    material.normalTexture = slot(findTexture({aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA}), false);
    return material;
}

} // namespace

Material convertMaterial(const aiScene& scene, const aiMaterial& source, const AssetReader& reader,
                         bool normalGreenDown, PictureFinder& pictures, TextureLibrary& library) {
    Material material = Converter(scene, source, reader, pictures, library).convert();
    material.normalGreenDown = normalGreenDown;
    return material;
}

} // namespace aureole
