#pragma once

// Voxel models as input of voxelisation: their exposed cells, resampled to the grid.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scene/scene.h"
#include "voxel/build/coverage.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// A solid cell of a model with at least one face that is seen: next to an empty cell (beyond the model's border all is
/// empty), or of an opaque cell next to one of glass, or next to one of another solid glass. Or any cell of glass,
/// since rays go through it.
struct ExposedCell {
    glm::uvec3 cell{0};
    std::uint32_t faces = 0; ///< bit 2 * axis + (1 for the positive side) for each exposed face
};

/// The exposed cells in the order of the model's cells, of a level set those that its surface goes through, as if they
/// had no face; `materials` are the scene's. Before there is memory for them,
/// `announce` is told how many they are, and may throw.
std::vector<ExposedCell> exposedCells(const VoxelModel& model, std::span<const Material> materials,
                                      const std::function<void(std::size_t count)>& announce = {});

/// From grid coordinates (in voxels) to those of a model, and back.
struct ModelTransform {
    glm::dmat4 modelFromGrid{1.0};
    glm::dmat4 gridFromModel{1.0};
};

ModelTransform modelTransform(const VoxelGrid& grid, const VoxelInstance& instance);

/// The voxels of one exposed cell: those whose centre lies in it, and the one in which its own centre lies. The first
/// leaves no gap where cells are larger than voxels, the second none where they are smaller; a cell that coincides with
/// a voxel gives just that voxel. Of a cell of a level set all voxels that it may reach into: which of them have
/// surface the distances tell (level_set_lattice.h).
class CellCoverage {
public:
    CellCoverage(const VoxelGrid& grid, const ModelTransform& transform, const glm::uvec3& cell, bool ofLevelSet);

    /// As TriangleCoverage::mask; above the size of voxels by the bounds alone.
    std::uint64_t mask(const CellCube& cube) const;

private:
    bool contains(const glm::ivec3& voxel) const;

    glm::dmat4 modelFromGrid_;
    glm::ivec3 cell_;
    glm::ivec3 home_{0}; ///< the voxel of the cell's centre
    glm::ivec3 low_{0};
    glm::ivec3 high_{0};
    bool ofLevelSet_;
};

} // namespace aureole
