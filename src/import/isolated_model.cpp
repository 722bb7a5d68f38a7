#include "import/isolated_model.h"

#include <algorithm>
#include <cmath>

#include "import/model_pack.h"
#include "import/pictures/texture_file.h"
#include "sandbox/isolated_read.h"

namespace aureole {

namespace {

void require(bool holds, const char* otherwise) {
    if (!holds) {
        sandbox::Unpacker::refuse(otherwise);
    }
}

template <typename Vector>
bool allFinite(const std::vector<Vector>& values) {
    return std::all_of(values.begin(), values.end(), [](const Vector& value) {
        // Of what is not finite, no multiple is 0.
        return glm::dot(value, Vector(0.0F)) == 0.0F;
    });
}

void check(const Texture& texture) {
    require(texture.width > 0 && texture.height > 0 && texture.width <= kMaxTextureSide &&
                texture.height <= kMaxTextureSide,
            "a texture of a size that none has");
    require(texture.rgba.size() == std::size_t{4} * texture.width * texture.height,
            "a texture with other than its pixels");
    const bool isLight = texture.light.size() * 4 == texture.rgba.size() &&
                         std::all_of(texture.light.begin(), texture.light.end(), [](const glm::vec3& light) {
                             return glm::all(glm::greaterThanEqual(light, glm::vec3(0.0F)));
                         });
    require(texture.light.empty() || (isLight && allFinite(texture.light)), "a texture with light that is none");
}

void check(const Material& material, std::size_t textures) {
    for (const auto member : kTextureSlots) {
        const TextureSlot& slot = material.*member;
        require(!slot.used() || slot.texture < textures, "a texture that is not there");
        require(slot.uvSet < 2 && slot.tile > 0.0, "a use of a texture that is none");
    }
    require(!material.pattern && material.lightGroup == 0, "a material that no file has");
}

template <typename Vector>
void checkAttribute(const std::vector<Vector>& values, const Mesh& mesh) {
    require(values.empty() || values.size() == mesh.positions.size(), "other than one value for each vertex");
    require(allFinite(values), "a vertex that is not finite");
}

void check(const Mesh& mesh, std::size_t materials) {
    checkAttribute(mesh.positions, mesh);
    checkAttribute(mesh.normals, mesh);
    checkAttribute(mesh.tangents, mesh);
    checkAttribute(mesh.uvs[0], mesh);
    checkAttribute(mesh.uvs[1], mesh);
    checkAttribute(mesh.colours, mesh);
    std::uint32_t largest = 0;
    for (const glm::uvec3& triangle : mesh.triangles) {
        largest = std::max({largest, triangle.x, triangle.y, triangle.z});
    }
    require(mesh.triangles.empty() || largest < mesh.positions.size(), "a vertex that is not there");
    require(mesh.material < materials, "a material that is not there");
}

void check(const VoxelModel& model, std::size_t materials) {
    constexpr std::uint32_t kMaximumSide = 0xffff; // as .schem files have it; cells have their number by 64 bits
    require(model.size.x <= kMaximumSide && model.size.y <= kMaximumSide && model.size.z <= kMaximumSide,
            "a grid larger than any");
    if (model.isLevelSet()) {
        require(model.cells.empty() && model.levelSet.isSound() && model.materials[1] < materials,
                "a level set that is none");
        require(model.colours.isSound(), "colours that are none");
        return;
    }
    require(model.colours.empty(), "colours of no level set");
    require(model.cells.size() == std::size_t{model.size.x} * model.size.y * model.size.z,
            "other cells than a grid has");
    for (const std::uint8_t cell : model.cells) {
        require(cell == 0 || model.materials.at(cell) < materials, "a material that is not there");
    }
}

void check(const Daylight& light) {
    constexpr double kRounding = 1e-6;
    require(std::abs(glm::length(light.sunDirection) - 1.0) < kRounding && light.sunDiameter > 0.0 &&
                glm::all(glm::greaterThanEqual(light.sunIrradiance, glm::vec3(0.0F))) &&
                glm::all(glm::greaterThanEqual(light.skyRadiance, glm::vec3(0.0F))),
            "a sun or a sky that is none");
}

void check(const ImportedModel& model) {
    for (const Texture& texture : model.textures) {
        check(texture);
    }
    for (const Material& material : model.materials) {
        check(material, model.textures.size());
    }
    for (const Mesh& mesh : model.meshes) {
        check(mesh, model.materials.size());
    }
    const auto checkMeshes = [&](const std::vector<MeshInstance>& instances) {
        for (const MeshInstance& instance : instances) {
            require(instance.mesh < model.meshes.size() &&
                        (instance.material == kNone || instance.material < model.materials.size()) &&
                        (instance.motion == kNone || instance.motion < model.clipParts.size()),
                    "a mesh that is not there");
        }
    };
    checkMeshes(model.meshInstances);
    for (const ClipPart& part : model.clipParts) {
        checkMeshes(part.meshInstances);
        double last = 0.0;
        for (const ClipPose& pose : part.poses) {
            const double product = pose.scale.x * pose.scale.y * pose.scale.z;
            require(pose.seconds >= last && std::isfinite(pose.seconds + glm::length(pose.translation)) &&
                        std::isfinite(1.0 / product) && std::abs(glm::length(pose.turn) - 1.0) < 1e-6,
                    "a pose that is none");
            last = pose.seconds;
        }
        require(!part.poses.empty(), "a part of a clip that is nowhere");
    }
    for (const VoxelModel& voxels : model.voxelModels) {
        check(voxels, model.materials.size());
    }
    const auto checkInstances = [&](const std::vector<VoxelInstance>& instances) {
        for (const VoxelInstance& instance : instances) {
            require(instance.model < model.voxelModels.size(), "a grid that is not there");
        }
    };
    checkInstances(model.voxelInstances);
    for (const ModelFrame& frame : model.laterFrames) {
        require(frame.number > 0 && frame.number < model.frames, "a frame that is not there");
        checkInstances(frame.voxelInstances);
    }
    require(model.frames > 0 && (!model.laterBounds || !model.laterBounds->empty()), "frames that are none");
    for (const ModelClip& clip : model.clips) {
        require(std::isfinite(clip.seconds) && clip.seconds >= 0.0, "a clip that is none");
    }
    for (const PunctualLight& light : model.lights) {
        require(light.lightGroup == 0 && (light.motion == kNone || light.motion < model.clipParts.size()),
                "a light that no file has");
    }
    if (model.daylight) {
        check(*model.daylight);
    }
    require(!model.points || (std::isfinite(model.points->spacing) && model.points->spacing >= 0.0),
            "points that are none");
    require(!model.volume || model.volume->isSound(), "densities that are none");
    require(!model.meshInstances.empty() || !model.voxelInstances.empty() || model.volume, "nothing to see");
}

} // namespace

void receiveModel(sandbox::Unpacker& in, ImportedModel& model) {
    in(model);
    check(model);
}

void receiveTexture(sandbox::Unpacker& in, Texture& texture) {
    in(texture);
    check(texture);
}

ImportedModel readModelIsolated(FolderFiles& files, const ImportOptions& options) {
    ImportedModel model;
    sandbox::readIsolated({.job = sandbox::Job::Model,
                           .option = options.normalGreenDown,
                           .part = options.grid,
                           .colours = options.colourGrid,
                           .frames = options.frames,
                           .clip = options.moment ? options.moment->clip : "",
                           .seconds = options.moment ? options.moment->seconds : 0.0,
                           .loops = options.moment && options.moment->loops,
                           .asset = files.asset(),
                           .files = &files,
                           .meanwhile = [&] { files.hashAsset(); },
                           .result =
                               [&](sandbox::Unpacker& in) {
                                   in.expectLayout<ImportedModel>();
                                   receiveModel(in, model);
                               }});
    return model;
}

Texture readTextureIsolated(const InputFile& file) {
    Texture texture;
    sandbox::readIsolated({.job = sandbox::Job::Texture, .asset = file, .result = [&](sandbox::Unpacker& in) {
                               in.expectLayout<Texture>();
                               receiveTexture(in, texture);
                           }});
    return texture;
}

} // namespace aureole
