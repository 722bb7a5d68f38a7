#include "voxel/brick.h"

#include <bit>
#include <span>
#include <utility>

#include "shared/attributes.h"
#include "voxel/morton.h"
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
        const shared::VoxelSurface surface = {average.albedo,
                                              average.normal,
                                              average.roughness,
                                              average.metalness,
                                              0,
                                              average.geometricNormal,
                                              average.crease ? 1U : 0U,
                                              average.doubleSided ? 1U : 0U,
                                              average.hollow,
                                              average.spread,
                                              0};
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

} // namespace

BrickVoxels voxelizeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick) {
    std::vector<Fragment> unsorted;
    coverBrick(primitives, bricks, brick, [&](std::uint32_t primitive, std::uint32_t block, std::uint64_t mask) {
        unsorted.push_back({mask, primitive, block});
    });
    const std::size_t blocks = blocksPerBrick(bricks);
    const SortedFragments sorted = sortByBlock(unsorted, blocks);
    BrickBuilder builder(primitives, bricks, brick);
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t first = sorted.starts[block];
        if (const std::size_t end = sorted.starts[block + 1]; end > first) {
            builder.addBlock(std::span(sorted.fragments).subspan(first, end - first));
        }
    }
    return builder.take();
}

} // namespace aureole
