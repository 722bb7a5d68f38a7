#include "voxel/tree/lamp_voxels.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/divide_up.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

/// Voxels are sorted and joined in so many pieces at most, of about so many voxels at least.
constexpr std::size_t kMostPieces = 64;
constexpr std::size_t kLeastPiece = 1024;

std::size_t piecesOf(std::size_t voxels) {
    return std::clamp(voxels / kLeastPiece, std::size_t{1}, kMostPieces);
}

/// Voxels of one kind that follow each other along x.
struct Run {
    std::uint32_t first = 0; ///< of the voxels by z, y and x
    std::uint32_t count = 0;
    std::uint32_t parent = 0; ///< an earlier run of the same lamp, or the run itself: a disjoint-set forest
};

/// The runs of the voxels from number `first` up to `end`; their parents are not known yet.
std::vector<Run> runsOf(std::span<const EmissiveVoxel> voxels, std::uint32_t first, std::uint32_t end,
                        std::span<const std::uint32_t> kinds) {
    std::vector<Run> runs;
    for (std::uint32_t i = first; i < end; ++i) {
        const EmissiveVoxel& voxel = voxels[i];
        if (i > first) {
            const EmissiveVoxel& before = voxels[i - 1];
            if (kinds[before.entry] == kinds[voxel.entry] && before.voxel + glm::uvec3(1, 0, 0) == voxel.voxel) {
                ++runs.back().count;
                continue;
            }
        }
        runs.push_back({i, 1, 0});
    }
    return runs;
}

/// Joins runs that touch, by pieces of whole slices.
class LampJoiner {
public:
    LampJoiner(std::span<const EmissiveVoxel> voxels, std::span<const std::uint32_t> kinds)
        : voxels_(voxels)
        , kinds_(kinds) {}

    /// All runs, the parent of each of which is the first run of its lamp. `pieces` are the first voxels of pieces, and
    /// the end.
    std::vector<Run> joinAll(std::span<const std::uint32_t> pieces) {
        const std::size_t count = pieces.size() - 1;
        std::vector<std::vector<Run>> parts(count);
        const auto forEachPiece = [&](const auto& body) {
            parallelFor(static_cast<std::int64_t>(count), 1,
                        [&](std::int64_t i) { body(static_cast<std::size_t>(i)); });
        };
        forEachPiece([&](std::size_t i) { parts[i] = runsOf(voxels_, pieces[i], pieces[i + 1], kinds_); });
        std::vector<std::size_t> starts = {0};
        for (const std::vector<Run>& part : parts) {
            starts.push_back(starts.back() + part.size());
        }
        runs_.resize(starts.back());
        forEachPiece([&](std::size_t i) {
            std::copy(parts[i].begin(), parts[i].end(), runs_.begin() + static_cast<std::ptrdiff_t>(starts[i]));
            for (std::size_t run = starts[i]; run < starts[i + 1]; ++run) {
                runs_[run].parent = static_cast<std::uint32_t>(run);
            }
            join(starts[i], starts[i], starts[i + 1]);
        });
        for (std::size_t i = 1; i < count && starts[i] < runs_.size(); ++i) { // over the seams
            const std::uint32_t slice = sliceOf(runs_[starts[i]]);
            join(firstOfSlice(slice - 1), starts[i], firstOfSlice(slice + 1));
        }
        for (Run& run : runs_) {
            run.parent = runs_[run.parent].parent; // that of a run before, which is a root by now
        }
        return std::move(runs_);
    }

private:
    std::uint32_t sliceOf(const Run& run) const { return voxels_[run.first].voxel.z; }

    std::size_t firstOfSlice(std::uint32_t slice) const {
        const auto isBefore = [&](const Run& run) { return sliceOf(run) < slice; };
        return static_cast<std::size_t>(std::partition_point(runs_.begin(), runs_.end(), isBefore) - runs_.begin());
    }

    /// Joins the runs from number `first` up to `end` with those before them from `least` on.
    void join(std::size_t least, std::size_t first, std::size_t end) {
        // A run may touch runs of the row before its own and of three rows of the slice before. Runs come in order, so
        // that for each of these rows the first run that the next one may touch lies no earlier.
        std::array<std::size_t, 4> behind{};
        behind.fill(least);
        for (std::size_t i = first; i < end; ++i) {
            const glm::ivec3 start(voxels_[runs_[i].first].voxel);
            for (int row = 0; row < 4; ++row) {
                const glm::ivec3 other = start + (row == 0 ? glm::ivec3(0, -1, 0) : glm::ivec3(0, row - 2, -1));
                joinRow(i, other, behind[static_cast<std::size_t>(row)]);
            }
        }
    }

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
    std::vector<Run> runs_;
};

/// The order of voxels within a slice: by y and x.
bool isBeforeInSlice(const EmissiveVoxel& a, const EmissiveVoxel& b) {
    return a.voxel.y != b.voxel.y ? a.voxel.y < b.voxel.y : a.voxel.x < b.voxel.x;
}

} // namespace

SlicedVoxels sortBySlice(std::uint32_t levels, std::span<const EmissiveVoxel> voxels) {
    const std::size_t slices = std::size_t{1} << (2 * levels);
    const std::size_t pieces = piecesOf(voxels.size());
    const std::size_t length = divideUp(voxels.size(), pieces);
    std::vector<std::vector<std::size_t>> next(pieces, std::vector<std::size_t>(slices)); // where those of a slice go
    const auto forEachVoxel = [&](const auto& body) {
        parallelFor(static_cast<std::int64_t>(pieces), 1, [&](std::int64_t i) {
            const auto piece = static_cast<std::size_t>(i);
            const std::size_t first = std::min(piece * length, voxels.size());
            for (const EmissiveVoxel& voxel : voxels.subspan(first, std::min(length, voxels.size() - first))) {
                body(voxel, next[piece][voxel.voxel.z]);
            }
        });
    };
    forEachVoxel([](const EmissiveVoxel& /*voxel*/, std::size_t& count) { ++count; });
    SlicedVoxels sliced;
    std::vector<std::size_t>& begins = sliced.begins;
    std::size_t before = 0;
    for (std::size_t slice = 0; slice < slices; ++slice) {
        begins.push_back(before);
        for (std::vector<std::size_t>& ofPiece : next) {
            before += std::exchange(ofPiece[slice], before);
        }
    }
    begins.push_back(before);
    std::vector<EmissiveVoxel>& sorted = sliced.voxels;
    sorted.resize(voxels.size());
    forEachVoxel([&](const EmissiveVoxel& voxel, std::size_t& place) { sorted[place++] = voxel; });
    parallelFor(static_cast<std::int64_t>(begins.size()) - 1, 16, [&](std::int64_t i) {
        const auto slice = static_cast<std::size_t>(i);
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begins[slice]),
                  sorted.begin() + static_cast<std::ptrdiff_t>(begins[slice + 1]), isBeforeInSlice);
    });
    return sliced;
}

std::vector<std::vector<std::uint32_t>> joinLamps(const SlicedVoxels& sliced, std::span<const std::uint32_t> kinds) {
    const std::size_t count = piecesOf(sliced.voxels.size());
    std::vector<std::uint32_t> pieces;
    for (std::size_t i = 0; i <= count; ++i) { // of whole slices; some may be empty
        const auto begin =
            std::lower_bound(sliced.begins.begin(), sliced.begins.end(), i * sliced.voxels.size() / count);
        pieces.push_back(static_cast<std::uint32_t>(*begin));
    }
    const std::vector<Run> runs = LampJoiner(sliced.voxels, kinds).joinAll(pieces);
    std::vector<std::uint32_t> lampOf(runs.size());
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].parent == i) {
            lampOf[i] = static_cast<std::uint32_t>(sizes.size());
            sizes.push_back(0);
        }
        lampOf[i] = lampOf[runs[i].parent];
        sizes[lampOf[i]] += runs[i].count;
    }
    std::vector<std::vector<std::uint32_t>> lamps(sizes.size());
    for (std::size_t i = 0; i < lamps.size(); ++i) {
        lamps[i].reserve(sizes[i]);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (std::uint32_t k = 0; k < runs[i].count; ++k) {
            lamps[lampOf[i]].push_back(runs[i].first + k);
        }
    }
    return lamps;
}

} // namespace aureole
