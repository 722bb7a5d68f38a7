#include "voxel/tree/dag_check.h"

#include <vector>

#include "voxel/tree/dag.h"
#include "voxel/tree/malformed.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

/// The size of everything, so that a reader stays inside.
void checkSizes(const fs::path& file, const Octree& octree, const DagEncoding& dag) {
    if (dag.words.size() < kDagHeadWords) {
        refuse(file, "found {} words of a DAG, expected at least {}", dag.words.size(), kDagHeadWords);
    }
    constexpr std::uint64_t kMost = std::uint64_t{OCTREE_CHUNKS} << OCTREE_DAG_CHUNK_SHIFT;
    const DagLayout layout = dagLayout(dag);
    const auto isWidth = [](std::uint32_t bits) { return bits >= 1 && bits <= 31; };
    const bool isCount = octree.isShape ? layout.countBits() == 0 : isWidth(layout.countBits());
    if (!isWidth(layout.numberBits()) || !isWidth(layout.firstBits()) || !isCount || layout.bits >> 24U != 0) {
        refuse(file, "found fields of {}, {} and {} bits in entries of {}, expected 1 to 31 each{}",
               layout.numberBits(), layout.firstBits(), layout.countBits(), layout.entryBits(),
               octree.isShape ? ", but 0 for the last, of a shape" : "");
    }
    if (layout.entries < 1 || layout.references < 1 || layout.entries > kMost || layout.references > kMost) {
        refuse(file, "found {} entries and {} references, expected 1 to {}", layout.entries, layout.references, kMost);
    }
    checkCount(file, "words of a DAG", dag.words.size(), layout.totalWords());
    checkCount(file, "surfaces of leaves", dag.surfaces.size(),
               octree.coverage == Coverage::Solid && !octree.isShape ? dag.masks.size() : 0);
}

void checkMasks(const fs::path& file, const DagEncoding& dag) {
    for (std::size_t i = 0; i < dag.masks.size(); ++i) {
        const shared::uvec2 solid = dag.masks[i];
        const shared::uvec2 surface = dag.surface(i);
        if (solid == shared::uvec2(0)) {
            refuse(file, "mask {} is empty", i);
        }
        if ((surface.x & ~solid.x) != 0 || (surface.y & ~solid.y) != 0) {
            refuse(file, "mask {} has attributes for empty voxels", i);
        }
    }
}

class DagChecker {
public:
    DagChecker(const fs::path& file, const Octree& octree, const DagEncoding& dag)
        : file_(file)
        , octree_(octree)
        , dag_(dag)
        , reader_(dag) {}

    TreeTotals check() {
        checkNumbers();
        checkLevels();
        std::vector<TreeTotals> totals;
        for (std::uint32_t level = octree_.levels - 1; level-- > 0;) {
            totals = addUp(level, totals);
        }
        return totals[0];
    }

private:
    void checkNumbers() const {
        const std::uint64_t masks = dag_.masks.size();
        const DagLayout& layout = reader_.layout();
        for (std::uint64_t i = 0; i < layout.entries; ++i) {
            if (reader_.number(i) >= masks) {
                refuse(file_, "entry {} has mask {} of {}", i, reader_.number(i), masks);
            }
        }
        for (std::uint64_t i = 0; i < layout.references; ++i) {
            if (reader_.leaf(i) >= masks) {
                refuse(file_, "reference {} is to mask {} of {}", i, reader_.leaf(i), masks);
            }
        }
    }

    /// Lists of children stand in the order of their first use, level by level, so that one pass finds where levels
    /// end, and no entry can lead to its own level.
    void checkLevels() {
        const DagLayout& layout = reader_.layout();
        std::uint64_t first = 0;
        std::uint64_t end = 1; // of the level
        for (std::uint32_t level = 0; level + 1 < octree_.levels; ++level) {
            const bool lowest = level + 2 == octree_.levels;
            const std::uint64_t limit = lowest ? layout.references : layout.entries;
            const std::uint64_t start = lowest ? 1 : end; // of the level below
            std::uint64_t next = start;
            starts_.push_back(first);
            for (std::uint64_t i = first; i < end; ++i) {
                const std::uint64_t children = shared::maskCount(dag_.masks[reader_.number(i)]);
                const std::uint64_t child = reader_.first(i);
                if (child == 0 && children == 64 && level > 0 && octree_.coverage == Coverage::Solid) {
                    continue;
                }
                next += child == next ? children : 0;
                if (child < start || child + children > next || next > limit) {
                    refuse(file_, "entry {} has {} children from {}, expected some from {} to {} of {}", i, children,
                           child, start, next, limit);
                }
            }
            first = end;
            end = next;
        }
        starts_.push_back(first);
        checkCount(file_, "entries", layout.entries, first);
        checkCount(file_, "references", layout.references, end);
        checkCount(file_, "entries above the lowest", layout.upper, octree_.isShape ? 0 : starts_[octree_.levels - 2]);
    }

    TreeTotals leafTotals(std::uint64_t reference) const {
        const std::uint32_t mask = reader_.leaf(reference);
        return {shared::maskCount(dag_.masks[mask]), shared::maskCount(dag_.surface(mask)), 1, 0};
    }

    /// The totals of a level's entries from those of the level below.
    std::vector<TreeTotals> addUp(std::uint32_t level, const std::vector<TreeTotals>& below) const {
        const bool lowest = level + 2 == octree_.levels;
        std::vector<TreeTotals> totals;
        totals.reserve(starts_[level + 1] - starts_[level]);
        for (std::uint64_t i = starts_[level]; i < starts_[level + 1]; ++i) {
            TreeTotals sum{0, 0, 0, 1};
            const std::uint64_t child = reader_.first(i);
            if (child == 0) {
                sum.voxels = std::uint64_t{1} << (6U * (octree_.levels - level));
            }
            const std::uint64_t end = child == 0 ? 0 : child + shared::maskCount(dag_.masks[reader_.number(i)]);
            for (std::uint64_t c = child; c < end; ++c) {
                if (!lowest && !octree_.isShape && reader_.count(c) != sum.attributes) {
                    refuse(file_, "entry {} counts {} attributes before it, expected {}", c, reader_.count(c),
                           sum.attributes);
                }
                const TreeTotals add = lowest ? leafTotals(c) : below[c - starts_[level + 1]];
                sum.voxels += add.voxels;
                sum.attributes += add.attributes;
                sum.leaves += add.leaves;
                sum.nodes += add.nodes;
            }
            totals.push_back(sum);
        }
        return totals;
    }

    const fs::path& file_;
    const Octree& octree_;
    const DagEncoding& dag_;
    DagReader reader_;
    std::vector<std::uint64_t> starts_; ///< of the levels' entries, and their end
};

} // namespace

TreeTotals checkDag(const fs::path& file, const Octree& octree, const DagEncoding& dag) {
    checkSizes(file, octree, dag);
    checkMasks(file, dag);
    return DagChecker(file, octree, dag).check();
}

} // namespace aureole
