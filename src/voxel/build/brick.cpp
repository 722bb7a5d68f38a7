#include "voxel/build/brick.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/set_bits.h"
#include "shared/octree/attributes.h"
#include "voxel/build/material_runs.h"
#include "voxel/build/voxel_material.h"
#include "voxel/surface/block_sampler.h"
#include "voxel/surface/plane_brick.h"
#include "voxel/surface/surface_average.h"
#include "voxel/surface/surface_edges.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

/// About how many passes a brick may take: parts of a share of all fragments need no more memory than one byte for
/// each, where the list of primitives has eight.
constexpr std::size_t kMostParts = 16;

/// Calls emit(primitive, block within the brick, mask) in order of primitives.
template <typename Emit>
void coverBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick, const Emit& emit) {
    CellCube cube = bricks.cube(brick);
    cube.code = 0;
    for (const std::uint64_t entry : bricks.entries(brick)) {
        const std::uint32_t primitive = entryPrimitive(entry);
        primitives.refinePrimitive(primitive, cube, kSnapBits, [&](std::uint64_t block, std::uint64_t mask) {
            emit(primitive, static_cast<std::uint32_t>(block), mask);
        });
    }
}

std::size_t blocksPerBrick(const BrickList& bricks) {
    return std::size_t{1} << (6U * (bricks.brickLevels() - 1));
}

/// Fragments of consecutive blocks, block by block, those of a block in order of primitives.
struct SortedFragments {
    std::vector<Fragment> fragments;
    std::vector<std::size_t> starts; ///< per block from the first, and the end
};

/// Room for the fragments of blocks from `first` up to `end`, of which there are so many.
SortedFragments roomFor(const std::vector<std::size_t>& counts, std::size_t first, std::size_t end) {
    SortedFragments sorted;
    sorted.starts.push_back(0);
    for (std::size_t block = first; block < end; ++block) {
        sorted.starts.push_back(sorted.starts.back() + counts[block]);
    }
    sorted.fragments.resize(sorted.starts.back());
    return sorted;
}

SortedFragments sortByBlock(const std::vector<Fragment>& unsorted, const std::vector<std::size_t>& counts) {
    SortedFragments sorted = roomFor(counts, 0, counts.size());
    std::vector<std::size_t> next = sorted.starts;
    for (const Fragment& fragment : unsorted) {
        sorted.fragments[next[fragment.block]++] = fragment;
    }
    return sorted;
}

/// The voxels in which cells of voxel models are, and not triangles alone.
std::uint64_t cellsAmong(const Primitives& primitives, std::span<const Fragment> fragments) {
    std::uint64_t cells = 0;
    for (const Fragment& fragment : fragments) {
        cells |= primitives.isTriangle(fragment.primitive) ? 0 : fragment.mask;
    }
    return cells;
}

/// Notes of a block's surfaces, those of the voxels in `mask`, which have cells of voxel models in them.
void markCells(std::uint64_t mask, std::uint64_t cells, std::span<AverageSurface> surfaces) {
    std::size_t voxel = 0;
    for (const std::uint32_t bit : setBits(mask)) {
        surfaces[voxel].ofCells = ((cells >> bit) & 1U) != 0;
        ++voxel;
    }
}

class BrickBuilder {
public:
    BrickBuilder(const Primitives& primitives, const BrickList& bricks, const Brick& brick)
        : primitives_(primitives)
        , sampler_(primitives)
        , firstBlock_(brick.code * blocksPerBrick(bricks)) {}

    void addBlock(std::span<const Fragment> fragments) {
        const std::uint64_t code = firstBlock_ + fragments.front().block;
        const glm::ivec3 corner(codeCell(code) << 2U);
        samples_.clear();
        sampler_.append(fragments, corner, ~std::uint64_t{0}, samples_);
        const std::uint64_t mask = averageSamples(samples_, surfaces_);
        if (mask == 0) {
            return;
        }
        const std::uint64_t cells = cellsAmong(primitives_, fragments);
        markCells(mask, cells, surfaces_);
        if (const std::uint64_t found = creases(mask, surfaces_) & ~cells; found != 0) {
            // Few voxels are creases: only these are sampled with the corners of their triangles.
            samples_.clear();
            corners_.clear();
            sampler_.append(fragments, corner, found, samples_, &corners_);
            findEdges(samples_, corners_, mask, found, surfaces_);
        }
        VoxelBlock& block = voxels_.blocks.emplace_back(VoxelBlock{code, mask});
        for (const AverageSurface& surface : surfaces_) {
            addVoxel(surface, block.sum);
        }
        block.average = averageLeaf(block.sum);
    }

    BrickVoxels take() { return std::move(voxels_); }

private:
    void addVoxel(const AverageSurface& average, SurfaceSum& sum) {
        const shared::VoxelSurface surface = shared::surfaceOfAverage(average);
        const shared::VoxelMaterial material = materialOf(average);
        voxels_.voxels.push_back({shared::packAttributes(surface), material});
        voxels_.plain = voxels_.plain && isPlain(material);
        const bool emits = material.emission != glm::vec3(0.0F);
        sum.add(surface, emits ? meanMaterialOf(average) : material, average.area);
        if (emits) {
            voxels_.emitting.push_back(emittingAreaOf(average));
        }
    }

    const Primitives& primitives_;
    BlockSampler sampler_;
    std::uint64_t firstBlock_;
    std::vector<SurfaceSample> samples_;
    std::vector<SurfaceCorner> corners_;
    std::vector<AverageSurface> surfaces_;
    BrickVoxels voxels_;
};

/// Finds which voxels have surface that alpha testing leaves, and no more.
class ShapeBlocks {
public:
    ShapeBlocks(const Primitives& primitives, std::uint64_t firstBlock)
        : sampler_(primitives)
        , firstBlock_(firstBlock) {}

    void addBlock(std::span<const Fragment> fragments) {
        const std::uint64_t code = firstBlock_ + fragments.front().block;
        samples_.clear();
        sampler_.append(fragments, glm::ivec3(codeCell(code) << 2U), ~std::uint64_t{0}, samples_);
        std::uint64_t mask = 0;
        for (const SurfaceSample& sample : samples_) {
            mask |= std::uint64_t{1} << sample.bit;
        }
        if (mask != 0) {
            voxels_.blocks.push_back(VoxelBlock{code, mask});
        }
    }

    BrickVoxels take() { return std::move(voxels_); }

private:
    BlockSampler sampler_;
    std::uint64_t firstBlock_;
    std::vector<SurfaceSample> samples_;
    BrickVoxels voxels_;
};

/// Adds blocks to a brick of planes.
class PlaneBlocks {
public:
    PlaneBlocks(const Primitives& primitives, std::uint64_t firstBlock, double error, std::uint32_t maxLevels)
        : primitives_(primitives)
        , sampler_(primitives)
        , firstBlock_(firstBlock)
        , brick_(error, maxLevels) {}

    void addBlock(std::span<const Fragment> fragments) {
        const std::uint32_t block = fragments.front().block;
        const glm::ivec3 corner(codeCell(firstBlock_ + block) << 2U);
        samples_.clear();
        corners_.clear();
        const std::uint64_t whole = cellsAmong(primitives_, fragments);
        sampler_.append(fragments, corner, ~std::uint64_t{0}, samples_, &corners_);
        if (const std::uint64_t mask = averageSamples(samples_, surfaces_); mask != 0) {
            markCells(mask, whole, surfaces_);
            // An edge of glass is glass as a whole (voxel_glass.h).
            const std::uint64_t creased = creases(mask, surfaces_);
            const std::uint64_t ofGlass = creased & glassAmong(fragments);
            findEdges(samples_, corners_, mask, creased & ~whole & ~ofGlass, surfaces_);
            brick_.addBlock(block, mask, surfaces_, samples_, corners_, whole | ofGlass);
        }
    }

    BrickVoxels take() { return brick_.take(firstBlock_); }

private:
    std::uint64_t glassAmong(std::span<const Fragment> fragments) const {
        std::uint64_t glass = 0;
        for (const Fragment& fragment : fragments) {
            glass |= primitives_.isGlass(fragment.primitive) ? fragment.mask : 0;
        }
        return glass;
    }

    const Primitives& primitives_;
    BlockSampler sampler_;
    std::uint64_t firstBlock_;
    PlaneBrick brick_;
    std::vector<SurfaceSample> samples_;
    std::vector<SurfaceCorner> corners_;
    std::vector<AverageSurface> surfaces_;
};

/// Adds the blocks that have fragments, in order.
template <typename Builder>
void addBlocks(Builder& builder, const SortedFragments& sorted) {
    for (std::size_t block = 0; block + 1 < sorted.starts.size(); ++block) {
        const std::size_t first = sorted.starts[block];
        if (const std::size_t end = sorted.starts[block + 1]; end > first) {
            builder.addBlock(std::span(sorted.fragments).subspan(first, end - first));
        }
    }
}

/// Adds as many blocks at a time as fit, each time with all primitives again.
template <typename Builder>
void addInParts(Builder& builder, const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                const std::vector<std::size_t>& counts, std::size_t most) {
    for (std::size_t first = 0; first < counts.size();) {
        std::size_t end = first + 1;
        for (std::size_t held = counts[first]; end < counts.size() && held + counts[end] <= most; ++end) {
            held += counts[end];
        }
        SortedFragments part = roomFor(counts, first, end);
        std::vector<std::size_t> next = part.starts;
        coverBrick(primitives, bricks, brick, [&](std::uint32_t primitive, std::uint32_t block, std::uint64_t mask) {
            if (block >= first && block < end) {
                part.fragments[next[block - first]++] = {mask, primitive, block};
            }
        });
        addBlocks(builder, part);
        first = end;
    }
}

template <typename Builder>
BrickVoxels buildBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                       std::size_t fragmentsAtOnce, Builder&& builder) {
    std::vector<std::size_t> counts(blocksPerBrick(bricks));
    std::vector<Fragment> unsorted;
    std::size_t total = 0;
    coverBrick(primitives, bricks, brick, [&](std::uint32_t primitive, std::uint32_t block, std::uint64_t mask) {
        ++counts[block];
        if (++total <= fragmentsAtOnce) {
            unsorted.push_back({mask, primitive, block});
        }
    });
    if (total <= fragmentsAtOnce) {
        addBlocks(builder, sortByBlock(unsorted, counts));
    } else {
        unsorted = {};
        addInParts(builder, primitives, bricks, brick, counts, std::max(fragmentsAtOnce, total / kMostParts));
    }
    BrickVoxels voxels = builder.take();
    if (!voxels.plain) {
        voxels.materials = numberWithin(voxels.voxels);
    }
    return voxels;
}

} // namespace

BrickVoxels voxelizeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                          std::size_t fragmentsAtOnce) {
    return buildBrick(primitives, bricks, brick, fragmentsAtOnce, BrickBuilder(primitives, bricks, brick));
}

BrickVoxels voxelizeBrickShape(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                               std::size_t fragmentsAtOnce) {
    return buildBrick(primitives, bricks, brick, fragmentsAtOnce,
                      ShapeBlocks(primitives, brick.code * blocksPerBrick(bricks)));
}

BrickVoxels voxelizeBrickPlanes(const Primitives& primitives, const BrickList& bricks, const Brick& brick, double error,
                                std::uint32_t octreeLevels, std::size_t fragmentsAtOnce) {
    return buildBrick(
        primitives, bricks, brick, fragmentsAtOnce,
        PlaneBlocks(primitives, brick.code * blocksPerBrick(bricks), error, mostPlaneLevels(bricks, octreeLevels)));
}

} // namespace aureole
