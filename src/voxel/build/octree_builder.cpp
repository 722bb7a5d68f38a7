#include "voxel/build/octree_builder.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/divide_up.h"
#include "core/error.h"
#include "shared/octree/attributes.h"
#include "voxel/build/build.h"
#include "voxel/build/grid.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{OCTREE_CHUNKS} << OCTREE_NODE_CHUNK_SHIFT;
constexpr std::uint64_t kMaxLeaves = std::uint64_t{OCTREE_CHUNKS} << OCTREE_LEAF_CHUNK_SHIFT;
constexpr std::uint64_t kMaxVoxels = std::uint64_t{OCTREE_ATTRIBUTE_CHUNKS} << OCTREE_ATTRIBUTE_CHUNK_SHIFT;

/// What the nodes of planes can number with 32 bits.
constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 32U;

constexpr std::uint64_t kFull = ~std::uint64_t{0}; ///< the mask of a block with all voxels

constexpr shared::OctreeNode kFullNode = {~0U, ~0U, 0, OCTREE_NODE_FULL};

/// An octree's indices have 32 bits and its arrays a limited number of chunks.
void checkIndexable(std::uint64_t count, std::uint64_t limit, const char* what) {
    if (count > limit) {
        fail(ExitCode::OutOfMemory, "the octree would have more {} than the largest number of {}; lower the resolution",
             what, limit);
    }
}

/// Appends values, or only makes places for them, which it returns, where there is memory.
template <typename T>
T* makeOrAppend(StoredArray<T>& array, const std::vector<T>& values) {
    T* const places = array.make(values.size());
    if (places == nullptr) {
        array.append(values);
    }
    return places;
}

} // namespace

LeafAverage averageLeaf(const SurfaceSum& sum) {
    return {averageAttributes(sum), averageMaterial(sum)};
}

OctreeBuilder::OctreeBuilder(const VoxelGrid& grid, MemoryBudget& budget, Coverage coverage, OctreeEncoding encoding)
    : budget_(&budget)
    , encoding_(encoding)
    , lowest_(budget)
    , leaves_(budget)
    , surfaces_(budget)
    , leafOffsets_(budget)
    , leafGroups_(budget)
    , leafAverages_(budget)
    , leafMaterials_(budget)
    , attributes_(budget)
    , distances_(budget)
    , slabs_(budget) {
    octree_.grid = grid;
    octree_.levels = octreeLevels(grid.size);
    octree_.coverage = coverage;
    open_.resize(octree_.levels - 1);
    for (std::size_t i = 0; i < open_.size(); ++i) {
        finished_.emplace_back(budget);
    }
}

void OctreeBuilder::setShape(const shared::VoxelAttributes& attributes) {
    if (planes() || !empty()) {
        fail(ExitCode::Internal, "octree: found planes, or blocks already, expected a shape of cubes or a field");
    }
    octree_.isShape = true;
    attributes_.append(std::span(&attributes, 1));
}

std::uint64_t OctreeBuilder::addBlock(const VoxelBlock& block) {
    const bool solid = octree_.coverage == Coverage::Solid;
    const std::uint32_t levels = std::max(block.merged, 1U);
    if (block.mask == 0 || block.code << (6U * (levels - 1)) < nextCode_ || (block.inside & ~block.mask) != 0 ||
        (block.inside != 0 && !solid) || (block.merged != 0 && !planes())) {
        fail(ExitCode::Internal, "octree: block {:#x} is empty or out of order", block.code);
    }
    if (levels >= octree_.levels || block.code >> (6U * (octree_.levels - levels)) != 0) {
        fail(ExitCode::Internal, "octree: block {:#x} lies outside a grid of {} levels", block.code, octree_.levels);
    }
    nextCode_ = (block.code + 1) << (6U * (levels - 1));
    octree_.voxels += block.merged != 0 ? 1 : static_cast<std::uint64_t>(std::popcount(block.mask));
    const std::uint64_t first = onSurface_;
    if (planes()) {
        addPlanes(block, levels);
    } else {
        addLeaf(block);
    }
    return first;
}

/// Adds a node of planes whose voxels, or itself, are the next cells.
void OctreeBuilder::addPlanes(const VoxelBlock& block, std::uint32_t levels) {
    const std::uint64_t cells = block.merged != 0 ? 1 : static_cast<std::uint64_t>(std::popcount(block.mask));
    checkIndexable(onSurface_ + cells, kMaxCells, "planes");
    const shared::uvec2 halves = halvesOf(block.mask);
    const shared::OctreeNode node = {halves.x, halves.y, static_cast<std::uint32_t>(onSurface_),
                                     block.merged != 0 ? OCTREE_NODE_TERMINAL : 0U};
    onSurface_ += cells;
    if (levels > 1) {
        addNode(levels - 1, block.code, node, block.sum);
        return;
    }
    OpenNode& parent = openFor(0, block.code);
    writeNode(lowest_, node, block.sum);
    parent.sum.add(block.sum);
}

void OctreeBuilder::addInside(std::uint64_t code, std::uint32_t cubeLevels) {
    const std::uint64_t first = code << (6U * (cubeLevels - 1));
    if (octree_.coverage != Coverage::Solid || cubeLevels < 1 || cubeLevels >= octree_.levels || first < nextCode_ ||
        code >> (6U * (octree_.levels - cubeLevels)) != 0) {
        fail(ExitCode::Internal, "octree: cube {:#x} of level {} is out of place", code, cubeLevels);
    }
    nextCode_ = first + (std::uint64_t{1} << (6U * (cubeLevels - 1)));
    octree_.voxels += std::uint64_t{1} << (6U * cubeLevels);
    if (cubeLevels == 1) {
        addLeaf({code, kFull, kFull});
    } else {
        addNode(cubeLevels - 1, code, kFullNode, {});
    }
}

/// The open node at `height` for a child with `code`, in units of the child's size. Closes what came before.
OctreeBuilder::OpenNode& OctreeBuilder::openFor(std::size_t height, std::uint64_t code) {
    for (std::size_t below = 0; below < height; ++below) {
        if (open_[below].mask != 0) {
            close(below);
        }
    }
    if (open_[height].mask != 0 && open_[height].code != code >> 6U) {
        close(height);
    }
    OpenNode& node = open_[height];
    if (node.mask == 0) {
        node = {code >> 6U,
                0,
                height == 0 ? leaves_.size() + lowest_.nodes.size() : finished_[height - 1].nodes.size(),
                {},
                0};
    }
    node.mask |= std::uint64_t{1} << (code & 63U);
    return node;
}

/// Writes the full children of the open node at `height` that were held back.
void OctreeBuilder::writeHeld(std::size_t height) {
    for (; open_[height].held > 0; --open_[height].held) {
        if (height == 0) {
            writeLeaf({0, kFull, kFull});
        } else {
            writeNode(height - 1, kFullNode, {});
        }
    }
}

void OctreeBuilder::addLeaf(const VoxelBlock& block) {
    OpenNode& node = openFor(0, block.code);
    if (block.inside == kFull && node.held + 1 == static_cast<std::uint32_t>(std::popcount(node.mask))) {
        ++node.held;
        return;
    }
    writeHeld(0);
    writeLeaf(block);
    node.sum.add(block.sum);
}

/// Notes the attributes before a leaf, where leaves are counted from it.
void OctreeBuilder::noteLeaf(std::uint64_t index) {
    if ((index & ((std::uint64_t{1} << OCTREE_LEAF_GROUP_SHIFT) - 1)) == 0) {
        groupStart_ = onSurface_;
        leafGroups_.append(onSurface_);
    }
    if ((index & OCTREE_LEAF_LINE_LAST) == 0) {
        leafOffsets_.append(static_cast<std::uint32_t>(onSurface_ - groupStart_));
    }
}

void OctreeBuilder::writeLeaf(const VoxelBlock& block) {
    const std::uint64_t index = leaves_.size();
    checkIndexable(index + 1, kMaxLeaves, "leaves");
    leaves_.append(halvesOf(block.mask));
    if (countsAttributes()) {
        noteLeaf(index);
        if (octree_.coverage == Coverage::Solid) {
            surfaces_.append(halvesOf(block.mask & ~block.inside));
        }
    }
    if (!octree_.isShape) {
        const LeafAverage average = block.average ? *block.average : averageLeaf(block.sum);
        leafAverages_.append(average.attributes);
        leafMaterials_.append(average.material);
    }
    onSurface_ += static_cast<std::uint64_t>(std::popcount(block.mask & ~block.inside));
}

bool OctreeBuilder::reserveLeaves(std::uint64_t count) {
    return leaves_.reserve(count) && leafAverages_.reserve(count) && leafMaterials_.reserve(count);
}

LeafPlaces OctreeBuilder::makeLeaves(const Branch& branch) {
    const std::uint64_t first = leaves_.size();
    const std::uint64_t before = onSurface_;
    checkIndexable(first + branch.leaves.size(), kMaxLeaves, "leaves");
    constexpr std::uint64_t kLine = OCTREE_LEAF_LINE_LAST + 1;
    for (std::uint64_t leaf = roundUp(first, kLine); leaf < first + branch.leaves.size(); leaf += kLine) {
        onSurface_ = before + branch.voxelsBefore[leaf - first];
        noteLeaf(leaf);
    }
    onSurface_ = before + branch.voxels;
    return {makeOrAppend(leaves_, branch.leaves), makeOrAppend(leafAverages_, branch.leafAverages),
            makeOrAppend(leafMaterials_, branch.leafMaterials)};
}

LeafPlaces OctreeBuilder::addBranch(Branch& branch) {
    const std::size_t height = branch.levels.size(); // of its top over the leaves
    const std::uint64_t code = branch.firstBlock >> (6U * (height + 1));
    if (planes() || octree_.isShape || octree_.coverage == Coverage::Solid || height + 1 >= open_.size() ||
        branch.firstBlock < nextCode_ || branch.lastBlock >> (6U * (octree_.levels - 1)) != 0) {
        fail(ExitCode::Internal, "octree: branch of block {:#x} is out of place", branch.firstBlock);
    }
    nextCode_ = branch.lastBlock + 1;
    octree_.voxels += branch.voxels;
    OpenNode& parent = openFor(height + 1, code);
    auto firstChild = static_cast<std::uint32_t>(leaves_.size());
    const LeafPlaces leaves = makeLeaves(branch);
    for (std::size_t below = 0; below < height; ++below) {
        Level& level = finished_[below];
        BranchLevel& added = branch.levels[below];
        for (shared::OctreeNode& node : added.nodes) {
            node.firstChild += firstChild;
        }
        firstChild = static_cast<std::uint32_t>(level.nodes.size());
        checkIndexable(level.nodes.size() + added.nodes.size(), kMaxNodes, "nodes");
        level.nodes.append(added.nodes);
        level.averages.append(added.averages);
        level.materials.append(added.materials);
    }
    branch.top.firstChild += firstChild;
    writeNode(height, branch.top, branch.sum);
    parent.sum.add(branch.sum);
    return leaves;
}

/// Adds a node to the open node at `height`, one above its own.
void OctreeBuilder::addNode(std::size_t height, std::uint64_t code, const shared::OctreeNode& node,
                            const SurfaceSum& sum) {
    OpenNode& parent = openFor(height, code);
    if (node.flags == OCTREE_NODE_FULL && parent.held + 1 == static_cast<std::uint32_t>(std::popcount(parent.mask))) {
        ++parent.held;
        return;
    }
    writeHeld(height);
    writeNode(height - 1, node, sum);
    parent.sum.add(sum);
}

void OctreeBuilder::writeNode(Level& level, const shared::OctreeNode& node, const SurfaceSum& sum) const {
    checkIndexable(level.nodes.size() + 1, kMaxNodes, "nodes");
    level.nodes.append(node);
    if (octree_.isShape) {
        return;
    }
    level.averages.append(averageAttributes(sum));
    level.materials.append(averageMaterial(sum));
}

void OctreeBuilder::writeNode(std::size_t height, const shared::OctreeNode& node, const SurfaceSum& sum) {
    writeNode(finished_[height], node, sum);
}

/// Finishes the open node at `height`, whose children are complete.
void OctreeBuilder::close(std::size_t height) {
    const bool root = height + 1 == open_.size();
    const bool full = open_[height].held == 64 && !root;
    if (!full) {
        writeHeld(height);
    }
    const OpenNode open = std::exchange(open_[height], {});
    const shared::uvec2 halves = halvesOf(open.mask);
    const shared::OctreeNode node =
        full ? kFullNode : shared::OctreeNode{halves.x, halves.y, static_cast<std::uint32_t>(open.firstChild), 0};
    if (root) {
        writeNode(height, node, open.sum);
    } else {
        addNode(height + 1, open.code, node, open.sum);
    }
}

void OctreeBuilder::addAttributes(std::span<const shared::VoxelAttributes> attributes) {
    checkIndexable(attributes_.size() + attributes.size(), kMaxVoxels, "voxels");
    attributes_.append(attributes);
}

shared::VoxelAttributes* OctreeBuilder::makeAttributes(std::uint64_t count) {
    checkIndexable(attributes_.size() + count, kMaxVoxels, "voxels");
    return attributes_.make(count);
}

/// All levels in one array, the root first; what counted from a level's own start now counts from that of the array.
/// The octree gets the averages of the nodes.
Array<shared::OctreeNode> OctreeBuilder::joinLevels() {
    std::vector<Level*> levels;
    for (std::size_t height = finished_.size(); height-- > 0;) {
        levels.push_back(&finished_[height]);
    }
    if (planes()) {
        levels.push_back(&lowest_);
    }
    std::uint64_t total = 0;
    for (const Level* level : levels) {
        total += level->nodes.size();
    }
    checkIndexable(total, kMaxNodes, "nodes");
    Level joined(*budget_);
    std::uint64_t childLevel = 0;
    for (Level* const level : levels) {
        const bool lowest = level == levels.back(); // has leaves, or attributes
        const Array<shared::OctreeNode> nodes = level->nodes.take();
        childLevel += nodes.size();
        for (shared::OctreeNode node : nodes) {
            node.firstChild += lowest || node.flags != 0 ? 0 : static_cast<std::uint32_t>(childLevel);
            joined.nodes.append(node);
        }
        joined.averages.append(level->averages.take());
        joined.materials.append(level->materials.take());
    }
    octree_.nodeAverages = joined.averages.take();
    octree_.nodeMaterials = joined.materials.take();
    return joined.nodes.take();
}

TreeEncoding OctreeBuilder::takeTree(Array<shared::OctreeNode> nodes) {
    TreeEncoding tree;
    tree.nodes = std::move(nodes);
    tree.leaves = leaves_.take();
    tree.surfaces = surfaces_.take();
    tree.leafOffsets = leafOffsets_.take();
    tree.leafGroups = leafGroups_.take();
    return tree;
}

Octree OctreeBuilder::finish(std::vector<shared::VoxelMaterial> palette, std::vector<shared::MaterialRun> materialRuns,
                             std::vector<MaterialConstants> materials) {
    if (attributes_.size() != (octree_.isShape ? 1 : onSurface_)) {
        fail(ExitCode::Internal, "octree: {} voxels but {} attributes", onSurface_, attributes_.size());
    }
    if (slabs_.size() != (planes() ? onSurface_ : 0)) {
        fail(ExitCode::Internal, "octree: {} voxels but {} slabs", onSurface_, slabs_.size());
    }
    if (distances_.size() != (encoding_ == OctreeEncoding::Field ? onSurface_ : 0)) {
        fail(ExitCode::Internal, "octree: {} voxels but {} corner distances", onSurface_, distances_.size());
    }
    if (palette.empty() || !isPlain(palette[0])) {
        fail(ExitCode::Internal, "octree: the palette's first entry is not material 0 without emission");
    }
    for (const shared::VoxelMaterial& entry : palette) {
        if (entry.material >= materials.size()) {
            fail(ExitCode::Internal, "octree: found material {} of {}", entry.material, materials.size());
        }
    }
    if (empty()) {
        writeNode(finished_.size() - 1, {0, 0, 0, 0}, {});
    } else {
        for (std::size_t height = 0; height < open_.size(); ++height) {
            if (open_[height].mask != 0) {
                close(height);
            }
        }
    }
    Array<shared::OctreeNode> nodes = joinLevels();
    if (planes()) {
        octree_.encoding = PlanesEncoding{std::move(nodes), slabs_.take()};
    } else if (encoding_ == OctreeEncoding::Field) {
        octree_.encoding = FieldEncoding{takeTree(std::move(nodes)), distances_.take()};
    } else {
        octree_.encoding = takeTree(std::move(nodes));
    }
    octree_.attributes = attributes_.take();
    octree_.leafAverages = leafAverages_.take();
    octree_.leafMaterials = leafMaterials_.take();
    if (palette.size() == 1) {
        octree_.leafMaterials = {};
        octree_.nodeMaterials = {};
    }
    octree_.palette = std::move(palette);
    octree_.materials = std::move(materials);
    octree_.materialRuns = std::move(materialRuns);
    return std::move(octree_);
}

Octree buildOctree(const VoxelGrid& grid, const std::vector<VoxelBlock>& blocks,
                   std::vector<shared::VoxelAttributes> attributes, std::vector<shared::VoxelMaterial> palette,
                   std::vector<MaterialConstants> materials) {
    MemoryBudget unlimited;
    OctreeBuilder builder(grid, unlimited);
    std::size_t first = 0;
    for (const VoxelBlock& block : blocks) {
        const std::size_t end =
            std::min(attributes.size(), first + static_cast<std::size_t>(std::popcount(block.mask)));
        VoxelBlock summed = block;
        for (; first < end; ++first) {
            const shared::VoxelSurface surface = shared::unpackAttributes(attributes[first]);
            summed.sum.add(surface, surface.material < palette.size() ? palette[surface.material] : kPlainMaterial,
                           1.0);
        }
        builder.addBlock(summed);
    }
    builder.addAttributes(attributes);
    std::vector<shared::MaterialRun> runs = singleRun(palette.size());
    return builder.finish(std::move(palette), std::move(runs), std::move(materials));
}

} // namespace aureole
