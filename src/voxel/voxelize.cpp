#include <algorithm>
#include <atomic>

#include "core/error.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/shared_progress.h"
#include "shared/attributes.h"
#include "voxel/brick.h"
#include "voxel/build.h"
#include "voxel/emission_palette.h"
#include "voxel/grid.h"

namespace aureole {

namespace {

/// Bricks that are worked on before their voxels are appended: enough for many cores, few enough to hold twice.
constexpr std::size_t kBricksPerBatch = 1024;

void checkInterrupt() {
    if (interruptRequested()) {
        fail(ExitCode::Interrupted, "voxelisation interrupted");
    }
}

/// Calls body(index within the batch, brick) on all cores, then finish(count) on this thread, batch by batch.
template <typename Body, typename Finish>
void forBatches(const BrickList& bricks, const char* stage, const Body& body, const Finish& finish) {
    SharedProgress progress(stage, bricks.entryCount());
    for (std::size_t first = 0; first < bricks.bricks().size(); first += kBricksPerBatch) {
        const std::size_t count = std::min(kBricksPerBatch, bricks.bricks().size() - first);
        parallelFor(static_cast<std::int64_t>(count), 1, [&](std::int64_t i) {
            checkInterrupt();
            const auto index = static_cast<std::size_t>(i);
            const Brick& brick = bricks.bricks()[first + index];
            body(index, brick);
            progress.add(brick.end - brick.first);
        });
        finish(count);
    }
}

/// The upper bounds, so that memory is taken once and a grid that an octree cannot hold fails early.
BrickCounts countAll(const Primitives& primitives, const BrickList& bricks) {
    std::atomic<std::uint64_t> blocks{0};
    std::atomic<std::uint64_t> voxels{0};
    forBatches(
        bricks, "finding voxels",
        [&](std::size_t, const Brick& brick) {
            const BrickCounts counts = countBrick(primitives, bricks, brick);
            blocks += counts.blocks;
            voxels += counts.voxels;
        },
        [](std::size_t) {});
    constexpr std::uint64_t kMaxVoxels = std::uint64_t{OCTREE_ATTRIBUTE_CHUNKS} << OCTREE_ATTRIBUTE_CHUNK_SHIFT;
    if (voxels > kMaxVoxels) {
        fail(ExitCode::OutOfMemory, "{}: the grid has {} voxels, more than an octree's {}; lower the resolution",
             primitives.scene().file.string(), voxels.load(), kMaxVoxels);
    }
    return {blocks, voxels};
}

/// Collects what bricks have, in their order.
class Collector {
public:
    explicit Collector(const BrickCounts& upperBound) {
        blocks_.reserve(upperBound.blocks);
        attributes_.reserve(upperBound.voxels);
    }

    void append(const BrickVoxels& brick) {
        std::vector<std::uint32_t> indices;
        indices.reserve(brick.emissions.size());
        for (const glm::vec3& emission : brick.emissions) {
            indices.push_back(palette_.indexOf(emission));
        }
        blocks_.insert(blocks_.end(), brick.blocks.begin(), brick.blocks.end());
        const std::size_t first = attributes_.size();
        attributes_.insert(attributes_.end(), brick.attributes.begin(), brick.attributes.end());
        if (indices.size() == 1) {
            return; // nothing emits
        }
        for (std::size_t i = first; i < attributes_.size(); ++i) {
            std::uint32_t& bits = attributes_[i].metalnessEmission;
            bits = (bits & 255U) | (indices[bits >> 8U] << 8U);
        }
    }

    Octree build(const VoxelGrid& grid) { return buildOctree(grid, blocks_, std::move(attributes_), palette_.take()); }

    bool empty() const { return blocks_.empty(); }

private:
    std::vector<VoxelBlock> blocks_;
    std::vector<shared::VoxelAttributes> attributes_;
    EmissionPalette palette_;
};

} // namespace

Octree voxelizeScene(const Scene& scene, std::uint32_t resolution) {
    const VoxelGrid grid = fitGrid(scene, resolution);
    const Primitives primitives(scene, grid);
    const BrickList bricks(primitives, octreeLevels(grid.size));
    Collector collector(countAll(primitives, bricks));
    std::vector<BrickVoxels> batch(kBricksPerBatch);
    forBatches(
        bricks, "voxelising",
        [&](std::size_t index, const Brick& brick) { batch[index] = voxelizeBrick(primitives, bricks, brick); },
        [&](std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
                collector.append(batch[i]);
                batch[i] = {};
            }
        });
    if (collector.empty()) {
        fail(ExitCode::BadInput, "{}: no voxel is left: alpha testing cuts every surface away", scene.file.string());
    }
    return collector.build(grid);
}

} // namespace aureole
