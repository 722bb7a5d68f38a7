#include "reference/voxel_cubes.h"

#include <bit>
#include <map>

#include "scene/scene_memory.h"
#include "voxel/build/model_cells.h"

namespace aureole {

namespace {

/// Appends a face of a cell; faces are numbered as in the octree, 2 * axis + 1 for the positive side.
void addFace(Mesh& mesh, const glm::uvec3& cell, std::uint32_t face) {
    const auto axis = static_cast<int>(face >> 1U);
    const bool positive = (face & 1U) != 0;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    glm::vec3 corner(cell);
    corner[axis] += positive ? 1.0F : 0.0F;
    glm::vec3 u(0.0F);
    glm::vec3 v(0.0F);
    u[(axis + 1) % 3] = 1.0F;
    v[(axis + 2) % 3] = 1.0F;
    mesh.positions.insert(mesh.positions.end(), {corner, corner + u, corner + u + v, corner + v});
    const std::uint32_t second = positive ? 1 : 3;
    mesh.triangles.emplace_back(first, first + second, first + 2);
    mesh.triangles.emplace_back(first, first + 2, first + 4 - second);
}

/// Takes what addFace does for all faces of cells off the memory that is left.
void takeFaces(const Scene& scene, const std::vector<ExposedCell>& cells, std::uint64_t& left) {
    std::uint64_t faces = 0;
    for (const ExposedCell& cell : cells) {
        faces += static_cast<std::uint64_t>(std::popcount(cell.faces));
    }
    const std::uint64_t bytes = faces * (4 * sizeof(glm::vec3) + 2 * sizeof(glm::uvec3));
    requireSceneMemory(scene, left, bytes);
    left -= left == kNoSceneLimit ? 0 : bytes;
}

/// Adds the meshes of a model to the scene; returns their indices.
std::vector<std::uint32_t> addMeshes(Scene& scene, const VoxelModel& model, std::uint64_t& memoryLeft) {
    std::map<std::uint32_t, std::uint32_t> meshOf; // by material
    const std::vector<ExposedCell> cells = exposedCells(model, scene.materials);
    takeFaces(scene, cells, memoryLeft);
    for (const ExposedCell& exposed : cells) {
        const glm::uvec3& cell = exposed.cell;
        const std::size_t at = cell.x + std::size_t{model.size.x} * (cell.y + std::size_t{model.size.y} * cell.z);
        const std::uint32_t material = model.materials[model.cells[at]];
        const auto [found, isNew] = meshOf.try_emplace(material, static_cast<std::uint32_t>(scene.meshes.size()));
        if (isNew) {
            Mesh& mesh = scene.meshes.emplace_back();
            mesh.name = model.name;
            mesh.material = material;
        }
        for (std::uint32_t face = 0; face < 6; ++face) {
            if (((exposed.faces >> face) & 1U) != 0) {
                addFace(scene.meshes[found->second], cell, face);
            }
        }
    }
    std::vector<std::uint32_t> meshes;
    meshes.reserve(meshOf.size());
    for (const auto& [unused, mesh] : meshOf) {
        meshes.push_back(mesh);
    }
    return meshes;
}

} // namespace

Scene withCubes(Scene scene) {
    std::uint64_t memoryLeft = memoryLeftBy(scene);
    std::map<std::uint32_t, std::vector<std::uint32_t>> meshesOf; // by model: those that nothing places cost nothing
    for (const VoxelInstance& instance : scene.voxelInstances) {
        if (!meshesOf.contains(instance.model)) {
            meshesOf[instance.model] = addMeshes(scene, scene.voxelModels[instance.model], memoryLeft);
        }
        for (const std::uint32_t mesh : meshesOf[instance.model]) {
            scene.meshInstances.push_back({mesh, instance.worldFromModel, kNone, instance.motion, instance.placement});
        }
    }
    scene.voxelInstances.clear();
    scene.voxelModels.clear();
    return scene;
}

} // namespace aureole
