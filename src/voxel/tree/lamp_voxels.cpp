#include "voxel/tree/lamp_voxels.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/parallel.h"

namespace aureole {

namespace {

/// Voxels of one kind that follow each other along x.
struct Run {
    std::uint32_t first = 0; ///< of the voxels by z, y and x
    std::uint32_t count = 0;
    std::uint32_t parent = 0; ///< an earlier run of the same lamp, or the run itself: a disjoint-set forest
};

std::vector<Run> runsOf(std::span<const EmissiveVoxel> voxels, std::span<const std::uint32_t> kinds) {
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < voxels.size(); ++i) {
        const EmissiveVoxel& voxel = voxels[i];
        if (i > 0) {
            const EmissiveVoxel& before = voxels[i - 1];
            if (kinds[before.entry] == kinds[voxel.entry] && before.voxel + glm::uvec3(1, 0, 0) == voxel.voxel) {
                ++runs.back().count;
                continue;
            }
        }
        runs.push_back({i, 1, static_cast<std::uint32_t>(runs.size())});
    }
    return runs;
}

/// Joins runs that touch. Afterwards the parent of each run is the first run of its lamp.
class LampJoiner {
public:
    LampJoiner(std::span<const EmissiveVoxel> voxels, std::span<const std::uint32_t> kinds, std::vector<Run>& runs)
        : voxels_(voxels)
        , kinds_(kinds)
        , runs_(runs) {}

    void joinAll() {
        // A run may touch runs of the row before its own and of three rows of the slice before. Runs come in order, so
        // that for each of these rows the first run that the next one may touch lies no earlier.
        std::array<std::size_t, 4> behind{};
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            const glm::ivec3 start(voxels_[runs_[i].first].voxel);
            for (int row = 0; row < 4; ++row) {
                const glm::ivec3 other = start + (row == 0 ? glm::ivec3(0, -1, 0) : glm::ivec3(0, row - 2, -1));
                joinRow(i, other, behind[static_cast<std::size_t>(row)]);
            }
        }
        for (Run& run : runs_) {
            run.parent = runs_[run.parent].parent; // that of a run before, which is a root by now
        }
    }

private:
    std::uint32_t root(std::uint32_t run) {
        while (runs_[run].parent != run) {
            runs_[run].parent = runs_[runs_[run].parent].parent;
            run = runs_[run].parent;
        }
        return run;
    }

    /// Joins a run with those of the row at `row` (y and z) that touch it. No run before `from` touches it or a later
    /// one; moves `from` as far as that holds.
    void joinRow(std::size_t run, const glm::ivec3& row, std::size_t& from) {
        const auto keyOf = [](const glm::ivec3& voxel) { return std::pair(voxel.z, voxel.y); };
        const auto endOf = [&](const Run& other) {
            return static_cast<int>(voxels_[other.first].voxel.x + other.count);
        };
        const EmissiveVoxel& start = voxels_[runs_[run].first];
        const int low = static_cast<int>(start.voxel.x);
        while (from < run) {
            const glm::ivec3 other(voxels_[runs_[from].first].voxel);
            if (keyOf(other) > keyOf(row) || (keyOf(other) == keyOf(row) && endOf(runs_[from]) >= low)) {
                break;
            }
            ++from;
        }
        for (std::size_t i = from; i < run; ++i) {
            const EmissiveVoxel& other = voxels_[runs_[i].first];
            if (keyOf(glm::ivec3(other.voxel)) != keyOf(row) || static_cast<int>(other.voxel.x) > endOf(runs_[run])) {
                break;
            }
            if (kinds_[other.entry] == kinds_[start.entry]) {
                const std::uint32_t a = root(static_cast<std::uint32_t>(i));
                const std::uint32_t b = root(static_cast<std::uint32_t>(run));
                runs_[std::max(a, b)].parent = std::min(a, b);
            }
        }
    }

    std::span<const EmissiveVoxel> voxels_;
    std::span<const std::uint32_t> kinds_;
    std::vector<Run>& runs_;
};

/// The order of voxels within a slice: by y and x.
bool isBeforeInSlice(const EmissiveVoxel& a, const EmissiveVoxel& b) {
    return a.voxel.y != b.voxel.y ? a.voxel.y < b.voxel.y : a.voxel.x < b.voxel.x;
}

} // namespace

SlicedVoxels sortBySlice(std::uint32_t levels, std::span<const EmissiveVoxel> voxels) {
    SlicedVoxels sliced;
    std::vector<std::size_t>& begins = sliced.begins;
    begins.resize((std::size_t{1} << (2 * levels)) + 1);
    for (const EmissiveVoxel& voxel : voxels) {
        ++begins[voxel.voxel.z + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::size_t> next(begins);
    std::vector<EmissiveVoxel>& sorted = sliced.voxels;
    sorted.resize(voxels.size());
    for (const EmissiveVoxel& voxel : voxels) {
        sorted[next[voxel.voxel.z]++] = voxel;
    }
    parallelFor(static_cast<std::int64_t>(begins.size()) - 1, 16, [&](std::int64_t i) {
        const auto slice = static_cast<std::size_t>(i);
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begins[slice]),
                  sorted.begin() + static_cast<std::ptrdiff_t>(begins[slice + 1]), isBeforeInSlice);
    });
    return sliced;
}

std::vector<std::vector<std::uint32_t>> joinLamps(std::span<const EmissiveVoxel> voxels,
                                                  std::span<const std::uint32_t> kinds) {
    std::vector<Run> runs = runsOf(voxels, kinds);
    LampJoiner(voxels, kinds, runs).joinAll();
    std::vector<std::uint32_t> lampOf(runs.size());
    std::vector<std::vector<std::uint32_t>> lamps;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].parent == i) {
            lampOf[i] = static_cast<std::uint32_t>(lamps.size());
            lamps.emplace_back();
        }
        std::vector<std::uint32_t>& lamp = lamps[lampOf[runs[i].parent]];
        for (std::uint32_t k = 0; k < runs[i].count; ++k) {
            lamp.push_back(runs[i].first + k);
        }
    }
    return lamps;
}

} // namespace aureole
