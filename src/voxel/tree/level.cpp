#include "voxel/tree/level.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/interrupt.h"
#include "core/progress.h"
#include "core/set_bits.h"
#include "import/octree_header.h"
#include "voxel/build/grid.h"
#include "voxel/build/material_runs.h"
#include "voxel/build/octree_builder.h"
#include "voxel/tree/half_level.h"
#include "voxel/tree/level_walk.h"

namespace aureole {

namespace {

/// A block of the level that is being filled, cell by cell in order of bits.
struct Filling {
    VoxelBlock block;
    std::array<SurfaceVoxel, 64> voxels{};
    std::size_t count = 0; ///< cells with attributes
    bool plain = true;

    void addInside(std::uint32_t bit) {
        block.mask |= std::uint64_t{1} << bit;
        block.inside |= std::uint64_t{1} << bit;
    }
    /// Attributes without a material number; `cell` is what the cell adds to the averages above.
    void addSurface(std::uint32_t bit, const shared::VoxelAttributes& own, const shared::VoxelMaterial& material,
                    const SurfaceSum& cell) {
        block.mask |= std::uint64_t{1} << bit;
        voxels[count++] = {own, material};
        plain = plain && isPlain(material);
        block.sum.add(cell);
    }
};

SurfaceSum sumOf(const shared::VoxelAttributes& attributes, const shared::VoxelMaterial& material, double weight) {
    SurfaceSum sum;
    sum.add(shared::unpackAttributes(attributes), material, weight);
    return sum;
}

/// Builds a level from what a walk over it, or over the finer one, meets.
class LevelMaker {
public:
    LevelMaker(const Octree& octree, std::uint32_t level)
        : builder_(levelGrid(octree.grid, level), budget_, octree.coverage)
        , blocks_(std::uint64_t{1} << (6U * (octreeLevels(levelGrid(octree.grid, level).size) - 1)))
        , halve_((level & 1U) != 0)
        , isShape_(octree.isShape)
        , progress_("level of detail", blocks_) {
        if (isShape_) {
            builder_.setShape(octree.attributes[0]);
        }
    }

    void addBlock(const WalkedBlock& walked) {
        if (halve_) {
            checkInterrupt();
            half_.addBlock(walked);
            return;
        }
        filling_.block.code = walked.code;
        std::size_t next = 0;
        for (const std::uint32_t bit : setBits(walked.mask)) {
            if (((walked.inside >> bit) & 1U) != 0) {
                filling_.addInside(bit);
                continue;
            }
            const shared::VoxelMaterial material = walked.material(next);
            const shared::VoxelAttributes& own = walked.attributes[next++];
            filling_.addSurface(bit, own, material, sumOf(own, material, 1.0));
        }
        flush();
    }

    void addInside(std::uint64_t code, std::uint32_t cubeLevels) {
        if (halve_) {
            half_.addInside(code, cubeLevels);
            return;
        }
        placeInside(code, cubeLevels);
    }

    /// `octree` is the one of which this is a level.
    Octree finish(const Octree& octree) {
        half_.visit([&](const HalfBlock& block, const std::vector<HalfCell>& cells) { addHalf(block, cells); },
                    [&](std::uint64_t code, std::uint32_t cubeLevels) { placeInside(code, cubeLevels); });
        progress_.update(blocks_);
        std::vector<shared::VoxelMaterial> palette = runs_.takePalette();
        std::vector<shared::MaterialRun> runs = runs_.takeRuns();
        if (isShape_) {
            palette.assign(octree.palette.begin(), octree.palette.end());
            runs.assign(octree.materialRuns.begin(), octree.materialRuns.end());
        }
        return builder_.finish(std::move(palette), std::move(runs), {octree.materials.begin(), octree.materials.end()});
    }

private:
    void addHalf(const HalfBlock& block, const std::vector<HalfCell>& cells) {
        filling_.block.code = block.code;
        auto cell = cells.begin();
        for (const std::uint32_t bit : setBits(block.mask)) {
            if (((block.inside >> bit) & 1U) != 0) {
                filling_.addInside(bit);
                continue;
            }
            filling_.addSurface(bit, cell->attributes, cell->material,
                                sumOf(cell->attributes, cell->material, cell->count));
            ++cell;
        }
        flush();
    }

    void placeInside(std::uint64_t code, std::uint32_t cubeLevels) {
        place(code, cubeLevels);
        builder_.addInside(code, cubeLevels);
    }

    void flush() {
        place(filling_.block.code, 1);
        const std::uint64_t first = builder_.addBlock(filling_.block);
        if (isShape_) {
            filling_ = {};
            return;
        }
        const std::span<SurfaceVoxel> voxels(filling_.voxels.data(), filling_.count);
        if (!filling_.plain) {
            runs_.assign(first, voxels);
        }
        std::array<shared::VoxelAttributes, 64> attributes;
        std::transform(voxels.begin(), voxels.end(), attributes.begin(),
                       [](const SurfaceVoxel& voxel) { return voxel.attributes; });
        builder_.addAttributes({attributes.data(), voxels.size()});
        filling_ = {};
    }

    /// Checks and shows how far the walk is.
    void place(std::uint64_t code, std::uint32_t cubeLevels) {
        const std::uint64_t end = (code + 1) << (6U * (cubeLevels - 1));
        if (end > blocks_) {
            fail(ExitCode::BadInput, "the octree has voxels outside its grid, so it has no coarser levels");
        }
        if (checkInterrupt()) {
            progress_.update(end);
        }
    }

    /// At every 1024th call, throws Error (Interrupted) where a signal asked for it, and returns true.
    bool checkInterrupt() {
        constexpr std::uint32_t kBetweenChecks = 1024;
        if (++placed_ % kBetweenChecks != 0) {
            return false;
        }
        if (interruptRequested()) {
            fail(ExitCode::Interrupted, "interrupted: nothing was written");
        }
        return true;
    }

    MemoryBudget budget_;
    OctreeBuilder builder_;
    std::uint64_t blocks_; ///< in the level's grid
    bool halve_;
    bool isShape_;
    Progress progress_;
    MaterialRuns runs_;
    HalfLevel half_; ///< of an odd level
    Filling filling_;
    std::uint32_t placed_ = 0;
};

} // namespace

VoxelGrid levelGrid(const VoxelGrid& grid, std::uint32_t level) {
    VoxelGrid coarse = grid;
    coarse.voxelSize = std::ldexp(grid.voxelSize, static_cast<int>(level));
    for (int axis = 0; axis < 3; ++axis) {
        coarse.size[axis] = ((grid.size[axis] - 1) >> level) + 1;
    }
    return coarse;
}

Octree takeLevel(Octree octree, std::uint32_t level) {
    const std::uint32_t largest = largestLevel(octree.grid.size);
    if (level > largest) {
        fail(ExitCode::BadInput, "found level {}, expected at most {}, where a single voxel is left", level, largest);
    }
    if (level == 0) {
        return octree;
    }
    LevelMaker maker(octree, level);
    walkOctree(octree, level >> 1U,
               {[&](const WalkedBlock& block) { maker.addBlock(block); },
                [&](std::uint64_t code, std::uint32_t cubeLevels) { maker.addInside(code, cubeLevels); }});
    Octree coarse = maker.finish(octree);
    coarse.metadata = std::move(octree.metadata);
    return coarse;
}

std::uint64_t countVoxels(const Octree& octree, std::uint32_t level) {
    if (level == 0 && octree.encodingKind() != OctreeEncoding::Planes) {
        return octree.voxelCount();
    }
    const bool halve = (level & 1U) != 0;
    std::uint64_t count = 0;
    walkOctree(octree, level >> 1U,
               {[&](const WalkedBlock& block) {
                    count +=
                        static_cast<std::uint64_t>(halve ? occupiedOctants(block.mask) : std::popcount(block.mask));
                },
                [&](std::uint64_t, std::uint32_t cubeLevels) {
                    count += std::uint64_t{1} << (6U * cubeLevels - (halve ? 3U : 0U));
                }});
    return count;
}

} // namespace aureole
