#include "voxel/build/brick_collector.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "core/threads/beside.h"
#include "voxel/build/grid.h"
#include "voxel/build/lamp_light.h"
#include "voxel/build/shape_material.h"
#include "voxel/surface/level_set_lattice.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole {

namespace {

constexpr std::size_t kFieldsAtOnce = 256;

OctreeEncoding encodingOf(SurfaceKind surface) {
    return surface == SurfaceKind::Planes  ? OctreeEncoding::Planes
           : surface == SurfaceKind::Field ? OctreeEncoding::Field
                                           : OctreeEncoding::Tree;
}

/// Voxels that are numbered within some materials.
std::vector<SurfaceVoxel> withMaterials(std::span<const shared::VoxelAttributes> numbered,
                                        std::span<const shared::VoxelMaterial> materials) {
    std::vector<SurfaceVoxel> voxels;
    voxels.reserve(numbered.size());
    for (const shared::VoxelAttributes& attributes : numbered) {
        const std::uint32_t number = materialNumber(attributes);
        voxels.push_back({attributes, number == 0 ? kPlainMaterial : materials[number - 1]});
    }
    return voxels;
}

} // namespace

BrickCollector::BrickCollector(const Scene& scene, const VoxelGrid& grid, MemoryBudget& budget,
                               const VoxelizeOptions& options, std::uint32_t brickLevels, bool fills)
    : brickLevels_(brickLevels)
    , emitting_(budget)
    , builder_(grid, budget, fills ? Coverage::Solid : options.coverage, encodingOf(options.surface)) {
    if (options.surface == SurfaceKind::Field) {
        signs_.emplace(brickLevels);
        opaqueSigns_.emplace(brickLevels);
    }
    if (options.attributes == VoxelContent::None) {
        builder_.setShape(shapeAttributes(scene));
        shape_ = shapePalette(scene);
    }
    if (fills) {
        fill_.emplace(brickLevels, octreeLevels(grid.size));
    }
}

void BrickCollector::append(std::span<const Brick> places, std::span<BrickVoxels> bricks) {
    std::uint64_t leaves = 0;
    std::vector<std::uint64_t> before = {0};
    for (const BrickVoxels& brick : bricks) {
        leaves += brick.branch ? brick.branch->leaves.size() : 0;
        before.push_back(before.back() + brick.voxels.size() + brick.numbered.size());
    }
    const bool leavesInMemory = builder_.reserveLeaves(leaves);
    if (signs_) {
        addFields(places, bricks);
    }
    std::vector<Appended> appended;
    for (std::size_t i = 0; i < bricks.size(); ++i) {
        appended.push_back(appendBlocks(places[i].code, bricks[i]));
        if (bricks[i].branch && !leavesInMemory) { // before the next one's have them move
            copyLeaves(*bricks[i].branch, std::exchange(appended[i].leaves, {}));
        }
    }
    if (shape_) {
        return;
    }
    shared::VoxelAttributes* to = builder_.makeAttributes(before.back());
    const bool inMemory = to != nullptr;
    if (!inMemory) {
        attributes_.resize(before.back());
        to = attributes_.data();
    }
    forEachBeside(bricks.size(), [&](std::size_t i) {
        if (bricks[i].branch) {
            copyLeaves(*bricks[i].branch, appended[i].leaves);
        }
        copyAttributes(bricks[i], appended[i].numbers, to + before[i]);
    });
    if (!inMemory) {
        builder_.addAttributes(attributes_);
    }
    for (std::size_t i = 0; i < bricks.size(); ++i) {
        builder_.addSlabs(bricks[i].slabs);
        emitting_.append(bricks[i].emitting);
        if (!bricks[i].emitting.empty()) {
            emittingBricks_.push_back(places[i].code);
        }
    }
}

VoxelizedScene BrickCollector::finish(const Scene& scene) {
    std::vector<MaterialConstants> materials = makeOctreeMaterials(scene.materials);
    if (shape_) {
        return {builder_.finish(*shape_, singleRun(shape_->size()), std::move(materials)), {}};
    }
    std::vector<shared::MaterialRun> runs = runs_.takeRuns();
    Octree octree = builder_.finish(runs_.takePalette(), std::move(runs), std::move(materials));
    const Array<EmittingArea> areas = emitting_.take();
    std::vector<bool> unlit;
    std::transform(scene.materials.begin(), scene.materials.end(), std::back_inserter(unlit),
                   [](const Material& material) { return material.unlit; });
    std::vector<EmissiveVoxel> emissive = allEmissiveVoxels(octree, emittingBricks_, brickLevels_);
    matchLamps(octree, emissive, {areas.data(), areas.size()}, unlit, !scene.asset.empty());
    std::vector<EmissiveVoxel> reached = reachedOf(octree, std::move(emissive));
    if (reached.size() > kMostEmitters) {
        reached = {};
    }
    return {std::move(octree), std::move(reached)};
}

BrickCollector::Appended BrickCollector::appendBlocks(std::uint64_t code, BrickVoxels& brick) {
    if (fill_) {
        for (const SolidFill::Cube& cube : fill_->cubesBefore(code)) {
            builder_.addInside(cube.code, cube.levels);
        }
        brick.blocks = fill_->fillBrick(code, std::move(brick.crossings), brick.blocks);
    }
    Appended appended;
    appended.numbers = runs_.add(brick.materials);
    const bool byBlocks = !brick.plain && appended.numbers.empty() && !shape_;
    if (byBlocks && brick.voxels.empty()) {
        brick.voxels = withMaterials(brick.numbered, brick.materials);
        brick.numbered = {};
    }
    std::span<SurfaceVoxel> voxels(brick.voxels);
    if (brick.branch) {
        std::uint64_t number = builder_.nextAttributes();
        for (std::size_t i = 0; byBlocks && i < brick.branch->leaves.size(); ++i) {
            const std::size_t count = shared::maskCount(brick.branch->leaves[i]);
            runs_.assign(number, voxels.first(count));
            voxels = voxels.subspan(count);
            number += count;
        }
        appended.leaves = builder_.addBranch(*brick.branch);
        return appended;
    }
    for (const VoxelBlock& block : brick.blocks) {
        if (block.inside == ~std::uint64_t{0}) {
            builder_.addInside(block.code, 1);
            continue;
        }
        const std::uint64_t number = builder_.addBlock(block);
        if (byBlocks) {
            const std::size_t count =
                block.merged != 0 ? 1 : static_cast<std::size_t>(std::popcount(block.mask & ~block.inside));
            runs_.assign(number, voxels.first(count));
            voxels = voxels.subspan(count);
        }
    }
    return appended;
}

void BrickCollector::copyAttributes(const BrickVoxels& brick, std::span<const std::uint32_t> numbers,
                                    shared::VoxelAttributes* to) {
    const auto add = [&](const shared::VoxelAttributes& attributes) {
        *to = attributes;
        if (!numbers.empty()) {
            setMaterialNumber(*to, numbers[materialNumber(*to)]);
        }
        ++to;
    };
    for (const SurfaceVoxel& voxel : brick.voxels) {
        add(voxel.attributes);
    }
    for (const shared::VoxelAttributes& attributes : brick.numbered) {
        add(attributes);
    }
}

/// Adds the distances of bricks, with their signs; the rows of some at a time are held, 17 KB each.
void BrickCollector::addFields(std::span<const Brick> places, std::span<BrickVoxels> bricks) {
    for (std::size_t first = 0; first < bricks.size(); first += kFieldsAtOnce) {
        const std::size_t count = std::min(kFieldsAtOnce, bricks.size() - first);
        addSomeFields(places.subspan(first, count), bricks.subspan(first, count));
    }
}

void BrickCollector::addSomeFields(std::span<const Brick> places, std::span<BrickVoxels> bricks) {
    struct Field {
        FieldRows rows;
        FieldRows opaqueRows;
        std::uint64_t before = 0; ///< voxels of the bricks before it
        bool hasOpaque = false;
    };
    std::vector<Field> fields(bricks.size());
    std::uint64_t voxels = 0;
    for (std::size_t i = 0; i < bricks.size(); ++i) {
        const BrickVoxels& brick = bricks[i];
        Field& field = fields[i];
        field.rows = signs_->enter(places[i].code, brick.crossings);
        field.hasOpaque =
            !brick.opaqueCrossings.empty() || std::any_of(brick.fieldVoxels.begin(), brick.fieldVoxels.end(),
                                                          [](const FieldVoxel& voxel) { return voxel.ofOpaque; });
        if (field.hasOpaque) {
            field.opaqueRows = opaqueSigns_->enter(places[i].code, brick.opaqueCrossings);
        }
        field.before = std::exchange(voxels, voxels + brick.fieldVoxels.size() + brick.distances.size());
    }
    shared::CornerDistances* to = builder_.makeDistances(voxels);
    const bool inMemory = to != nullptr;
    if (!inMemory) {
        distances_.resize(voxels);
        to = distances_.data();
    }
    const auto add = [&](std::size_t i) {
        BrickVoxels& brick = bricks[i];
        const Field& field = fields[i];
        shared::CornerDistances* const own = to + field.before;
        if (!brick.distances.empty()) {
            signs_->turn(field.rows, brick.crossings, brick.blocks, brick.distances, own);
            return;
        }
        signs_->turn(field.rows, brick.crossings, brick.blocks, false, brick.fieldVoxels);
        if (field.hasOpaque) {
            opaqueSigns_->turn(field.opaqueRows, brick.opaqueCrossings, brick.blocks, true, brick.fieldVoxels);
        }
        for (std::size_t v = 0; v < brick.fieldVoxels.size(); ++v) {
            const shared::CornerDistances& distances = brick.fieldVoxels[v].distances;
            own[v] = brick.levelSets.empty() ? distances : unionOf(distances, brick.levelSets[v]);
        }
    };
    forEachBeside(bricks.size(), add);
    if (!inMemory) {
        builder_.addDistances(distances_);
    }
}

} // namespace aureole
