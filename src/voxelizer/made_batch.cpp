#include "voxelizer/made_batch.h"

#include <algorithm>

#include "voxel/build/material_runs.h"
#include "voxel/surface/plane_brick.h"
#include "voxel/tree/octree_walk.h"

namespace aureole::voxelizer {

namespace {

VoxelBlock blockOf(const shared::VoxelLeaf& leaf, std::uint64_t code) {
    VoxelBlock block;
    block.code = code;
    block.mask = wholeMask(leaf.mask);
    block.sum = SurfaceSum(leaf.sum);
    block.average = LeafAverage{leaf.average, {leaf.emission, leaf.material}};
    return block;
}

/// Takes voxels from `first` up to `end`: where they stand, if their materials can be numbered.
void takeVoxels(const MadeBatch& batch, std::size_t first, std::size_t end, BrickVoxels& made) {
    made.numbered = batch.attributes.subspan(first, end - first);
    if (batch.materials.empty() && batch.emitting.empty()) {
        return;
    }
    const std::size_t count = end - first;
    const auto materialOf = [&](std::size_t i) { return batch.materialOf(first + i); };
    for (std::size_t i = 0; made.plain && i < count; ++i) {
        made.plain = isPlain(materialOf(i));
    }
    if (made.plain) {
        return;
    }
    made.materials = numberWithin(
        count, materialOf, [&](std::size_t i) -> shared::VoxelAttributes& { return batch.attributes[first + i]; });
    if (made.materials.empty()) { // they are too many
        for (std::size_t i = 0; i < count; ++i) {
            made.voxels.push_back({made.numbered[i], materialOf(i)});
        }
        made.numbered = {};
    }
    const auto emits = [](const shared::VoxelMaterial& material) { return material.emission != glm::vec3(0.0F); };
    const bool mayEmit = made.materials.empty() || std::any_of(made.materials.begin(), made.materials.end(), emits);
    for (std::size_t i = first; mayEmit && !batch.emitting.empty() && i < end; ++i) {
        if (emits(batch.materialOf(i))) {
            made.emitting.push_back({batch.emitting[i].area, batch.emitting[i].share});
        }
    }
}

} // namespace

BrickVoxels brickOf(const MadeBatch& batch, const BrickLeaves& brick) {
    BrickVoxels made;
    made.blocks.reserve(brick.end - brick.first);
    for (std::size_t i = brick.first; i < brick.end; ++i) {
        const shared::VoxelLeaf& leaf = batch.leaves[i];
        VoxelBlock block = blockOf(leaf, brick.firstBlock + (leaf.key & brick.cellMask));
        if (block.mask != 0) { // thin coverage leaves some without
            made.blocks.push_back(block);
        }
    }
    const auto voxelsBefore = [&](std::size_t leaf) {
        return leaf < batch.leaves.size() ? batch.leaves[leaf].firstVoxel : batch.attributes.size();
    };
    const std::size_t voxelsFirst = voxelsBefore(brick.first);
    const std::size_t voxelsEnd = voxelsBefore(brick.end);
    takeVoxels(batch, voxelsFirst, voxelsEnd, made);
    if (!batch.distances.empty()) {
        made.distances = batch.distances.subspan(voxelsFirst, voxelsEnd - voxelsFirst);
    }
    return made;
}

std::uint64_t MadeBatch::pointsOf(const BrickLeaves& brick) const {
    std::uint64_t points = 0;
    for (std::size_t i = brick.first; i < brick.end && !planes.empty(); ++i) {
        points += planes[0][i].points;
    }
    return points;
}

namespace {

/// Cuts a brick of planes out of its batch.
class PlaneCutter {
public:
    PlaneCutter(const MadeBatch& batch, const BrickLeaves& brick)
        : batch_(batch)
        , brick_(brick) {}

    BrickVoxels cut() {
        for (std::size_t i = brick_.first; i < brick_.end;) {
            const std::uint32_t levels = mergedAt(i);
            levels > 0 ? addMerged(i, levels) : addVoxels(i);
            i = levels > 0 ? batch_.planes[levels - 1][i].end : i + 1;
        }
        if (!made_.plain) {
            made_.materials = numberWithin(made_.voxels);
        }
        return std::move(made_);
    }

private:
    /// The levels of the largest plane that begins with a leaf; 0 where none does.
    std::uint32_t mergedAt(std::size_t leaf) const {
        auto levels = static_cast<std::uint32_t>(batch_.planes.size());
        while (levels > 0 && batch_.planes[levels - 1][leaf].end == 0) {
            --levels;
        }
        return levels;
    }

    /// A part of the brick, all of which has become planes below the topmost level.
    VoxelBlock partAt(std::size_t leaf, std::uint32_t levels) const {
        const std::uint64_t code = brick_.firstBlock + (batch_.leaves[leaf].key & brick_.cellMask);
        VoxelBlock part;
        part.code = code >> (6U * (levels - 1));
        part.merged = levels;
        if (levels == 1) {
            part.mask = wholeMask(batch_.leaves[leaf].mask);
            part.sum = SurfaceSum(batch_.leaves[leaf].sum);
            return part;
        }
        for (std::size_t i = leaf; i < batch_.planes[levels - 1][leaf].end; i = batch_.planes[levels - 2][i].end) {
            const VoxelBlock child = partAt(i, levels - 1);
            part.mask |= std::uint64_t{1} << (child.code & 63U);
            part.sum.add(child.sum);
        }
        return part;
    }

    void addMerged(std::size_t leaf, std::uint32_t levels) {
        made_.blocks.push_back(partAt(leaf, levels));
        const shared::PlaneCell& plane = batch_.planes[levels - 1][leaf];
        // All voxels are of one material.
        addPlane(plane.attributes, {glm::vec3(0.0F), batch_.materialOf(batch_.leaves[leaf].firstVoxel).material},
                 plane.slab, {}, made_);
    }

    void addVoxels(std::size_t leaf) {
        made_.blocks.push_back(partAt(leaf, 1));
        made_.blocks.back().merged = 0;
        const std::size_t first = batch_.leaves[leaf].firstVoxel;
        for (std::size_t i = first; i < first + shared::maskCount(batch_.leaves[leaf].mask); ++i) {
            const EmittingArea emitting = batch_.emitting.empty()
                                              ? EmittingArea()
                                              : EmittingArea{batch_.emitting[i].area, batch_.emitting[i].share};
            addPlane(batch_.attributes[i], batch_.materialOf(i), batch_.slabs[i], emitting, made_);
        }
    }

    const MadeBatch& batch_;
    BrickLeaves brick_;
    BrickVoxels made_;
};

} // namespace

BrickVoxels planesOf(const MadeBatch& batch, const BrickLeaves& brick) {
    return PlaneCutter(batch, brick).cut();
}

} // namespace aureole::voxelizer
