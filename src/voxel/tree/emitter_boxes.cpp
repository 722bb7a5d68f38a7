#include "voxel/tree/emitter_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "core/parallel.h"
#include "shared/surface/voxel_state.h"
#include "voxel/tree/box_fit.h"

namespace aureole {

namespace {

/// A box of which voxels cover this much of the sides is good enough.
constexpr float kWellCovered = 0.7F;
/// One of which they cover this much stays where smaller boxes would have almost as much surface.
constexpr float kCovered = 0.3F;
constexpr float kWorthParting = 0.8F;
/// What a box is larger by than the corners of what is in it: what rays and the box itself are rounded by, and of a
/// field, in voxels, what it bulges.
constexpr float kMargin = 1.0F / (1 << 20);
constexpr float kFieldMargin = 1.0F / 32.0F;

/// Voxels of one palette entry that follow each other along x.
struct Run {
    std::uint32_t first = 0; ///< of the voxels by z, y and x
    std::uint32_t count = 0;
    std::uint32_t lamp =
        0; ///< a run of the same lamp that comes no later, until all are joined; itself where it is first
};

/// The order of voxels within a slice: by y and x.
bool isBefore(const EmissiveVoxel& a, const EmissiveVoxel& b) {
    return a.voxel.y != b.voxel.y ? a.voxel.y < b.voxel.y : a.voxel.x < b.voxel.x;
}

std::vector<EmissiveVoxel> sortBySlice(const std::vector<EmissiveVoxel>& voxels, std::vector<std::size_t>& begins) {
    for (const EmissiveVoxel& voxel : voxels) {
        ++begins[voxel.voxel.z + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::size_t> next(begins);
    std::vector<EmissiveVoxel> sorted(voxels.size());
    for (const EmissiveVoxel& voxel : voxels) {
        sorted[next[voxel.voxel.z]++] = voxel;
    }
    parallelFor(static_cast<std::int64_t>(begins.size()) - 1, 16, [&](std::int64_t i) {
        const auto slice = static_cast<std::size_t>(i);
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begins[slice]),
                  sorted.begin() + static_cast<std::ptrdiff_t>(begins[slice + 1]), isBefore);
    });
    return sorted;
}

std::vector<Run> runsOf(const std::vector<EmissiveVoxel>& voxels) {
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < voxels.size(); ++i) {
        const EmissiveVoxel& voxel = voxels[i];
        if (i > 0) {
            const EmissiveVoxel& before = voxels[i - 1];
            if (before.entry == voxel.entry && before.voxel + glm::uvec3(1, 0, 0) == voxel.voxel) {
                ++runs.back().count;
                continue;
            }
        }
        runs.push_back({i, 1, static_cast<std::uint32_t>(runs.size())});
    }
    return runs;
}

/// Joins runs that touch.
class LampJoiner {
public:
    LampJoiner(const std::vector<EmissiveVoxel>& voxels, std::vector<Run>& runs)
        : voxels_(voxels)
        , runs_(runs) {}

    void joinAll() {
        // Places of the row before, and of the three of the slice before, from which on runs may touch.
        std::array<std::size_t, 4> behind{};
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            const glm::ivec3 start(voxels_[runs_[i].first].voxel);
            for (int row = 0; row < 4; ++row) {
                const glm::ivec3 other = start + (row == 0 ? glm::ivec3(0, -1, 0) : glm::ivec3(0, row - 2, -1));
                joinRow(i, other, behind[static_cast<std::size_t>(row)]);
            }
        }
        for (Run& run : runs_) {
            run.lamp = runs_[run.lamp].lamp;
        }
    }

private:
    std::uint32_t root(std::uint32_t run) {
        while (runs_[run].lamp != run) {
            runs_[run].lamp = runs_[runs_[run].lamp].lamp;
            run = runs_[run].lamp;
        }
        return run;
    }

    /// Joins a run with those of the row at `row` (y and z) that touch it; `from` is where those may begin.
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
            if (other.entry == start.entry) {
                const std::uint32_t a = root(static_cast<std::uint32_t>(i));
                const std::uint32_t b = root(static_cast<std::uint32_t>(run));
                runs_[std::max(a, b)].lamp = std::min(a, b);
            }
        }
    }

    const std::vector<EmissiveVoxel>& voxels_;
    std::vector<Run>& runs_;
};

/// A lamp, or a part of one: a box and how many of the lamp's voxels, in their order, are in it.
struct LampPart {
    FittedBox box;
    float covered = 1.0F;
    std::size_t count = 0;
};

float surfaceOf(std::span<const LampPart> parts) {
    float surface = 0.0F;
    for (const LampPart& part : parts) {
        surface += part.box.surface();
    }
    return surface;
}

/// Adds the boxes of a lamp to `parts`, and sorts its voxels by them.
void partLamp(const Octree& octree, std::span<EmissiveVoxel> voxels, std::vector<LampPart>& parts) {
    LampPart whole;
    whole.box = fitBox(octree, voxels);
    whole.covered = coveredShare(octree, voxels, whole.box);
    whole.count = voxels.size();
    const std::size_t first =
        whole.covered < kWellCovered && voxels.size() > 1 ? splitBox(octree, voxels, whole.box) : 0;
    const std::size_t before = parts.size();
    if (first != 0) {
        partLamp(octree, voxels.first(first), parts);
        partLamp(octree, voxels.subspan(first), parts);
        const float surface = surfaceOf(std::span(parts).subspan(before));
        if (whole.covered < kCovered || surface < kWorthParting * whole.box.surface()) {
            return;
        }
        parts.resize(before);
    }
    parts.push_back(whole);
}

shared::EmitterBox packBox(const Octree& octree, const LampPart& part, std::uint32_t entry) {
    const FittedBox& fitted = part.box;
    const double voxelSize = std::ldexp(1.0, -2 * static_cast<int>(octree.levels));
    shared::EmitterBox box{};
    box.middle = glm::vec3(
        1.0 + voxelSize * (glm::dmat3(fitted.axes) * (0.5 * (glm::dvec3(fitted.low) + glm::dvec3(fitted.high)))));
    box.power = shared::emissionLuminance(octree.palette[entry].emission) * part.covered * fitted.surface();
    box.first = fitted.axes[0];
    box.entry = entry;
    box.second = fitted.axes[1];
    const float bulge = octree.encodingKind() == OctreeEncoding::Field ? kFieldMargin : 0.0F;
    box.halves = static_cast<float>(voxelSize) * (0.5F * (fitted.high - fitted.low) + bulge) + kMargin;
    return box;
}

/// Rows of voxels of one box each, from voxels by slice.
void addRows(const std::vector<EmissiveVoxel>& voxels, const std::vector<std::uint32_t>& boxOf,
             const std::vector<std::size_t>& begins, EmitterArrays& arrays) {
    for (std::size_t slice = 0; slice + 1 < begins.size(); ++slice) {
        arrays.slices.push_back(static_cast<std::uint32_t>(arrays.rows.size()));
        std::uint32_t end = 0; // the place behind the last voxel
        for (std::size_t i = begins[slice]; i < begins[slice + 1]; ++i) {
            const std::uint32_t place = (voxels[i].voxel.y << 16U) | voxels[i].voxel.x;
            const bool follows = i > begins[slice] && end == place;
            if (i > begins[slice] && !follows) {
                arrays.rows.emplace_back(end, NO_BOX);
            }
            if (!follows || arrays.rows.back().y != boxOf[i]) {
                arrays.rows.emplace_back(place, boxOf[i]);
            }
            end = place + 1; // no row ends at 2^16: 4^7 coordinates are fewer
        }
        if (begins[slice] != begins[slice + 1]) {
            arrays.rows.emplace_back(end, NO_BOX);
        }
    }
    arrays.slices.push_back(static_cast<std::uint32_t>(arrays.rows.size()));
}

} // namespace

EmitterArrays makeEmitterBoxes(const Octree& octree, std::vector<EmissiveVoxel> voxels) {
    std::vector<std::size_t> begins((std::size_t{1} << (2 * octree.levels)) + 1);
    voxels = sortBySlice(voxels, begins);
    std::vector<Run> runs = runsOf(voxels);
    LampJoiner(voxels, runs).joinAll();
    // The voxels of each lamp.
    std::vector<std::uint32_t> lampOf(runs.size());
    std::vector<std::vector<EmissiveVoxel>> lamps;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].lamp == i) {
            lampOf[i] = static_cast<std::uint32_t>(lamps.size());
            lamps.emplace_back();
        }
        std::vector<EmissiveVoxel>& lamp = lamps[lampOf[runs[i].lamp]];
        const auto first = voxels.begin() + runs[i].first;
        lamp.insert(lamp.end(), first, first + runs[i].count);
    }
    std::vector<std::vector<LampPart>> parts(lamps.size());
    parallelFor(static_cast<std::int64_t>(lamps.size()), 1, [&](std::int64_t i) {
        const auto lamp = static_cast<std::size_t>(i);
        partLamp(octree, lamps[lamp], parts[lamp]);
    });
    EmitterArrays arrays;
    std::vector<std::uint32_t> boxOf(voxels.size());
    const auto placeOf = [&](const EmissiveVoxel& voxel) {
        const auto low = voxels.begin() + static_cast<std::ptrdiff_t>(begins[voxel.voxel.z]);
        const auto high = voxels.begin() + static_cast<std::ptrdiff_t>(begins[voxel.voxel.z + 1]);
        return static_cast<std::size_t>(std::lower_bound(low, high, voxel, isBefore) - voxels.begin());
    };
    for (std::size_t lamp = 0; lamp < lamps.size(); ++lamp) {
        std::size_t next = 0;
        for (const LampPart& part : parts[lamp]) {
            const shared::EmitterBox box = packBox(octree, part, lamps[lamp][0].entry);
            for (std::size_t i = next; i < next + part.count; ++i) {
                boxOf[placeOf(lamps[lamp][i])] = static_cast<std::uint32_t>(arrays.boxes.size());
            }
            next += part.count;
            arrays.boxes.push_back(box);
            arrays.power += double{box.power};
        }
    }
    addRows(voxels, boxOf, begins, arrays);
    return arrays;
}

} // namespace aureole
