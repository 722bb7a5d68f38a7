#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scene/scene.h"
#include "voxel/build/brick.h"
#include "voxel/build/build.h"
#include "voxel/build/material_runs.h"
#include "voxel/build/octree_builder.h"
#include "voxel/build/solid_fill.h"
#include "voxel/surface/field_signs.h"

namespace aureole {

/// Makes an octree of what bricks have, in their order.
class BrickCollector {
public:
    /// `fills`: the inside of closed meshes is solid.
    BrickCollector(const Scene& scene, const VoxelGrid& grid, MemoryBudget& budget, const VoxelizeOptions& options,
                   std::uint32_t brickLevels, bool fills);

    /// Appends bricks that follow each other. What hangs on those before goes brick by brick; leaves and attributes,
    /// which are most of the bytes, are copied by several cores afterwards.
    void append(std::span<const Brick> places, std::span<BrickVoxels> bricks);

    VoxelizedScene finish(const Scene& scene);
    bool empty() const { return builder_.empty(); }

private:
    /// What is to be copied of a brick yet.
    struct Appended {
        LeafPlaces leaves;                  ///< of its branch
        std::vector<std::uint32_t> numbers; ///< of the octree for the materials within the brick; empty: the same
    };

    /// All but the attributes, and the leaves of a branch.
    Appended appendBlocks(std::uint64_t code, BrickVoxels& brick);
    static void copyAttributes(const BrickVoxels& brick, std::span<const std::uint32_t> numbers,
                               shared::VoxelAttributes* to);
    void addFields(std::span<const Brick> places, std::span<BrickVoxels> bricks);
    void addSomeFields(std::span<const Brick> places, std::span<BrickVoxels> bricks);

    std::uint32_t brickLevels_;
    StoredArray<EmittingArea> emitting_;        ///< of the voxels that emit
    std::vector<std::uint64_t> emittingBricks_; ///< codes of the bricks that have such
    OctreeBuilder builder_;
    MaterialRuns runs_;
    std::optional<std::vector<shared::VoxelMaterial>> shape_; ///< the palette of a shape alone
    std::optional<SolidFill> fill_;
    std::optional<FieldSigns> signs_;
    std::optional<FieldSigns> opaqueSigns_; ///< of opaque meshes alone, for the voxels that are of these
    // Of the bricks at hand, as the builder takes them, where it has no memory for them.
    std::vector<shared::VoxelAttributes> attributes_;
    std::vector<shared::CornerDistances> distances_;
};

} // namespace aureole
