#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/set_bits.h"
#include "core/threads/parallel.h"
#include "core/trace.h"
#include "shared/octree/attributes.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

constexpr std::size_t kSubtrees = 512;
constexpr std::array<std::uint64_t, 1> kRoot = {0}; ///< its code
constexpr std::size_t kEmissiveAtOnce = 4096;

/// The node of a level with a code.
WalkNode nodeAt(const Octree& octree, std::uint64_t code, std::uint32_t level) {
    WalkNode node;
    while (node.level < level) {
        const std::uint64_t wanted = code >> (6U * (level - node.level - 1));
        const std::vector<WalkNode> children = walkChildren(octree, node);
        const auto found =
            std::find_if(children.begin(), children.end(), [&](const WalkNode& child) { return child.code == wanted; });
        if (found == children.end()) {
            fail(ExitCode::Internal, "octree: found no node {:#x} of level {}", code, level);
        }
        node = *found;
    }
    return node;
}

/// The nodes of one level below some of one level, or these, about enough of them to share out.
std::vector<WalkNode> subtrees(const Octree& octree, std::vector<WalkNode> nodes) {
    while (nodes.size() < kSubtrees && nodes[0].level + 2 < octree.levels) {
        std::vector<WalkNode> children;
        for (const WalkNode& node : nodes) {
            const std::vector<WalkNode> own = walkChildren(octree, node);
            children.insert(children.end(), own.begin(), own.end());
        }
        if (children.empty()) {
            return {};
        }
        nodes = std::move(children);
    }
    return nodes;
}

bool neighbourSolid(const Octree& octree, std::uint64_t mask, const glm::uvec3& voxel, std::uint32_t face) {
    const auto axis = static_cast<int>(face >> 1U);
    const glm::ivec3 neighbour = neighbourOf(voxel, face);
    if ((neighbour[axis] >> 2) == (static_cast<int>(voxel[axis]) >> 2)) {
        const glm::uvec3 cell(neighbour);
        return ((mask >> shared::cellBit(cell.x, cell.y, cell.z)) & 1U) != 0;
    }
    return isSolid(octree, neighbour);
}

/// Whether rays may come to a voxel, of which isCovered(face) tells whether its neighbour there is solid. Past surfaces
/// within voxels they go everywhere.
template <typename IsCovered>
bool isReached(const Octree& octree, const IsCovered& isCovered) {
    const OctreeEncoding encoding = octree.encodingKind();
    bool reached = encoding == OctreeEncoding::Planes || encoding == OctreeEncoding::Field;
    for (std::uint32_t face = 0; face < 6 && !reached; ++face) {
        reached = !isCovered(face);
    }
    return reached;
}

/// The voxels with attributes of a leaf, or of a node of planes in its place.
std::uint64_t surfaceMask(const Octree& octree, const WalkNode& leaf) {
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        const shared::OctreeNode& node = planes->nodes[leaf.index];
        return node.flags != 0 ? 0 : wholeMask(maskOf(node)); // what emits is never merged
    }
    return wholeMask(leafMasks(octree, leaf.index).surface);
}

/// Tells which voxels emit. Voxels come about in the order of their attributes, so that the run of one is mostly that
/// of the one before.
class EmissiveEntries {
public:
    /// `emits`: of each entry of the octree's palette.
    EmissiveEntries(const Octree& octree, std::span<const char> emits)
        : octree_(&octree)
        , emits_(emits) {}

    /// The palette's entry of a voxel, by the index of its attributes, where it emits; else 0, which never does.
    std::uint32_t find(std::uint64_t attributes) {
        const std::uint32_t number = materialNumber(octree_->attributesOf(attributes));
        if (number == 0) {
            return 0;
        }
        if (attributes < first_ || attributes >= end_) {
            enterRun(attributes);
        }
        return emits_[base_ + number] != 0 ? base_ + number : 0;
    }

private:
    void enterRun(std::uint64_t attributes) {
        const Array<shared::MaterialRun>& runs = octree_->materialRuns;
        const auto* const next =
            std::upper_bound(runs.begin(), runs.end(), attributes,
                             [](std::uint64_t index, const shared::MaterialRun& run) { return index < run.first; });
        first_ = (next - 1)->first;
        end_ = next == runs.end() ? std::numeric_limits<std::uint64_t>::max() : next->first;
        base_ = (next - 1)->base;
    }

    const Octree* octree_;
    std::span<const char> emits_;
    std::uint64_t first_ = 0; ///< of the run, as end_
    std::uint64_t end_ = 0;
    std::uint32_t base_ = 0;
};

void collectFromLeaf(const Octree& octree, const WalkNode& leaf, bool reachedOnly, EmissiveEntries& entries,
                     std::vector<EmissiveVoxel>& voxels) {
    const bool isLeaf = octree.encodingKind() != OctreeEncoding::Planes;
    const std::uint64_t solid = isLeaf ? wholeMask(leafMasks(octree, leaf.index).solid) : 0;
    std::uint64_t index = leaf.attributes;
    for (const std::uint32_t bit : setBits(surfaceMask(octree, leaf))) {
        if (const std::uint32_t entry = entries.find(index); entry != 0) {
            const glm::uvec3 voxel = codeCell((leaf.code << 6U) | bit);
            const auto isCovered = [&](std::uint32_t face) { return neighbourSolid(octree, solid, voxel, face); };
            if (!reachedOnly || isReached(octree, isCovered)) {
                voxels.push_back({voxel, entry, index});
            }
        }
        ++index;
    }
}

/// Of each entry of the palette whether it emits.
std::vector<char> emittingEntries(const Octree& octree) {
    std::vector<char> emits;
    std::transform(octree.palette.begin(), octree.palette.end(), std::back_inserter(emits),
                   [](const auto& entry) { return static_cast<char>(entry.emission != glm::vec3(0.0F)); });
    return emits;
}

std::vector<EmissiveVoxel> collect(const Octree& octree, std::span<const std::uint64_t> codes, std::uint32_t level,
                                   bool reachedOnly) {
    const TraceSpan span("find emissive voxels");
    const std::vector<char> emits = emittingEntries(octree);
    if (octree.voxels == 0 || octree.materialRuns.empty() || std::count(emits.begin(), emits.end(), 1) == 0) {
        return {};
    }
    std::vector<WalkNode> nodes;
    std::transform(codes.begin(), codes.end(), std::back_inserter(nodes),
                   [&](std::uint64_t code) { return nodeAt(octree, code, level); });
    const std::vector<WalkNode> tasks = nodes.empty() ? nodes : subtrees(octree, std::move(nodes));
    std::vector<std::vector<EmissiveVoxel>> parts(tasks.size());
    parallelFor(static_cast<std::int64_t>(tasks.size()), 1, [&](std::int64_t i) {
        const auto task = static_cast<std::size_t>(i);
        EmissiveEntries entries(octree, emits);
        forEachLeaf(
            octree, [&](const WalkNode& leaf) { collectFromLeaf(octree, leaf, reachedOnly, entries, parts[task]); },
            tasks[task]);
    });
    std::vector<EmissiveVoxel> voxels;
    voxels.reserve(std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                                   [](std::size_t sum, const auto& part) { return sum + part.size(); }));
    for (const std::vector<EmissiveVoxel>& part : parts) {
        voxels.insert(voxels.end(), part.begin(), part.end());
    }
    return voxels;
}

} // namespace

std::vector<EmissiveVoxel> collectEmissiveVoxels(const Octree& octree) {
    return collect(octree, kRoot, 0, true);
}

std::vector<EmissiveVoxel> allEmissiveVoxels(const Octree& octree, std::span<const std::uint64_t> codes,
                                             std::uint32_t levels) {
    return collect(octree, codes, octree.levels - levels, false);
}

std::vector<EmissiveVoxel> allEmissiveVoxels(const Octree& octree) {
    return collect(octree, kRoot, 0, false);
}

std::vector<EmissiveVoxel> reachedOf(const Octree& octree, std::vector<EmissiveVoxel> all) {
    const TraceSpan span("reached emissive voxels");
    const std::vector<char> emits = emittingEntries(octree);
    // Each part where it is, then all together: fresh memory would take longer.
    std::vector<std::span<EmissiveVoxel>> parts(divideUp(all.size(), kEmissiveAtOnce));
    parallelFor(static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t i) {
        const auto part = static_cast<std::size_t>(i);
        const std::size_t first = part * kEmissiveAtOnce;
        const std::span own = std::span(all).subspan(first, std::min(kEmissiveAtOnce, all.size() - first));
        EmissiveEntries entries(octree, emits);
        std::size_t kept = 0;
        for (EmissiveVoxel voxel : own) {
            voxel.entry = entries.find(voxel.attributes);
            const auto isCovered = [&](std::uint32_t face) { return isSolid(octree, neighbourOf(voxel.voxel, face)); };
            if (voxel.entry != 0 && isReached(octree, isCovered)) {
                own[kept++] = voxel;
            }
        }
        parts[part] = own.first(kept);
    });
    auto end = all.begin();
    for (const std::span<EmissiveVoxel> part : parts) {
        end = std::move(part.begin(), part.end(), end);
    }
    all.erase(end, all.end());
    return all;
}

} // namespace aureole
