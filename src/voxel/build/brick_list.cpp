#include "voxel/build/brick_list.h"

#include <algorithm>
#include <atomic>

#include "core/error.h"
#include "core/interrupt.h"
#include "core/set_bits.h"
#include "core/shared_progress.h"
#include "core/threads/parallel.h"
#include "scene/scene_memory.h"
#include "voxel/build/radix_sort.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

constexpr std::uint32_t kPrimitivesPerTask = 1U << 12U;
/// Entries that a task may find before it tells the others.
constexpr std::uint64_t kUntold = std::uint64_t{1} << 16U;

/// Small grids get small bricks, so that there are enough of them for every core.
std::uint32_t chooseBrickLevels(std::uint32_t octreeLevels) {
    return octreeLevels <= 4 ? 2 : 3;
}

int cellShift(std::uint32_t levels) {
    return kSnapBits + 2 * (static_cast<int>(levels) - 1);
}

void findBricks(const Primitives& primitives, std::uint32_t primitive, std::uint32_t octreeLevels,
                std::uint32_t brickLevels, std::vector<std::uint64_t>& entries) {
    if (octreeLevels == brickLevels) {
        entries.push_back(primitive);
        return;
    }
    const CellCube root = {glm::ivec3(0), cellShift(octreeLevels), 0};
    primitives.refinePrimitive(primitive, root, cellShift(brickLevels + 1),
                               [&](std::uint64_t code, std::uint64_t mask) {
                                   for (const std::uint32_t bit : setBits(mask)) {
                                       const std::uint64_t brick = (code << 6U) | bit;
                                       entries.push_back((brick << 32U) | primitive);
                                   }
                               });
}

/// The memory of all entries, counted while they are found: a triangle that spans the scene has many.
class EntryMemory {
public:
    EntryMemory(const Primitives& primitives, std::uint64_t memory)
        : primitives_(primitives)
        , memory_(memory) {}

    /// Throws Error for more than there is memory for: OutOfMemory where that is the voxeliser's, BadInput where it is
    /// the scene's.
    void add(std::uint64_t entries) {
        // While they are put together, parts and whole are there together, and later what is sorted and what is not.
        const std::uint64_t needed = 2 * sizeof(std::uint64_t) * (total_ += entries);
        const std::string file = primitives_.scene().file.string();
        if (needed > memory_) {
            constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
            fail(ExitCode::OutOfMemory, "{}: found {} MiB of memory to sort triangles in, expected at least {} MiB",
                 file, memory_ / kMebibyte, needed / kMebibyte + 1);
        }
        if (const std::uint64_t left = primitives_.memoryLeft(); needed > left) {
            fail(ExitCode::BadInput, "{}: {}; a lower resolution takes less", file,
                 sceneMemoryFault(sceneMemoryLimit() - left + needed));
        }
    }

private:
    const Primitives& primitives_;
    std::uint64_t memory_;
    std::atomic<std::uint64_t> total_{0};
};

std::vector<std::uint64_t> findEntries(const Primitives& primitives, std::uint32_t octreeLevels,
                                       std::uint32_t brickLevels, std::uint64_t memory) {
    const std::uint64_t count = primitives.count();
    std::vector<std::vector<std::uint64_t>> parts((count + kPrimitivesPerTask - 1) / kPrimitivesPerTask);
    EntryMemory held(primitives, memory);
    SharedProgress progress("sorting triangles", count);
    parallelFor(static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t task) {
        if (interruptRequested()) {
            fail(ExitCode::Interrupted, "voxelisation interrupted");
        }
        const auto part = static_cast<std::size_t>(task);
        const std::uint64_t end = std::min<std::uint64_t>(count, (part + 1) * kPrimitivesPerTask);
        std::size_t told = 0;
        for (std::uint64_t i = part * kPrimitivesPerTask; i < end; ++i) {
            findBricks(primitives, static_cast<std::uint32_t>(i), octreeLevels, brickLevels, parts[part]);
            if (i + 1 == end || parts[part].size() - told >= kUntold) {
                held.add(parts[part].size() - told);
                told = parts[part].size();
            }
        }
        progress.add(end - part * kPrimitivesPerTask);
    });
    std::size_t total = 0;
    for (const std::vector<std::uint64_t>& part : parts) {
        total += part.size();
    }
    std::vector<std::uint64_t> entries;
    entries.reserve(total);
    for (std::vector<std::uint64_t>& part : parts) {
        entries.insert(entries.end(), part.begin(), part.end());
        part = {};
    }
    return entries;
}

} // namespace

BrickList::BrickList(const Primitives& primitives, std::uint32_t octreeLevels, std::uint64_t memory)
    : brickLevels_(chooseBrickLevels(octreeLevels))
    , entries_(findEntries(primitives, octreeLevels, brickLevels_, memory)) {
    // Entries come in order of primitives and the sort is stable, so only the brick codes need sorting.
    radixSort(entries_, 32, 32 + 6 * (octreeLevels - brickLevels_));
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const std::uint64_t code = entries_[i] >> 32U;
        if (bricks_.empty() || bricks_.back().code != code) {
            bricks_.push_back({code, i, i});
        }
        bricks_.back().end = i + 1;
    }
}

const Brick* BrickList::find(std::uint64_t code) const {
    const auto found = std::lower_bound(bricks_.begin(), bricks_.end(), code,
                                        [](const Brick& brick, std::uint64_t c) { return brick.code < c; });
    return found == bricks_.end() || found->code != code ? nullptr : &*found;
}

CellCube BrickList::cube(const Brick& brick) const {
    const int side = static_cast<int>(kSnapBits + 2 * brickLevels_);
    return {glm::ivec3(codeCell(brick.code)) << side, cellShift(brickLevels_), brick.code};
}

} // namespace aureole
