#include "voxel/surface/surface_closures.h"

#include <cstdint>
#include <utility>

#include "core/log.h"
#include "scene/grid_scene.h"
#include "scene/json/json_document.h"
#include "scene/surface.h"
#include "voxel/build/grid.h"
#include "voxel/build/shape_material.h"
#include "voxel/surface/field_signs.h"

namespace aureole {

namespace {

std::vector<Closure> closuresOfGlass(const Primitives& primitives, SurfaceKind surface, std::string& fault) {
    if (surface == SurfaceKind::Planes) {
        fault = openGlassFault(primitives);
        return {};
    }
    return glassClosures(primitives, fault);
}

/// Level sets are distances, which a field alone shows.
std::vector<SceneConflict> findLevelSetConflicts(const Scene& scene, SurfaceKind surface) {
    std::vector<SceneConflict> conflicts;
    for (const VoxelInstance& instance : scene.voxelInstances) {
        const VoxelModel& model = scene.voxelModels[instance.model];
        if (surface != SurfaceKind::Field && model.isLevelSet() && conflicts.empty()) {
            conflicts.push_back({placeOfVoxels(scene, "surface"), "",
                                 fmt::format("found surface '{}' with the level set '{}', expected 'field'",
                                             surfaceKindNames()[static_cast<std::size_t>(surface)], model.name)});
        }
    }
    return conflicts;
}

} // namespace

std::vector<Closure> findClosures(const Primitives& primitives, SurfaceKind surface, Coverage coverage,
                                  std::string& fault) {
    fault.clear();
    const std::vector<SceneConflict> conflicts = findLevelSetConflicts(primitives.scene(), surface);
    if (!conflicts.empty()) {
        throw ConflictError(primitives.scene(), conflicts);
    }
    if (surface == SurfaceKind::Field) {
        return fieldClosures(primitives);
    }
    if (coverage == Coverage::Solid) {
        return closedMeshes(primitives);
    }
    std::vector<Closure> closures = closuresOfGlass(primitives, surface, fault);
    if (!fault.empty()) {
        logWarning("{}: {}", primitives.scene().file.string(), fault);
    }
    return closures;
}

std::vector<SceneConflict> findMeshConflicts(const Scene& scene) {
    if (scene.hasGrids()) {
        std::vector<SceneConflict> all;
        for (std::uint32_t i = 0; i < scene.grids.size(); ++i) {
            const std::vector<SceneConflict> found = findMeshConflicts(sceneOfGrid(scene, i));
            all.insert(all.end(), found.begin(), found.end());
        }
        return all;
    }
    if (scene.octree) {
        return {};
    }
    const bool isShape = scene.voxels.attributes == VoxelContent::None;
    if (isShape && scene.voxels.surface != SurfaceKind::Planes) { // which findConflicts finds
        if (std::vector<SceneConflict> found = findShapeConflicts(scene, scene.voxels.surface); !found.empty()) {
            return found;
        }
    }
    if (scene.voxels.surface != SurfaceKind::Field && findSolidGlass(scene, scene.meshInstances) == nullptr) {
        return findLevelSetConflicts(scene, scene.voxels.surface);
    }
    const VoxelGrid grid = fitGrid(scene, scene.voxels.resolution, true);
    if (grid.size == glm::uvec3(0)) {
        return {};
    }
    try {
        std::string fault;
        findClosures(Primitives(scene, grid, false), scene.voxels.surface, Coverage::Conservative, fault);
    } catch (const ConflictError& error) {
        return error.conflicts();
    }
    return {};
}

} // namespace aureole
