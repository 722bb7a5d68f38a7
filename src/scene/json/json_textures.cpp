// Textures of materials: pictures from files, pictures that grow, and what is made of them.

#include "scene/json/json_textures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "import/pictures/texture_file.h"
#include "scene/json/read_together.h"
#include "scene/json/texture_packing.h"
#include "scene/scene_memory.h"

namespace aureole {

namespace {

const std::vector<std::pair<std::string, Wrap>> kWraps = {
    {"repeat", Wrap::Repeat}, {"mirror", Wrap::Mirror}, {"clamp", Wrap::Clamp}};

/// How high white is above black, in widths of the picture.
constexpr double kUsualHeight = 0.02;

/// "repeat", or one such word for u and one for v.
void readWrap(ObjectReader& in, std::array<Wrap, 2>& out) {
    const auto value = in.find("wrap");
    if (!value) {
        return;
    }
    std::vector<std::string> names;
    names.reserve(kWraps.size());
    for (const auto& [name, unused] : kWraps) {
        names.push_back(name);
    }
    if (!value->json().is_array()) {
        if (const auto index = value->readChoice(names)) {
            out.fill(kWraps[*index].second);
        }
        return;
    }
    if (value->json().size() != 2) {
        value->expected("a wrap mode, or an array of two: along u and along v");
        return;
    }
    std::size_t axis = 0;
    value->readArray([&](const ValueReader& element) {
        if (const auto index = element.readChoice(names)) {
            out[axis] = kWraps[*index].second;
        }
        ++axis;
    });
}

/// KHR_texture_transform: scaled, then turned counter-clockwise as seen on the picture, then shifted.
glm::mat3 readTextureTransform(ObjectReader& in) {
    std::array<double, 2> offset{0.0, 0.0};
    std::array<double, 2> scale{1.0, 1.0};
    double rotation = 0.0;
    in.object("transform", [&](ObjectReader& transform) {
        if (const auto value = transform.find("offset")) {
            value->readNumbers(offset.data(), 2, {});
        }
        if (const auto value = transform.find("scale")) {
            value->readNumbers(scale.data(), 2, {});
        }
        transform.number("rotation", rotation);
    });
    const double c = std::cos(rotation * kPi / 180.0);
    const double s = std::sin(rotation * kPi / 180.0);
    // v runs downwards, which turns the sense of a rotation.
    const glm::dmat3 turn{c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
    const glm::dmat3 shift{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, offset[0], offset[1], 1.0};
    const glm::dmat3 stretch{scale[0], 0.0, 0.0, 0.0, scale[1], 0.0, 0.0, 0.0, 1.0};
    return {shift * turn * stretch};
}

void readTextureFile(const ValueReader& value, SceneDraft& draft, TextureSlot& slot) {
    const auto path = readAssetPath(value, draft.folder);
    if (!path) {
        return;
    }
    if (const auto known = draft.textures.find(*path); known != draft.textures.end()) {
        slot.texture = known->second;
        return;
    }
    slot.texture = static_cast<std::uint32_t>(draft.scene.textures.size());
    draft.textures.emplace(*path, slot.texture);
    draft.scene.textures.emplace_back();
    draft.textureFiles.push_back({value, *path, slot.texture});
}

/// How a picture lies on the surface.
void readTextureUse(ObjectReader& texture, TextureSlot& slot) {
    texture.integer("uvSet", slot.uvSet, 0, 1);
    readWrap(texture, slot.wrap);
    texture.choice<bool>("filter", slot.nearest, {{"linear", false}, {"nearest", true}});
    slot.transform = readTextureTransform(texture);
}

/// The place of a picture that is to be made of others.
std::uint32_t addMade(const ValueReader& value, SceneDraft& draft,
                      std::function<Texture(const std::vector<Texture>& textures)> make) {
    const auto place = static_cast<std::uint32_t>(draft.scene.textures.size());
    draft.scene.textures.emplace_back();
    draft.madeTextures.push_back({value, place, std::move(make)});
    return place;
}

/// The place of a channel that is named, or `usual`.
std::size_t readChannel(ObjectReader& in, std::string_view key, std::size_t usual) {
    const auto value = in.find(key);
    return value ? value->readChoice(textureChannelNames()).value_or(usual) : usual;
}

/// A picture from a file, by texture coordinates; false where there is none. `more` reads what else it says.
template <typename More>
bool readPicture(ObjectReader& in, std::string_view key, SceneDraft& draft, TextureSlot& slot, const More& more) {
    in.object(key, [&](ObjectReader& texture) {
        TextureSlot read;
        if (const auto file = texture.require("file")) {
            readTextureFile(*file, draft, read);
        }
        readTextureUse(texture, read);
        more(texture, read);
        slot = read;
    });
    return slot.used();
}

bool lieAlike(const TextureSlot& a, const TextureSlot& b) {
    return a.uvSet == b.uvSet && a.transform == b.transform && a.wrap == b.wrap && a.triplanar == b.triplanar;
}

/// Reads from which channels of a picture roughness and metalness come.
void readPacking(ObjectReader& texture, SceneDraft& draft, TextureSlot& slot) {
    constexpr std::size_t kGreen = 1;
    constexpr std::size_t kBlue = 2;
    const std::size_t roughness = readChannel(texture, "roughness", kGreen);
    const std::size_t metalness = readChannel(texture, "metalness", kBlue);
    if ((texture.has("roughness") || texture.has("metalness")) && !texture.has("file")) {
        texture.problem("found channels of a picture that is no file, expected 'file' beside them");
    } else if (slot.used() && (roughness != kGreen || metalness != kBlue)) {
        slot.texture = addMade(texture.value(), draft, [=, from = slot.texture](const std::vector<Texture>& all) {
            return repacked(all[from], roughness, metalness);
        });
    }
}

/// Where the picture comes from: a file, or a simulation that is run before the scene is used.
void readTextureSource(ObjectReader& texture, bool roughness, SceneDraft& draft, TextureSlot& slot) {
    if (const auto file = texture.find("file")) {
        readTextureFile(*file, draft, slot);
    }
    texture.object("texture", [&](ObjectReader& simulation) {
        slot.texture = static_cast<std::uint32_t>(draft.scene.textures.size());
        draft.scene.textures.push_back({simulation.pointer(), 1, 1, {255, 255, 255, 255}});
        ReactionTexture read = readReactionTexture(simulation, draft);
        // Of the picture that is to come.
        takeMemory(simulation.value(), std::uint64_t{4} * read.pixels.x * read.pixels.y, draft);
        draft.scene.simulated.push_back({slot.texture, slot.srgb, roughness, std::move(read)});
    });
    if (texture.has("file") == texture.has("texture")) {
        texture.problem(
            fmt::format("found {}, expected one source of the picture",
                        texture.has("file") ? "both 'file' and 'texture'" : "neither 'file' nor 'texture'"));
    }
}

} // namespace

void readTexture(ObjectReader& in, std::string_view key, bool srgb, SceneDraft& draft, TextureSlot& slot) {
    in.object(key, [&](ObjectReader& texture) {
        TextureSlot read;
        read.srgb = srgb;
        texture.boolean("srgb", read.srgb);
        readTextureUse(texture, read);
        readTextureSource(texture, !srgb, draft, read);
        texture.choice<bool>("mapping", read.triplanar, {{"uv", false}, {"triplanar", true}});
        texture.number("tile", read.tile, kPatternSize);
        if (texture.has("tile") && !read.triplanar) {
            texture.problem("tile", "found 'tile' of a texture that lies by texture coordinates, expected 'mapping' "
                                    "'triplanar' beside it");
        }
        if (key == "metallicRoughnessTexture") {
            readPacking(texture, draft, read);
        }
        slot = read;
    });
}

void readNormals(ObjectReader& in, SceneDraft& draft, Material& material) {
    if (in.has("normalTexture") && in.has("heightTexture")) {
        in.problem("found both 'normalTexture' and 'heightTexture', expected one of them");
    }
    readPicture(in, "normalTexture", draft, material.normalTexture,
                [](ObjectReader& texture, TextureSlot& slot) { texture.boolean("srgb", slot.srgb); });
    double scale = kUsualHeight;
    in.number("heightScale", scale, {-1.0, 1.0});
    readPicture(in, "heightTexture", draft, material.normalTexture, [&](ObjectReader& texture, TextureSlot& slot) {
        const std::size_t channel = readChannel(texture, "channel", 0);
        if (slot.used()) {
            const auto own = std::find_if(draft.textureFiles.begin(), draft.textureFiles.end(),
                                          [&](const TextureFile& file) { return file.texture == slot.texture; });
            slot.texture = addMade(texture.value(), draft,
                                   [=, from = slot.texture, wrap = slot.wrap, path = own->path](const auto& all) {
                                       const auto deep = deepHeights(path, channel);
                                       return deep ? normalsOf(all[from].name, *deep, scale, wrap)
                                                   : normalsOf(all[from], channel, scale, wrap);
                                   });
            for (std::size_t axis = 0; axis < 2; ++axis) {
                if (slot.wrap[axis] == Wrap::Mirror) { // the normals have both halves
                    slot.wrap[axis] = Wrap::Repeat;
                    glm::mat3 half(1.0F);
                    half[static_cast<glm::length_t>(axis)][static_cast<glm::length_t>(axis)] = 0.5F;
                    slot.transform = half * slot.transform;
                }
            }
        }
    });
}

void readOcclusion(ObjectReader& in, SceneDraft& draft, Material& material) {
    float strength = 1.0F;
    in.number("occlusionStrength", strength, kUnit);
    TextureSlot unused;
    readPicture(in, "occlusionTexture", draft, unused, [&](ObjectReader& texture, TextureSlot& slot) {
        const std::size_t channel = readChannel(texture, "channel", 0);
        if (!slot.used()) {
            return;
        }
        const auto occlusion = [=, from = slot.texture](const std::vector<Texture>& all) {
            return occlusionOf(all[from], channel, strength);
        };
        TextureSlot& albedo = material.albedoTexture;
        if (!albedo.used()) {
            albedo = slot;
            albedo.texture = addMade(texture.value(), draft, occlusion);
            return;
        }
        const bool grows = in.value().json()["albedoTexture"].contains("texture");
        if (grows || !lieAlike(albedo, slot)) {
            texture.problem(
                fmt::format("found an occlusion beside an albedo that {}, expected both from files, with the "
                            "same coordinates",
                            grows ? "grows" : "lies otherwise"));
            return;
        }
        albedo.texture = addMade(texture.value(), draft, [=, own = albedo](const std::vector<Texture>& all) {
            return darkened(all[own.texture], own, occlusion(all));
        });
    });
}

void decodeTextures(SceneDraft& draft) {
    for (std::size_t first = 0; first < draft.textureFiles.size(); first += kFilesAtOnce) {
        const std::span<const TextureFile> rest = std::span(draft.textureFiles).subspan(first);
        const std::span<const TextureFile> files = rest.first(std::min(kFilesAtOnce, rest.size()));
        const std::vector<ReadOutcome> outcomes = readTogether(
            files.size(), [&](std::size_t i) { draft.scene.textures[files[i].texture] = loadTexture(files[i].path); });
        for (std::size_t i = 0; i < files.size(); ++i) {
            const bool decoded = noteErrors(files[i].value, [&] {
                outcomes[i].tell();
                hashFile(draft, files[i].path);
            });
            if (decoded) {
                takeMemory(files[i].value, bytesOf(draft.scene.textures[files[i].texture]), draft);
            }
        }
    }
    draft.textureFiles.clear();
}

void makeTextures(SceneDraft& draft) {
    for (const MadeTexture& made : draft.madeTextures) {
        if (!made.value.log().problems.empty()) {
            break;
        }
        Texture texture = made.make(draft.scene.textures);
        takeMemory(made.value, bytesOf(texture), draft);
        draft.scene.textures[made.texture] = std::move(texture);
    }
    draft.madeTextures.clear();
}

} // namespace aureole
