#include "sane_scene.h"

#include <algorithm>
#include <cmath>

#include "fuzz.h"

namespace aureole::fuzz {

namespace {

template <glm::length_t L, typename T>
bool isFinite(const glm::vec<L, T>& vector) {
    for (glm::length_t i = 0; i < L; ++i) {
        if (!std::isfinite(vector[i])) {
            return false;
        }
    }
    return true;
}

template <glm::length_t C, glm::length_t R, typename T>
bool isFinite(const glm::mat<C, R, T>& matrix) {
    for (glm::length_t i = 0; i < C; ++i) {
        if (!isFinite(matrix[i])) {
            return false;
        }
    }
    return true;
}

template <typename T>
bool areFinite(const std::vector<T>& values) {
    return std::all_of(values.begin(), values.end(), [](const T& value) { return isFinite(value); });
}

/// Whether an array of a mesh is there for each vertex or not at all.
template <typename T>
bool isParallel(const std::vector<T>& values, const Mesh& mesh) {
    return values.empty() || values.size() == mesh.positions.size();
}

/// The lists that indices lead into.
struct Lists {
    const std::vector<Texture>& textures;
    const std::vector<Material>& materials;
    const std::vector<Mesh>& meshes;
    const std::vector<VoxelModel>& voxelModels;
};

void requireSane(const Texture& texture) {
    require(texture.width > 0 && texture.height > 0, "textures have pixels");
    require(texture.rgba.size() == std::size_t{4} * texture.width * texture.height, "textures have their bytes");
}

void requireSane(const TextureSlot& slot, const Lists& lists) {
    require(slot.texture == kNone || slot.texture < lists.textures.size(), "texture slots lead to textures");
    require(slot.uvSet <= 1, "there are two sets of coordinates");
    require(isFinite(slot.transform), "texture transforms are finite");
    require(slot.tile > 0.0, "tiles are above 0");
}

void requireSane(const Material& material, const Lists& lists) {
    for (const TextureSlot* slot : {&material.albedoTexture, &material.metallicRoughnessTexture,
                                    &material.emissionTexture, &material.normalTexture}) {
        requireSane(*slot, lists);
    }
    require(isFinite(material.albedo) && isFinite(material.emission) && isFinite(material.absorption) &&
                isFinite(material.scattering),
            "colours are finite");
    const auto isUnit = [](float value) { return value >= 0.0F && value <= 1.0F; };
    require(isUnit(material.roughness) && isUnit(material.metalness), "roughness and metalness are from 0 to 1");
    require(isUnit(material.transmission) && isUnit(material.clearcoat) && isUnit(material.clearcoatRoughness),
            "shares of light are from 0 to 1");
    require(std::isfinite(material.alpha) && std::isfinite(material.alphaCutoff) && std::isfinite(material.normalScale),
            "factors are finite");
    require(std::abs(material.anisotropy) < 0.995F, "mean cosines are in range");
    require(std::min({material.scattering.x, material.scattering.y, material.scattering.z}) >= 0.0F,
            "scattering is not negative");
    require(material.ior >= 1.0F && material.ior <= 4.0F, "indices of refraction are in range");
    require(std::min({material.emission.x, material.emission.y, material.emission.z}) >= 0.0F,
            "emission is not negative");
}

void requireSane(const Mesh& mesh, const Lists& lists) {
    require(mesh.material < lists.materials.size(), "meshes have materials");
    require(areFinite(mesh.positions) && areFinite(mesh.normals) && areFinite(mesh.tangents) &&
                areFinite(mesh.colours) && areFinite(mesh.uvs[0]) && areFinite(mesh.uvs[1]),
            "vertices are finite");
    require(isParallel(mesh.normals, mesh) && isParallel(mesh.tangents, mesh) && isParallel(mesh.colours, mesh) &&
                isParallel(mesh.uvs[0], mesh) && isParallel(mesh.uvs[1], mesh),
            "the arrays of a mesh are of one length");
    for (const glm::uvec3& triangle : mesh.triangles) {
        require(std::max({triangle.x, triangle.y, triangle.z}) < mesh.positions.size(), "triangles lead to vertices");
    }
}

void requireSane(const VoxelModel& model, const Lists& lists) {
    if (model.isLevelSet()) {
        require(model.cells.empty() && model.levelSet.isSound() && model.colours.isSound(),
                "level sets are as they promise");
        require(model.materials[1] < lists.materials.size(), "level sets have a material");
        for (const glm::ivec3& cell : crossedCells(model.levelSet)) {
            require(glm::all(glm::greaterThanEqual(cell, glm::ivec3(0))) &&
                        glm::all(glm::lessThan(glm::uvec3(cell), model.size)),
                    "surfaces of level sets are within their size");
        }
        return;
    }
    require(model.cells.size() == std::size_t{model.size.x} * model.size.y * model.size.z, "cells fill their grid");
    for (const std::uint8_t cell : model.cells) {
        require(cell == 0 || model.materials[cell] < lists.materials.size(), "cells have materials");
    }
}

void requireSane(const Camera& camera) {
    require(isFinite(camera.position) && isFinite(camera.target) && isFinite(camera.up), "cameras are finite");
    require(std::isfinite(camera.verticalFov) && std::isfinite(camera.height) && std::isfinite(camera.apertureRadius) &&
                std::isfinite(camera.focusDistance),
            "cameras' numbers are finite");
    require(camera.position != camera.target, "cameras look somewhere");
}

void requireSane(const PunctualLight& light) {
    require(isFinite(light.position) && isFinite(light.direction) && isFinite(light.intensity), "lights are finite");
    require(std::abs(glm::length(light.direction) - 1.0) < 1e-6, "directions of light have unit length");
}

/// What a model and a scene have in common.
template <typename Holder>
void requireSaneParts(const Holder& holder) {
    const Lists lists{holder.textures, holder.materials, holder.meshes, holder.voxelModels};
    std::for_each(holder.textures.begin(), holder.textures.end(), [](const Texture& t) { requireSane(t); });
    for (const Material& material : holder.materials) {
        requireSane(material, lists);
    }
    for (const Mesh& mesh : holder.meshes) {
        requireSane(mesh, lists);
    }
    for (const VoxelModel& model : holder.voxelModels) {
        requireSane(model, lists);
    }
    for (const MeshInstance& instance : holder.meshInstances) {
        require(instance.mesh < holder.meshes.size(), "instances lead to meshes");
        require(instance.material == kNone || instance.material < holder.materials.size(),
                "instances lead to materials");
        require(isFinite(instance.worldFromMesh), "transforms of meshes are finite");
    }
    for (const VoxelInstance& instance : holder.voxelInstances) {
        require(instance.model < holder.voxelModels.size(), "instances lead to voxel models");
        require(isFinite(instance.worldFromModel), "transforms of voxel models are finite");
    }
    std::for_each(holder.cameras.begin(), holder.cameras.end(), [](const Camera& c) { requireSane(c); });
    std::for_each(holder.lights.begin(), holder.lights.end(), [](const PunctualLight& l) { requireSane(l); });
}

} // namespace

void requireSane(const Daylight& light) {
    require(std::abs(glm::length(light.sunDirection) - 1.0) < 1e-6, "directions of suns have unit length");
    require(light.sunDiameter > 0.0 && std::isfinite(light.exposure), "suns have a size");
    require(isFinite(light.sunIrradiance) && isFinite(light.skyRadiance), "daylight is finite");
}

/// Poses in their order, which place something, and instances of meshes that are there.
void requireSane(const ClipPart& part, std::size_t meshes) {
    require(!part.poses.empty() && part.poses.front().seconds == 0.0,
            "parts of clips have poses from the beginning on");
    double last = 0.0;
    for (const ClipPose& pose : part.poses) {
        require(std::isfinite(pose.seconds) && pose.seconds >= last, "poses are in their order");
        require(isFinite(pose.translation) && isFinite(pose.scale), "poses are finite");
        require(pose.scale.x * pose.scale.y * pose.scale.z != 0.0, "poses are not flat");
        require(std::abs(glm::length(pose.turn) - 1.0) < 1e-6, "turns have unit length");
        last = pose.seconds;
    }
    for (const MeshInstance& instance : part.meshInstances) {
        require(instance.mesh < meshes && isFinite(instance.worldFromMesh), "instances of parts lead to meshes");
    }
}

void requireSane(const ImportedModel& model) {
    requireSaneParts(model);
    for (const ClipPart& part : model.clipParts) {
        requireSane(part, model.meshes.size());
    }
    for (const MeshInstance& instance : model.meshInstances) {
        require(instance.motion == kNone || instance.motion < model.clipParts.size(), "instances lead to parts");
    }
    if (model.daylight) {
        requireSane(*model.daylight);
    }
    for (const ModelFrame& frame : model.laterFrames) {
        require(frame.number > 0 && frame.number < model.frames, "frames are those of the model");
        for (const VoxelInstance& instance : frame.voxelInstances) {
            require(instance.model < model.voxelModels.size() && isFinite(instance.worldFromModel),
                    "instances of later frames lead to voxel models");
        }
    }
    require(model.meshes.empty() || !model.materials.empty(), "models with meshes have materials");
    require(!model.volume || model.volume->isSound(), "densities are as they promise");
    require(!model.meshInstances.empty() || !model.voxelInstances.empty() || model.octree || model.volume,
            "models hold something");
    require(model.hash.size() == 16, "models have a hash of 16 digits");
}

void requireSane(const Scene& scene) {
    requireSaneParts(scene);
    require(!scene.cameras.empty(), "scenes have a camera");
    require(scene.film.width > 0 && scene.film.height > 0, "films have pixels");
    require(!scene.lightGroups.empty() && scene.lightGroups.front().empty(), "the first light group has no name");
    for (const PunctualLight& light : scene.lights) {
        require(light.lightGroup < scene.lightGroups.size(), "lights have groups");
    }
    for (const Material& material : scene.materials) {
        require(material.lightGroup < scene.lightGroups.size(), "materials have light groups");
    }
    for (const SimulatedTexture& texture : scene.simulated) {
        require(texture.texture < scene.textures.size(), "simulated textures have a place");
    }
    if (scene.animation) {
        require(scene.animation->camera < scene.cameras.size(), "animations have a camera");
        require(scene.animation->frames > 0, "animations have frames");
    }
    require(scene.hash.size() == 16 && scene.surfaceHash.size() == 16, "scenes have hashes of 16 digits");
}

} // namespace aureole::fuzz
