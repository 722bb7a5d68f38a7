#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "voxel/build/branch.h"
#include "voxel/build/stored_bytes.h"
#include "voxel/build/voxel_block.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Builds an octree from its blocks in the order of codes, in one pass and in memory that does not grow with their
/// number beyond the arrays themselves. What is full and inside a solid is held back until it is known whether its
/// parent is full too.
class OctreeBuilder {
public:
    /// `encoding` is one of trees, planes and fields; a DAG is made of a finished tree. `budget` outlives this.
    OctreeBuilder(const VoxelGrid& grid, MemoryBudget& budget, Coverage coverage = Coverage::Conservative,
                  OctreeEncoding encoding = OctreeEncoding::Tree);

    /// Adds a block, each with a code above the one before and a mask that is not 0; returns the number of its first
    /// attributes. Throws Error: Internal where it is not so, OutOfMemory where an
    /// octree's indices could not count it.
    std::uint64_t addBlock(const VoxelBlock& block);
    /// Makes room for so many leaves of branches; false where there is no memory for them.
    bool reserveLeaves(std::uint64_t count);
    /// Adds what makeBranch has made of the next blocks, of fewer levels than the octree has; as addBlock does, and not
    /// to planes, solids and shapes. Its leaves are not copied: the caller does that, on any thread, before it adds
    /// more leaves than there is room for.
    LeafPlaces addBranch(Branch& branch);
    /// Makes a shape: all voxels have these attributes, and none are added. To be called before the first block.
    void setShape(const shared::VoxelAttributes& attributes);
    /// Adds a cube of 4^cubeLevels voxels that are all inside a solid, in order with the blocks; `code` is in units of
    /// its size. Cubes and blocks that make up a node become one flagged node.
    void addInside(std::uint64_t code, std::uint32_t cubeLevels);
    /// Adds the attributes of the solid voxels, but those inside, of one or more blocks, block by block, bit by bit.
    void addAttributes(std::span<const shared::VoxelAttributes> attributes);
    /// Adds attributes that the caller writes before it adds others; null, and nothing is added, where there is no
    /// memory for so many.
    shared::VoxelAttributes* makeAttributes(std::uint64_t count);

    /// Adds as many slabs, to an octree of planes.
    void addSlabs(std::span<const shared::SurfaceSlab> slabs) { slabs_.append(slabs); }
    /// Adds the corners of those voxels, to a field.
    void addDistances(std::span<const shared::CornerDistances> distances) { distances_.append(distances); }
    /// Adds so many, which the caller writes before it adds others; null where there is no memory for them.
    shared::CornerDistances* makeDistances(std::uint64_t count) { return distances_.make(count); }

    bool empty() const { return nextCode_ == 0; }
    /// The number of the next block's first attributes.
    std::uint64_t nextAttributes() const { return onSurface_; }

    /// The octree, with its palettes and their runs, as MaterialRuns makes them, and the materials that these name.
    /// Throws Error (Internal) where there is not one attribute for each voxel, or, in a field, not the corners of
    /// each.
    Octree finish(std::vector<shared::VoxelMaterial> palette, std::vector<shared::MaterialRun> materialRuns,
                  std::vector<MaterialConstants> materials);

private:
    /// A node whose children are not complete yet.
    struct OpenNode {
        std::uint64_t code = 0; ///< in units of its own size
        std::uint64_t mask = 0; ///< 0 where none is open
        std::uint64_t firstChild = 0;
        SurfaceSum sum;
        std::uint32_t held = 0; ///< children that are full and not written, as the node may be full itself
    };

    /// Nodes of one height, with their averages.
    struct Level {
        explicit Level(MemoryBudget& budget)
            : nodes(budget)
            , averages(budget)
            , materials(budget) {}
        StoredArray<shared::OctreeNode> nodes;
        StoredArray<shared::VoxelAttributes> averages;
        StoredArray<AverageMaterial> materials;
    };

    OpenNode& openFor(std::size_t height, std::uint64_t code);
    void writeHeld(std::size_t height);
    bool planes() const { return encoding_ == OctreeEncoding::Planes; }
    bool countsAttributes() const { return !octree_.isShape || encoding_ == OctreeEncoding::Field; }
    void addPlanes(const VoxelBlock& block, std::uint32_t levels);
    void addLeaf(const VoxelBlock& block);
    void writeLeaf(const VoxelBlock& block);
    LeafPlaces makeLeaves(const Branch& branch);
    void noteLeaf(std::uint64_t index);
    void addNode(std::size_t height, std::uint64_t code, const shared::OctreeNode& node, const SurfaceSum& sum);
    void writeNode(Level& level, const shared::OctreeNode& node, const SurfaceSum& sum) const;
    void writeNode(std::size_t height, const shared::OctreeNode& node, const SurfaceSum& sum);
    void close(std::size_t height);
    Array<shared::OctreeNode> joinLevels();
    TreeEncoding takeTree(Array<shared::OctreeNode> nodes);

    MemoryBudget* budget_;
    Octree octree_; ///< without its arrays and its encoding until the end
    OctreeEncoding encoding_;
    std::vector<OpenNode> open_;  ///< by height over the leaves, the last is the root
    std::vector<Level> finished_; ///< by height over the leaves
    Level lowest_;                ///< of planes: below those, in place of leaves
    StoredArray<shared::uvec2> leaves_;
    StoredArray<shared::uvec2> surfaces_;
    StoredArray<std::uint32_t> leafOffsets_;
    StoredArray<std::uint64_t> leafGroups_;
    StoredArray<shared::VoxelAttributes> leafAverages_;
    StoredArray<AverageMaterial> leafMaterials_;
    StoredArray<shared::VoxelAttributes> attributes_;
    StoredArray<shared::CornerDistances> distances_;
    StoredArray<shared::SurfaceSlab> slabs_;
    std::uint64_t nextCode_ = 0;
    std::uint64_t onSurface_ = 0;  ///< voxels with attributes
    std::uint64_t groupStart_ = 0; ///< of those, before the current group of leaves
};

} // namespace aureole
