#include "scene/scene_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_size.h"
#include "core/error.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

template <typename T>
std::uint64_t bytesOfElements(const std::vector<T>& values) {
    return values.size() * sizeof(T);
}

template <typename T>
std::uint64_t bytesOfEach(const std::vector<T>& values) {
    std::uint64_t bytes = 0;
    for (const T& value : values) {
        bytes += bytesOf(value);
    }
    return bytes;
}

/// Bytes of the parts that imported models and scenes have in common.
template <typename Model>
std::uint64_t bytesOfParts(const Model& model) {
    return bytesOfEach(model.textures) + bytesOfEach(model.meshes) + bytesOfEach(model.voxelModels) +
           bytesOfElements(model.meshInstances) + bytesOfElements(model.voxelInstances) + bytesOfElements(model.lights);
}

} // namespace

std::uint64_t bytesOf(const Texture& texture) {
    return sizeof(Texture) + bytesOfElements(texture.rgba) + bytesOfElements(texture.light);
}

std::uint64_t bytesOf(const Mesh& mesh) {
    return sizeof(Mesh) + bytesOfElements(mesh.positions) + bytesOfElements(mesh.normals) +
           bytesOfElements(mesh.tangents) + bytesOfElements(mesh.uvs[0]) + bytesOfElements(mesh.uvs[1]) +
           bytesOfElements(mesh.colours) + bytesOfElements(mesh.triangles);
}

std::uint64_t bytesOf(const VoxelModel& model) {
    return sizeof(VoxelModel) + bytesOfElements(model.cells) + bytesOfElements(model.levelSet.blocks) +
           bytesOfElements(model.levelSet.distances) + bytesOfElements(model.colours.blocks) +
           bytesOfElements(model.colours.values) + bytesOfElements(model.colours.colours);
}

std::uint64_t bytesOf(const ImportedModel& model) {
    std::uint64_t bytes = bytesOfParts(model);
    for (const ModelFrame& frame : model.laterFrames) {
        bytes += bytesOfElements(frame.voxelInstances);
    }
    return bytes;
}

std::uint64_t bytesOf(const Volume& volume) {
    const auto bytesOfTree = [](const DensityTree& tree) {
        return bytesOfElements(tree.nodes) + bytesOfElements(tree.bricks);
    };
    return sizeof(Volume) + bytesOfTree(volume.tree) +
           (volume.heat ? bytesOfTree(volume.heat->tree) + bytesOfElements(volume.heat->colours) : 0);
}

std::uint64_t bytesOf(const Scene& scene) {
    return bytesOfParts(scene) + bytesOfEach(scene.volumes) + bytesOfElements(scene.volumeInstances);
}

std::uint64_t sceneMemoryLimit() {
    const std::uint64_t memory = sandbox::settings().memory;
    return memory == 0 ? kNoSceneLimit : memory;
}

std::uint64_t memoryLeftBy(const Scene& scene) {
    const std::uint64_t limit = sceneMemoryLimit();
    return limit == kNoSceneLimit ? limit : limit - std::min(limit, bytesOf(scene));
}

std::string sceneMemoryFault(std::uint64_t bytes) {
    const std::string found = bytesText(bytes);
    const std::string most = bytesText(sceneMemoryLimit());
    return fmt::format("found a scene that takes {} of memory{}, expected at most {}, which --asset-memory raises",
                       found == most ? "more than " + most : found, found == most ? "" : " or more", most);
}

void requireSceneMemory(const Scene& scene, std::uint64_t left, std::uint64_t more, std::string_view place) {
    if (more > left) {
        fail(ExitCode::BadInput, "{}: {}{}", scene.file.string(), place,
             sceneMemoryFault(sceneMemoryLimit() - left + more));
    }
}

} // namespace aureole
