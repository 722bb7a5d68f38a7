#include "voxel/tree/dag.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/error.h"
#include "core/interrupt.h"
#include "core/progress.h"
#include "voxel/tree/hash_index.h"
#include "voxel/tree/octree_walk.h"
#include "voxel/tree/packed_words.h"

namespace aureole {

namespace {

/// Masks, entries and references each: their indices have fields of 31 bits, and references 16 chunks.
constexpr std::uint64_t kMaxCount = (std::uint64_t{1} << 31U) - 1;
constexpr std::uint64_t kStep = std::uint64_t{1} << 18U; ///< nodes or leaves between looks at interrupts

void checkIndexable(std::uint64_t count, const char* what) {
    if (count > kMaxCount) {
        fail(ExitCode::OutOfMemory, "the DAG would have more {} than the largest number of {}; keep the tree", what,
             kMaxCount);
    }
}

std::uint32_t widthOf(std::uint64_t largest) {
    return std::max(1U, static_cast<std::uint32_t>(std::bit_width(largest)));
}

/// Says how far the merge is, and ends it where that is asked for.
class Steps {
public:
    explicit Steps(std::uint64_t total)
        : progress_("merging", total) {}
    ~Steps() { progress_.update(done_); }
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;
    Steps(Steps&&) = delete;
    Steps& operator=(Steps&&) = delete;
    void next() {
        if (++done_ % kStep == 0) {
            if (interruptRequested()) {
                fail(ExitCode::Interrupted, "interrupted: nothing was written");
            }
            progress_.update(done_);
        }
    }

private:
    Progress progress_;
    std::uint64_t done_ = 0;
};

/// The different masks of leaves (with what of them has attributes) and of nodes, numbered by how often they are used.
class Masks {
public:
    void count(const shared::uvec2& mask, const shared::uvec2& surface) {
        const std::uint32_t id = idOf(mask, surface);
        if (id == uses_.size()) {
            uses_.push_back(0);
        }
        ++uses_[id];
    }

    /// Fixes the numbers: equally frequent masks have the order that they came in.
    void order() {
        std::vector<std::uint32_t> ids(masks_.size());
        std::iota(ids.begin(), ids.end(), 0U);
        std::stable_sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) { return uses_[a] > uses_[b]; });
        numbers_.resize(ids.size());
        for (std::uint32_t i = 0; i < ids.size(); ++i) {
            numbers_[ids[i]] = i;
        }
    }

    /// The number of a mask, which must have been counted before. To be called after order().
    std::uint32_t numberOf(const shared::uvec2& mask, const shared::uvec2& surface) {
        return numbers_[idOf(mask, surface)];
    }

    std::size_t size() const { return masks_.size(); }
    std::vector<shared::uvec2> masks() const { return byNumber(masks_); }
    std::vector<shared::uvec2> surfaces() const { return byNumber(surfaces_); }

private:
    std::uint32_t idOf(const shared::uvec2& mask, const shared::uvec2& surface) {
        const auto next = static_cast<std::uint32_t>(masks_.size());
        const std::uint32_t id =
            index_.findOrAdd(mixHash(mixHash(0, wholeMask(mask)), wholeMask(surface)), next,
                             [&](std::uint32_t i) { return masks_[i] == mask && surfaces_[i] == surface; });
        if (id == next) {
            checkIndexable(masks_.size() + 1, "masks");
            masks_.push_back(mask);
            surfaces_.push_back(surface);
        }
        return id;
    }

    std::vector<shared::uvec2> byNumber(const std::vector<shared::uvec2>& values) const {
        std::vector<shared::uvec2> ordered(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            ordered[numbers_[i]] = values[i];
        }
        return ordered;
    }

    std::vector<shared::uvec2> masks_; ///< in the order that they came in
    std::vector<shared::uvec2> surfaces_;
    std::vector<std::uint64_t> uses_;
    std::vector<std::uint32_t> numbers_;
    HashIndex index_;
};

/// A subtree: equal ones have equal mask numbers and share their children.
struct Subtree {
    std::uint32_t number = 0;
    std::uint32_t first = 0; ///< of the children among those of the level below, counted from 1; 0 where full
    std::uint64_t attributes = 0;
};

/// The children of the nodes of one level, each different list once.
template <typename Child>
class Lists {
public:
    /// Where the list stands, counted from 1: an equal one that was added before, or a new one.
    std::uint32_t add(std::span<const Child> list) {
        std::uint64_t hash = list.size();
        for (const Child& child : list) {
            hash = mixHash(hash, child.key());
        }
        const auto next = static_cast<std::uint32_t>(starts_.size());
        const std::uint32_t found = index_.findOrAdd(hash, next, [&](std::uint32_t i) {
            const std::uint64_t end = i + 1 < starts_.size() ? starts_[i + 1] : children_.size();
            return end - starts_[i] == list.size() &&
                   std::equal(list.begin(), list.end(), children_.begin() + starts_[i]);
        });
        if (found == next) {
            checkIndexable(children_.size() + list.size() + 1, "children");
            starts_.push_back(static_cast<std::uint32_t>(children_.size()));
            children_.insert(children_.end(), list.begin(), list.end());
        }
        return starts_[found] + 1;
    }

    const std::vector<Child>& children() const { return children_; }

private:
    std::vector<Child> children_;
    std::vector<std::uint32_t> starts_;
    HashIndex index_;
};

struct LeafChild {
    std::uint32_t number = 0;
    std::uint64_t key() const { return number; }
    bool operator==(const LeafChild&) const = default;
};

struct NodeChild {
    std::uint32_t number = 0;
    std::uint32_t first = 0;
    std::uint64_t before = 0; ///< attributes of the siblings before it
    std::uint64_t key() const { return (std::uint64_t{first} << 32U) | number; }
    bool operator==(const NodeChild&) const = default;
};

/// A level's nodes in the tree's array.
struct Level {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

class Merger {
public:
    /// `tree` has so many levels, the leaves counted. Of a shape no attributes are counted.
    Merger(const TreeEncoding& tree, std::uint32_t levels, bool isShape)
        : tree_(tree)
        , isShape_(isShape)
        , steps_(2 * (tree.leaves.size() + tree.nodes.size()))
        , lists_(levels - 1) {
        Level level{0, 1};
        for (std::uint32_t i = 0; i + 1 < levels; ++i) {
            levels_.push_back(level);
            std::uint64_t children = 0;
            for (std::uint64_t n = level.first; n < level.end; ++n) {
                children += isFull(tree.nodes[n]) ? 0 : shared::maskCount(maskOf(tree.nodes[n]));
            }
            level = {level.end, level.end + children};
        }
    }

    void merge() {
        for (std::size_t i = 0; i < tree_.leaves.size(); ++i) {
            steps_.next();
            masks_.count(tree_.leaves[i], tree_.surface(i));
        }
        for (const shared::OctreeNode& node : tree_.nodes) {
            steps_.next();
            masks_.count(maskOf(node), maskOf(node));
        }
        masks_.order();
        std::vector<Subtree> subtrees = mergeLowest();
        for (std::size_t level = levels_.size() - 1; level-- > 0;) {
            subtrees = mergeLevel(level, subtrees);
        }
        root_ = subtrees[0];
    }

    std::vector<shared::uvec2> masks() const { return masks_.masks(); }
    std::vector<shared::uvec2> surfaces() const { return masks_.surfaces(); }
    std::vector<std::uint32_t> pack() const;

private:
    std::vector<std::uint64_t> listStarts() const;
    static bool isFull(const shared::OctreeNode& node) { return (node.flags & OCTREE_NODE_FULL) != 0; }

    /// Merges the nodes of a level, by what `addChildren(node, attributes)` makes of their children.
    template <typename AddChildren>
    std::vector<Subtree> mergeNodes(const Level& level, const AddChildren& addChildren) {
        std::vector<Subtree> subtrees;
        subtrees.reserve(level.end - level.first);
        for (std::uint64_t i = level.first; i < level.end; ++i) {
            steps_.next();
            const shared::OctreeNode& node = tree_.nodes[i];
            Subtree subtree;
            subtree.number = masks_.numberOf(maskOf(node), maskOf(node));
            subtree.first = isFull(node) ? 0 : addChildren(node, subtree.attributes);
            subtrees.push_back(subtree);
        }
        return subtrees;
    }

    std::vector<Subtree> mergeLowest() {
        std::vector<LeafChild> children;
        return mergeNodes(levels_.back(), [&](const shared::OctreeNode& node, std::uint64_t& attributes) {
            children.clear();
            for (std::uint32_t i = 0; i < shared::maskCount(maskOf(node)); ++i) {
                steps_.next();
                const std::size_t leaf = std::size_t{node.firstChild} + i;
                const shared::uvec2 surface = tree_.surface(leaf);
                children.push_back({masks_.numberOf(tree_.leaves[leaf], surface)});
                attributes += shared::maskCount(surface);
            }
            return leaves_.add(children);
        });
    }

    std::vector<Subtree> mergeLevel(std::size_t level, const std::vector<Subtree>& below) {
        std::vector<NodeChild> children;
        return mergeNodes(levels_[level], [&](const shared::OctreeNode& node, std::uint64_t& attributes) {
            children.clear();
            for (std::uint32_t i = 0; i < shared::maskCount(maskOf(node)); ++i) {
                const Subtree& child = below[node.firstChild - levels_[level + 1].first + i];
                children.push_back({child.number, child.first, attributes});
                attributes += child.attributes;
            }
            return lists_[level].add(children);
        });
    }

    const TreeEncoding& tree_;
    bool isShape_;
    Steps steps_;
    std::vector<Level> levels_; ///< of nodes
    Masks masks_;
    Lists<LeafChild> leaves_;
    std::vector<Lists<NodeChild>> lists_; ///< of the nodes of each level but the lowest
    Subtree root_;
};

/// The parts of a packed DAG, each where the layout has it.
std::vector<std::uint32_t> wordsOf(const DagLayout& layout, const PackedWords& entries, const PackedWords& references,
                                   const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint32_t> dag = {layout.entries, layout.references, layout.upper, layout.bits};
    dag.reserve(layout.totalWords());
    dag.insert(dag.end(), entries.words().begin(), entries.words().end());
    dag.resize(kDagHeadWords + layout.entryWords());
    dag.insert(dag.end(), references.words().begin(), references.words().end());
    dag.resize(kDagHeadWords + layout.entryWords() + layout.referenceWords());
    for (const std::uint64_t count : counts) {
        dag.push_back(static_cast<std::uint32_t>(count));
        dag.push_back(static_cast<std::uint32_t>(count >> 32U));
    }
    return dag;
}

/// Where the lists of each level start, the highest first, and where the last of them end.
std::vector<std::uint64_t> Merger::listStarts() const {
    std::vector<std::uint64_t> starts{1}; // behind the root
    for (const auto& lists : lists_) {
        starts.push_back(starts.back() + lists.children().size());
    }
    return starts;
}

/// The root, then the lists of each level, the highest first.
std::vector<std::uint32_t> Merger::pack() const {
    const std::vector<std::uint64_t> starts = listStarts();
    const std::uint64_t entries = starts.back();
    const std::uint64_t upper = levels_.size() == 1 || isShape_ ? 0 : starts[levels_.size() - 2];
    std::uint64_t largestCount = 0;
    if (levels_.size() > 1) {
        for (const NodeChild& child : lists_[levels_.size() - 2].children()) {
            largestCount = std::max(largestCount, child.before);
        }
    }
    const std::uint64_t references = leaves_.children().size() + 1;
    checkIndexable(entries, "nodes");
    const std::uint32_t numberBits = widthOf(masks_.size() - 1);
    const std::uint32_t firstBits = widthOf(std::max(entries, references));
    const std::uint32_t countBits = isShape_ ? 0 : widthOf(largestCount);
    DagLayout layout;
    layout.entries = static_cast<std::uint32_t>(entries);
    layout.references = static_cast<std::uint32_t>(references);
    layout.upper = static_cast<std::uint32_t>(upper);
    layout.bits = numberBits | (firstBits << 8U) | ((numberBits + firstBits + countBits) << 16U);

    PackedWords packed;
    std::vector<std::uint64_t> counts;
    const auto append = [&](std::size_t level, std::uint32_t number, std::uint32_t first, std::uint64_t before) {
        const bool lowest = level + 1 == levels_.size();
        packed.append(number, numberBits);
        // Lists are counted from 1 each, and so are references, the first of which is not used.
        packed.append(first == 0 || lowest ? first : static_cast<std::uint32_t>(starts[level] + first - 1), firstBits);
        if (isShape_) {
            return;
        }
        packed.append(lowest ? static_cast<std::uint32_t>(before) : 0, countBits);
        if (!lowest) {
            counts.push_back(before);
        }
    };
    append(0, root_.number, root_.first, 0);
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
        for (const NodeChild& child : lists_[level].children()) {
            append(level + 1, child.number, child.first, child.before);
        }
    }
    PackedWords leaves;
    leaves.append(0, numberBits);
    for (const LeafChild& child : leaves_.children()) {
        leaves.append(child.number, numberBits);
    }
    return wordsOf(layout, packed, leaves, counts);
}

} // namespace

Octree toDag(Octree&& octree) {
    const auto* const tree = std::get_if<TreeEncoding>(&octree.encoding);
    if (tree == nullptr) {
        fail(ExitCode::Internal, "octree: found the encoding '{}', expected a tree to merge",
             encodingNames()[octree.encoding.index()]);
    }
    Merger merger(*tree, octree.levels, octree.isShape);
    merger.merge();
    DagEncoding dag;
    dag.words = merger.pack();
    dag.masks = merger.masks();
    if (octree.coverage == Coverage::Solid && !octree.isShape) {
        dag.surfaces = merger.surfaces();
    }
    Octree merged = std::move(octree);
    merged.encoding = std::move(dag);
    return merged;
}

} // namespace aureole
