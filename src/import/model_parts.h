#pragma once

// What a model places many times: the parts that its octrees may share.

#include <cstdint>
#include <span>
#include <vector>

#include "import/import.h"

namespace aureole {

/// Something that a model places at least twice, in its own coordinates.
struct ModelPart {
    std::vector<MeshInstance> meshInstances;
    std::vector<VoxelInstance> voxelInstances;
    std::vector<glm::dmat4> placements; ///< modelFromPart
};

/// A model taken apart.
struct ModelParts {
    std::vector<ModelPart> shared;
    std::vector<MeshInstance> meshInstances; ///< all that is placed once
    std::vector<VoxelInstance> voxelInstances;
};

/// Takes apart what some instances place: meshes that follow each other in one place are one thing, such as the
/// primitives of a mesh of glTF, and so are things that always come one after the other in the same place to each
/// other, such as the nodes of a tree. Points and level sets stay as they are, and so does what a matrix makes flat or
/// so small beside the rest that rays of single precision would pass by it. Indices of instances are those of the
/// arrays.
ModelParts partsOf(std::span<const Mesh> meshes, std::span<const VoxelModel> voxelModels,
                   std::span<const MeshInstance> meshInstances, std::span<const VoxelInstance> voxelInstances);

/// A model whose parts are shared by themselves places so many times the triangles and solid cells that it holds.
inline constexpr std::uint64_t kSharedRepeats = 16;
/// And it has at most so many parts: each takes work of its own.
inline constexpr std::size_t kMostSharedParts = 1024;

/// Whether sharing a model's parts pays: placed in one octree, its triangles and solid cells would be kSharedRepeats
/// times as many as in octrees of their own, so that the memory would be too, while rays through octrees that are
/// shared take up to three times as long (tests/bench/record/octrees.md).
bool paysToShare(const ImportedModel& model);

} // namespace aureole
