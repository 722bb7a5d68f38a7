#pragma once

// Everything that voxelisation turns into voxels, numbered: the triangles of all mesh instances, then the exposed cells
// of all voxel model instances, those of level sets among them.

#include <cstdint>
#include <vector>

#include "scene/scene.h"
#include "voxel/build/coverage.h"
#include "voxel/build/model_cells.h"
#include "voxel/tree/octree.h"

namespace aureole {

struct TriangleId {
    std::uint32_t instance = 0; ///< in Scene::meshInstances
    std::uint32_t triangle = 0; ///< in its mesh
};

struct CellId {
    std::uint32_t instance = 0; ///< in Scene::voxelInstances
    const ExposedCell* cell = nullptr;
};

class Primitives {
public:
    /// Keeps references to both. `thin` asks for thin coverage of triangles. Throws Error (BadInput) for more than
    /// 2^32 - 1 primitives, and where they are more than a scene has memory for (scene/scene_memory.h).
    Primitives(const Scene& scene, const VoxelGrid& grid, bool thin);

    const Scene& scene() const { return scene_; }
    const VoxelGrid& grid() const { return grid_; }
    std::uint32_t count() const { return count_; }
    /// Bytes that these and the scene leave of the memory that a scene may take.
    std::uint64_t memoryLeft() const { return memoryLeft_; }
    bool isTriangle(std::uint32_t primitive) const { return primitive < triangles_; }

    TriangleId triangle(std::uint32_t primitive) const;
    CellId cell(std::uint32_t primitive) const;

    /// Whether any triangle or level set is of glass.
    bool hasGlass() const { return hasGlass_; }
    /// Whether it is a triangle, or a cell of a level set, of a material that lets light through.
    bool isGlass(std::uint32_t primitive) const {
        return hasGlass_ && (isTriangle(primitive) ? glass_[triangle(primitive).instance]
                                                   : isGlassLevelSet(cell(primitive).instance));
    }
    /// Whether a voxel instance is a level set of a material that lets light through.
    bool isGlassLevelSet(std::uint32_t instance) const { return glassLevelSets_[instance]; }
    /// The model of a voxel instance.
    const VoxelModel& model(std::uint32_t instance) const {
        return scene_.voxelModels[scene_.voxelInstances[instance].model];
    }

    /// A triangle's vertices on the lattice of 1/256 voxel. Those on the upper faces of the scene's bounds come to lie
    /// 1/256 voxel inside, so that they belong to the last voxels and not to ones outside the grid.
    SnappedTriangle snapped(const TriangleId& id) const;

    CellCoverage coverage(const CellId& id) const;
    const ModelTransform& transform(std::uint32_t instance) const { return transforms_[instance]; }

    /// Calls refine() with the coverage of a primitive.
    template <typename Emit>
    void refinePrimitive(std::uint32_t primitive, const CellCube& cube, int stopShift, const Emit& emit) const {
        if (isTriangle(primitive)) {
            refine(TriangleCoverage(snapped(triangle(primitive)), thin_), cube, stopShift, emit);
        } else {
            refine(coverage(cell(primitive)), cube, stopShift, emit);
        }
    }

private:
    void addCells(const VoxelModel& model, std::vector<ExposedCell>& cells);

    const Scene& scene_;
    const VoxelGrid& grid_;
    std::vector<std::uint64_t> triangleEnds_;     ///< per mesh instance: the number after its last primitive
    std::vector<std::uint64_t> cellEnds_;         ///< per voxel instance
    std::vector<std::vector<ExposedCell>> cells_; ///< per model
    std::vector<ModelTransform> transforms_;      ///< per voxel instance
    std::vector<bool> glass_;                     ///< per mesh instance
    std::vector<bool> glassLevelSets_;            ///< per voxel instance
    bool hasGlass_ = false;
    std::uint64_t memoryLeft_ = 0;
    std::uint32_t triangles_ = 0;
    std::uint32_t count_ = 0;
    bool thin_ = false;
};

} // namespace aureole
