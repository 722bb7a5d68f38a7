#include "voxel/tree/octree.h"

#include <algorithm>
#include <span>

#include "core/error.h"
#include "integrator/path_setup.h"
#include "shared/octree/attributes.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

shared::uvec2 maskOf(const shared::OctreeNode& node) {
    return {node.maskLow, node.maskHigh};
}

struct LeafBit {
    std::uint32_t leaf; ///< or OCTREE_NO_LEAF
    std::uint32_t bit;
};

/// Where a solid voxel stands; none for an empty one and outside the grid.
std::optional<LeafBit> findVoxel(const Octree& octree, const glm::ivec3& voxel) {
    const int side = 1 << (2U * octree.levels);
    if (octree.leaves.empty() || glm::any(glm::lessThan(voxel, glm::ivec3(0))) ||
        glm::any(glm::greaterThanEqual(voxel, glm::ivec3(side)))) {
        return std::nullopt;
    }
    const std::uint64_t code = cellCode(glm::uvec3(voxel));
    std::uint32_t index = 0;
    for (std::uint32_t level = 0; level + 1 < octree.levels; ++level) {
        const auto bit = static_cast<std::uint32_t>((code >> (6U * (octree.levels - 1 - level))) & 63U);
        const shared::OctreeNode node = innerNode(octree, index);
        if (shared::maskHasBit(maskOf(node), bit) == 0) {
            return std::nullopt;
        }
        if ((node.flags & OCTREE_NODE_FULL) != 0) {
            return LeafBit{OCTREE_NO_LEAF, 0};
        }
        index = node.firstChild + shared::maskRank(maskOf(node), bit);
    }
    const auto bit = static_cast<std::uint32_t>(code & 63U);
    if (shared::maskHasBit(octree.leaves[leafMaskIndex(octree, index)], bit) == 0) {
        return std::nullopt;
    }
    return LeafBit{index, bit};
}

/// Where the attributes of the cell of an octree of planes stand that holds a voxel with surface in it.
std::optional<std::uint64_t> findCell(const Octree& octree, const glm::ivec3& voxel) {
    const int side = 1 << (2U * octree.levels);
    if (octree.nodes.empty() || glm::any(glm::lessThan(voxel, glm::ivec3(0))) ||
        glm::any(glm::greaterThanEqual(voxel, glm::ivec3(side)))) {
        return std::nullopt;
    }
    const std::uint64_t code = cellCode(glm::uvec3(voxel));
    std::uint64_t index = 0;
    for (std::uint32_t shift = 6 * (octree.levels - 1);; shift -= 6) {
        const shared::OctreeNode& node = octree.nodes[index];
        const auto bit = static_cast<std::uint32_t>((code >> shift) & 63U);
        if (shared::maskHasBit(maskOf(node), bit) == 0) {
            return std::nullopt;
        }
        if ((node.flags & OCTREE_NODE_TERMINAL) != 0) {
            return node.firstChild;
        }
        index = std::uint64_t{node.firstChild} + shared::maskRank(maskOf(node), bit);
        if (shift == 0) {
            return index;
        }
    }
}

template <typename T>
std::uint64_t bytesOf(const Array<T>& values) {
    return values.size() * sizeof(T);
}

/// Fills the addresses of an array's chunks of `size` elements.
template <typename T, std::size_t N>
void setChunks(std::uint64_t (&addresses)[N], std::span<const T> values, std::size_t size, const char* name) {
    const std::size_t chunks = (values.size() + size - 1) / size;
    if (chunks > N) {
        fail(ExitCode::OutOfMemory, "the octree has {} {}, more than the {} that a view can address", values.size(),
             name, N * size);
    }
    for (std::size_t i = 0; i < N; ++i) {
        addresses[i] = i < chunks ? reinterpret_cast<std::uint64_t>(values.data() + i * size) : 0;
    }
}

template <typename T, std::size_t N>
void setChunks(std::uint64_t (&addresses)[N], const Array<T>& values, unsigned shift, const char* name) {
    setChunks(addresses, std::span<const T>(values), std::size_t{1} << shift, name);
}

} // namespace

const std::vector<std::string>& coverageNames() {
    static const std::vector<std::string> names = {"conservative", "thin", "solid"};
    return names;
}

const std::vector<std::string>& encodingNames() {
    static const std::vector<std::string> names = {"tree", "dag", "planes", "field"};
    return names;
}

const char* unitName(const Octree& octree) {
    return octree.encoding == OctreeEncoding::Planes ? "cell" : "voxel";
}

std::uint64_t Octree::occupancyBytes() const {
    return bytesOf(nodes) + bytesOf(leaves) + bytesOf(surfaces) + bytesOf(leafOffsets) + bytesOf(leafGroups) +
           bytesOf(dag);
}

std::uint64_t Octree::bytes() const {
    return occupancyBytes() + bytesOf(attributes) + bytesOf(slabs) + bytesOf(distances) + bytesOf(leafAverages) +
           bytesOf(nodeAverages) + bytesOf(leafMaterials) + bytesOf(nodeMaterials) + bytesOf(palette) +
           bytesOf(materialRuns) + bytesOf(materials);
}

std::vector<OctreeMaterial> makeOctreeMaterials(std::span<const Material> materials) {
    std::vector<OctreeMaterial> made;
    for (const shared::MaterialTraits& traits : makeMaterialTraits(materials, Space{})) {
        made.push_back({traits.model, traits.ior, traits.absorption, traits.lightGroup, traits.table != 0 ? 1U : 0U});
    }
    if (made.empty()) {
        made.emplace_back();
    }
    return made;
}

shared::OctreeView makeView(const Octree& octree) {
    shared::OctreeView view{};
    setChunks(view.nodes, octree.nodes, OCTREE_NODE_CHUNK_SHIFT, "nodes");
    setChunks(view.leaves, octree.leaves, OCTREE_LEAF_CHUNK_SHIFT, "leaves");
    setChunks(view.surfaces, octree.surfaces, OCTREE_LEAF_CHUNK_SHIFT, "leaves");
    setChunks(view.leafOffsets, octree.leafOffsets, OCTREE_OFFSET_CHUNK_SHIFT, "lines of leaves");
    setChunks(view.attributes, octree.attributes, OCTREE_ATTRIBUTE_CHUNK_SHIFT, "voxels");
    if (octree.encoding == OctreeEncoding::Planes) {
        setChunks(view.details, octree.slabs, OCTREE_ATTRIBUTE_CHUNK_SHIFT, "slabs");
    } else {
        setChunks(view.details, octree.distances, OCTREE_ATTRIBUTE_CHUNK_SHIFT, "voxels");
    }
    view.leafGroups = reinterpret_cast<std::uint64_t>(octree.leafGroups.data());
    view.palette = reinterpret_cast<std::uint64_t>(octree.palette.data());
    view.materialRuns = reinterpret_cast<std::uint64_t>(octree.materialRuns.data());
    view.materialRunCount = static_cast<std::uint32_t>(octree.materialRuns.size());
    view.levels = octree.levels;
    view.encoding = static_cast<std::uint32_t>(octree.encoding);
    if (octree.encoding == OctreeEncoding::Dag) {
        const DagReader dag(octree);
        setChunks(view.nodes, dag.entryPart(), dag.layout().entryChunkWords(), "words of entries");
        setChunks(view.leafOffsets, dag.referencePart(), dag.layout().referenceChunkWords(), "words of references");
        view.leafGroups = reinterpret_cast<std::uint64_t>(dag.countPart().data());
        view.dagBits = dag.layout().bits;
    }
    return view;
}

bool isSolid(const Octree& octree, const glm::ivec3& voxel) {
    return octree.encoding == OctreeEncoding::Planes ? findCell(octree, voxel).has_value()
                                                     : findVoxel(octree, voxel).has_value();
}

std::uint64_t attributeBase(const Octree& octree, std::uint32_t leaf) {
    std::uint64_t base =
        octree.leafGroups[leaf >> OCTREE_LEAF_GROUP_SHIFT] + octree.leafOffsets[leaf >> OCTREE_LEAF_LINE_SHIFT];
    for (std::uint32_t i = leaf & ~OCTREE_LEAF_LINE_LAST; i < leaf; ++i) {
        base += shared::maskCount(surfaceMask(octree, i));
    }
    return base;
}

std::uint32_t paletteIndex(const Octree& octree, std::uint64_t attributes, std::uint32_t number) {
    if (number == 0 || octree.materialRuns.empty()) {
        return 0;
    }
    const auto* const run =
        std::upper_bound(octree.materialRuns.begin(), octree.materialRuns.end(), attributes,
                         [](std::uint64_t index, const shared::MaterialRun& r) { return index < r.first; });
    return (run - 1)->base + number;
}

std::vector<shared::MaterialRun> singleRun(std::size_t entries) {
    if (entries > ATTRIBUTE_MAX_MATERIAL + 1) {
        fail(ExitCode::Internal, "octree: {} entries of a palette are too many for one run", entries);
    }
    return entries < 2 ? std::vector<shared::MaterialRun>() : std::vector<shared::MaterialRun>{{0, 0, 0}};
}

std::optional<std::uint64_t> attributeIndexAt(const Octree& octree, const glm::ivec3& voxel) {
    if (octree.encoding == OctreeEncoding::Planes) {
        return findCell(octree, voxel);
    }
    const std::optional<LeafBit> found = findVoxel(octree, voxel);
    if (!found || found->leaf == OCTREE_NO_LEAF) {
        return std::nullopt;
    }
    if (octree.encoding == OctreeEncoding::Dag) {
        const shared::OctreeView view = makeView(octree);
        const std::uint64_t index = shared::dagAttributeIndex(reinterpret_cast<std::uint64_t>(&view), voxel);
        return index == OCTREE_NO_ATTRIBUTES ? std::nullopt : std::optional(index);
    }
    const shared::uvec2 surface = surfaceMask(octree, found->leaf);
    if (shared::maskHasBit(surface, found->bit) == 0) {
        return std::nullopt;
    }
    return attributeBase(octree, found->leaf) + shared::maskRank(surface, found->bit);
}

std::optional<shared::VoxelAttributes> attributesAt(const Octree& octree, const glm::ivec3& voxel) {
    const std::optional<std::uint64_t> index = attributeIndexAt(octree, voxel);
    return index ? std::optional(octree.attributes[*index]) : std::nullopt;
}

} // namespace aureole
