#include "voxel/brick.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "shared/attributes.h"
#include "voxel/morton.h"
#include "voxel/plane_brick.h"
#include "voxel/surface_average.h"

namespace aureole {

namespace {

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

/// A brick's fragments, block by block, those of a block in order of primitives.
struct SortedFragments {
    std::vector<Fragment> fragments;
    std::vector<std::size_t> starts; ///< per block, and the end
};

SortedFragments sortByBlock(const std::vector<Fragment>& unsorted, std::size_t blocks) {
    SortedFragments sorted;
    sorted.starts.resize(blocks + 1);
    for (const Fragment& fragment : unsorted) {
        ++sorted.starts[fragment.block + 1];
    }
    for (std::size_t block = 0; block < blocks; ++block) {
        sorted.starts[block + 1] += sorted.starts[block];
    }
    std::vector<std::size_t> next(sorted.starts.begin(), sorted.starts.end() - 1);
    sorted.fragments.resize(unsorted.size());
    for (const Fragment& fragment : unsorted) {
        sorted.fragments[next[fragment.block]++] = fragment;
    }
    return sorted;
}

class BrickBuilder {
public:
    BrickBuilder(const Primitives& primitives, const BrickList& bricks, const Brick& brick)
        : primitives_(primitives)
        , firstBlock_(brick.code * blocksPerBrick(bricks)) {}

    void addBlock(std::span<const Fragment> fragments) {
        const std::uint64_t code = firstBlock_ + fragments.front().block;
        const glm::ivec3 corner(mortonCell(code) << 2U);
        samples_.clear();
        for (const Fragment& fragment : fragments) {
            appendSamples(primitives_, fragment, corner, samples_);
        }
        const std::uint64_t mask = averageSamples(samples_, surfaces_);
        if (mask == 0) {
            return;
        }
        voxels_.blocks.push_back({code, mask});
        SurfaceSum sum;
        for (const AverageSurface& surface : surfaces_) {
            addVoxel(surface, sum);
        }
        voxels_.sums.push_back(sum);
    }

    BrickVoxels take() {
        if (!emits_) {
            voxels_.emissions = {};
        }
        return std::move(voxels_);
    }

private:
    void addVoxel(const AverageSurface& average, SurfaceSum& sum) {
        const shared::VoxelSurface surface = withoutEmission(average);
        const glm::vec3 emission = average.emission + 0.0F; // -0 and 0 are equal and must hash alike
        voxels_.attributes.push_back(shared::packAttributes(surface));
        voxels_.emissions.push_back(emission);
        emits_ = emits_ || emission != glm::vec3(0.0F);
        sum.add(surface, emission, average.area);
    }

    const Primitives& primitives_;
    std::uint64_t firstBlock_;
    std::vector<SurfaceSample> samples_;
    std::vector<AverageSurface> surfaces_;
    bool emits_ = false;
    BrickVoxels voxels_;
};

/// Adds blocks to a brick of planes.
class PlaneBlocks {
public:
    PlaneBlocks(const Primitives& primitives, std::uint64_t firstBlock, double error, std::uint32_t maxLevels)
        : primitives_(primitives)
        , firstBlock_(firstBlock)
        , brick_(error, maxLevels) {}

    void addBlock(std::span<const Fragment> fragments) {
        const std::uint32_t block = fragments.front().block;
        const glm::ivec3 corner(mortonCell(firstBlock_ + block) << 2U);
        samples_.clear();
        corners_.clear();
        std::uint64_t whole = 0;
        for (const Fragment& fragment : fragments) {
            appendSamples(primitives_, fragment, corner, samples_, &corners_);
            whole |= primitives_.isTriangle(fragment.primitive) ? 0 : fragment.mask;
        }
        if (const std::uint64_t mask = averageSamples(samples_, surfaces_); mask != 0) {
            brick_.addBlock(block, mask, surfaces_, samples_, corners_, whole);
        }
    }

    BrickVoxels take() { return brick_.take(firstBlock_); }

private:
    const Primitives& primitives_;
    std::uint64_t firstBlock_;
    PlaneBrick brick_;
    std::vector<SurfaceSample> samples_;
    std::vector<SurfaceCorner> corners_;
    std::vector<AverageSurface> surfaces_;
};

/// Adds the brick's blocks that have fragments, in order.
template <typename Builder>
BrickVoxels buildBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick, Builder&& builder) {
    std::vector<Fragment> unsorted;
    coverBrick(primitives, bricks, brick, [&](std::uint32_t primitive, std::uint32_t block, std::uint64_t mask) {
        unsorted.push_back({mask, primitive, block});
    });
    const std::size_t blocks = blocksPerBrick(bricks);
    const SortedFragments sorted = sortByBlock(unsorted, blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t first = sorted.starts[block];
        if (const std::size_t end = sorted.starts[block + 1]; end > first) {
            builder.addBlock(std::span(sorted.fragments).subspan(first, end - first));
        }
    }
    return builder.take();
}

} // namespace

BrickVoxels voxelizeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick) {
    return buildBrick(primitives, bricks, brick, BrickBuilder(primitives, bricks, brick));
}

BrickVoxels voxelizeBrickPlanes(const Primitives& primitives, const BrickList& bricks, const Brick& brick, double error,
                                std::uint32_t octreeLevels) {
    // The root is never merged.
    const std::uint32_t maxLevels = std::min(bricks.brickLevels(), octreeLevels - 1);
    return buildBrick(primitives, bricks, brick,
                      PlaneBlocks(primitives, brick.code * blocksPerBrick(bricks), error, maxLevels));
}

} // namespace aureole
