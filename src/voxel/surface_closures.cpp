#include "voxel/surface_closures.h"

#include "voxel/field_signs.h"
#include "voxel/grid.h"

namespace aureole {

std::vector<Closure> findClosures(const Primitives& primitives, SurfaceKind surface, Coverage coverage) {
    if (surface == SurfaceKind::Field) {
        return fieldClosures(primitives);
    }
    if (coverage == Coverage::Solid) {
        return closedMeshes(primitives);
    }
    if (surface == SurfaceKind::Planes) {
        warnOfOpenGlass(primitives);
        return {};
    }
    return glassClosures(primitives);
}

std::vector<SceneConflict> findMeshConflicts(const Scene& scene) {
    if (scene.octree || (scene.voxels.surface != SurfaceKind::Field && findGlass(scene) == nullptr)) {
        return {};
    }
    const VoxelGrid grid = fitGrid(scene, scene.voxels.resolution, true);
    if (grid.size == glm::uvec3(0)) {
        return {};
    }
    try {
        findClosures(Primitives(scene, grid, false), scene.voxels.surface, Coverage::Conservative);
    } catch (const ConflictError& error) {
        return {error.conflict()};
    }
    return {};
}

} // namespace aureole
