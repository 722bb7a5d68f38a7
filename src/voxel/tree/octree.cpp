#include "voxel/tree/octree.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <type_traits>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "integrator/bsdf_tables.h"
#include "shared/octree/attributes.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

template <OctreeEncoding kind, typename T>
constexpr bool kStandsAt =
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(kind), decltype(Octree::encoding)>, T>;
static_assert(kStandsAt<OctreeEncoding::Tree, TreeEncoding> && kStandsAt<OctreeEncoding::Dag, DagEncoding> &&
              kStandsAt<OctreeEncoding::Planes, PlanesEncoding> && kStandsAt<OctreeEncoding::Field, FieldEncoding>);

struct LeafBit {
    std::uint32_t leaf; ///< or OCTREE_NO_LEAF
    std::uint32_t bit;
};

/// The code of a voxel of the grid; none for one outside of it, and where no voxel is solid.
std::optional<std::uint64_t> codeWithin(const Octree& octree, const glm::ivec3& voxel) {
    const int side = 1 << (2U * octree.levels);
    if (octree.voxels == 0 || glm::any(glm::lessThan(voxel, glm::ivec3(0))) ||
        glm::any(glm::greaterThanEqual(voxel, glm::ivec3(side)))) {
        return std::nullopt;
    }
    return cellCode(glm::uvec3(voxel));
}

/// Where a solid voxel stands; none for an empty one and outside the grid.
std::optional<LeafBit> findVoxel(const Octree& octree, const glm::ivec3& voxel) {
    const std::optional<std::uint64_t> code = codeWithin(octree, voxel);
    if (!code) {
        return std::nullopt;
    }
    std::uint32_t index = 0;
    for (std::uint32_t level = 0; level + 1 < octree.levels; ++level) {
        const auto bit = static_cast<std::uint32_t>((*code >> (6U * (octree.levels - 1 - level))) & 63U);
        const shared::OctreeNode node = innerNode(octree, index);
        if (shared::maskHasBit(maskOf(node), bit) == 0) {
            return std::nullopt;
        }
        if ((node.flags & OCTREE_NODE_FULL) != 0) {
            return LeafBit{OCTREE_NO_LEAF, 0};
        }
        index = node.firstChild + shared::maskRank(maskOf(node), bit);
    }
    const auto bit = static_cast<std::uint32_t>(*code & 63U);
    if (shared::maskHasBit(leafMasks(octree, index).solid, bit) == 0) {
        return std::nullopt;
    }
    return LeafBit{index, bit};
}

/// Where the attributes of the cell of an octree of planes stand that holds a voxel with surface in it.
std::optional<std::uint64_t> findCell(const Octree& octree, const PlanesEncoding& planes, const glm::ivec3& voxel) {
    const std::optional<std::uint64_t> code = codeWithin(octree, voxel);
    if (!code) {
        return std::nullopt;
    }
    std::uint64_t index = 0;
    for (std::uint32_t shift = 6 * (octree.levels - 1);; shift -= 6) {
        const shared::OctreeNode& node = planes.nodes[index];
        const auto bit = static_cast<std::uint32_t>((*code >> shift) & 63U);
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

/// Bytes of an encoding that are occupancy.
struct OccupancyBytes {
    std::uint64_t operator()(const TreeEncoding& tree) const {
        return tree.nodes.bytes() + tree.leaves.bytes() + tree.surfaces.bytes() + tree.leafOffsets.bytes() +
               tree.leafGroups.bytes();
    }
    std::uint64_t operator()(const DagEncoding& dag) const {
        return dag.masks.bytes() + dag.surfaces.bytes() + dag.words.bytes();
    }
    std::uint64_t operator()(const PlanesEncoding& planes) const { return planes.nodes.bytes(); }
    std::uint64_t operator()(const FieldEncoding& field) const { return (*this)(field.tree); }
};

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

/// Fills in what a view has of an encoding.
struct EncodingView {
    shared::OctreeView& view;

    void operator()(const TreeEncoding& tree) const {
        setChunks(view.nodes, tree.nodes, OCTREE_NODE_CHUNK_SHIFT, "nodes");
        setChunks(view.leaves, tree.leaves, OCTREE_LEAF_CHUNK_SHIFT, "leaves");
        setChunks(view.surfaces, tree.surfaces, OCTREE_LEAF_CHUNK_SHIFT, "leaves");
        setChunks(view.leafOffsets, tree.leafOffsets, OCTREE_OFFSET_CHUNK_SHIFT, "lines of leaves");
        view.leafGroups = tree.leafGroups.empty() ? 0 : reinterpret_cast<std::uint64_t>(tree.leafGroups.data());
    }
    void operator()(const DagEncoding& dag) const {
        const DagReader reader(dag);
        const DagLayout& layout = reader.layout();
        setChunks(view.nodes, reader.entryPart(), layout.entryChunkWords(), "words of entries");
        setChunks(view.leaves, dag.masks, OCTREE_LEAF_CHUNK_SHIFT, "masks");
        setChunks(view.surfaces, dag.surfaces, OCTREE_LEAF_CHUNK_SHIFT, "masks");
        setChunks(view.leafOffsets, reader.referencePart(), layout.referenceChunkWords(), "words of references");
        view.leafGroups = reinterpret_cast<std::uint64_t>(reader.countPart().data());
        view.dagBits = layout.bits;
    }
    void operator()(const PlanesEncoding& planes) const {
        setChunks(view.nodes, planes.nodes, OCTREE_NODE_CHUNK_SHIFT, "nodes");
        setChunks(view.details, planes.slabs, OCTREE_ATTRIBUTE_CHUNK_SHIFT, "slabs");
    }
    void operator()(const FieldEncoding& field) const {
        (*this)(field.tree);
        setChunks(view.details, field.distances, OCTREE_ATTRIBUTE_CHUNK_SHIFT, "voxels");
    }
};

} // namespace

const std::vector<std::string>& encodingNames() {
    static const std::vector<std::string> names = {"tree", "dag", "planes", "field"};
    return names;
}

const char* unitName(const Octree& octree) {
    return octree.encodingKind() == OctreeEncoding::Planes ? "cell" : "voxel";
}

std::uint64_t Octree::occupancyBytes() const {
    return std::visit(OccupancyBytes(), encoding);
}

std::uint64_t Octree::detailBytes() const {
    if (const auto* const planes = std::get_if<PlanesEncoding>(&encoding)) {
        return planes->slabs.bytes();
    }
    const auto* const field = std::get_if<FieldEncoding>(&encoding);
    return field != nullptr ? field->distances.bytes() : 0;
}

std::uint64_t Octree::bytes() const {
    return occupancyBytes() + detailBytes() + attributes.bytes() + leafAverages.bytes() + nodeAverages.bytes() +
           leafMaterials.bytes() + nodeMaterials.bytes() + palette.bytes() + materialRuns.bytes() + materials.bytes() +
           (lamps ? lamps->bytes() : 0);
}

const TreeEncoding* findTree(const Octree& octree) {
    const auto* const field = std::get_if<FieldEncoding>(&octree.encoding);
    return field != nullptr ? &field->tree : std::get_if<TreeEncoding>(&octree.encoding);
}

TreeEncoding* findTree(Octree& octree) {
    auto* const field = std::get_if<FieldEncoding>(&octree.encoding);
    return field != nullptr ? &field->tree : std::get_if<TreeEncoding>(&octree.encoding);
}

std::vector<MaterialConstants> makeOctreeMaterials(std::span<const Material> materials) {
    std::vector<MaterialConstants> made;
    const std::vector<std::uint32_t> tables = bsdfTablesOf(materials);
    for (std::size_t i = 0; i < materials.size(); ++i) {
        made.emplace_back(materials[i]).rough = tables[i] != 0 ? 1U : 0U;
    }
    if (made.empty()) {
        made.emplace_back();
    }
    return made;
}

shared::OctreeView makeView(const Octree& octree) {
    shared::OctreeView view{};
    std::visit(EncodingView{view}, octree.encoding);
    setChunks(view.attributes, octree.attributes, OCTREE_ATTRIBUTE_CHUNK_SHIFT, "voxels");
    view.palette = reinterpret_cast<std::uint64_t>(octree.palette.data());
    view.materialRuns = reinterpret_cast<std::uint64_t>(octree.materialRuns.data());
    view.materialRunCount = static_cast<std::uint32_t>(octree.materialRuns.size());
    view.levels = octree.levels;
    view.encoding = static_cast<std::uint32_t>(octree.encodingKind());
    view.isShape = octree.isShape ? 1U : 0U;
    return view;
}

bool isSolid(const Octree& octree, const glm::ivec3& voxel) {
    const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding);
    return planes != nullptr ? findCell(octree, *planes, voxel).has_value() : findVoxel(octree, voxel).has_value();
}

std::uint64_t attributeBase(const TreeEncoding& tree, std::uint32_t leaf) {
    if (tree.leafGroups.empty()) {
        return 0; // of a shape
    }
    std::uint64_t base =
        tree.leafGroups[leaf >> OCTREE_LEAF_GROUP_SHIFT] + tree.leafOffsets[leaf >> OCTREE_LEAF_LINE_SHIFT];
    for (std::uint32_t i = leaf & ~OCTREE_LEAF_LINE_LAST; i < leaf; ++i) {
        base += shared::maskCount(tree.surface(i));
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

bool usesPlainMaterial(const Octree& octree) {
    if (octree.palette.size() < 2 || octree.materialRuns.empty()) {
        return true;
    }
    constexpr std::int64_t kAtOnce = std::int64_t{1} << 18U;
    const auto size = static_cast<std::int64_t>(octree.attributes.size());
    std::atomic<bool> found = false;
    parallelFor((size + kAtOnce - 1) / kAtOnce, 1, [&](std::int64_t part) {
        const auto* const first = octree.attributes.begin() + part * kAtOnce;
        const auto* const end = octree.attributes.begin() + std::min(size, (part + 1) * kAtOnce);
        const bool uses = !found && std::any_of(first, end, [](const shared::VoxelAttributes& attributes) {
            return ((attributes.shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL) == 0;
        });
        found = found || uses;
    });
    return found;
}

std::vector<shared::MaterialRun> singleRun(std::size_t entries) {
    if (entries > ATTRIBUTE_MAX_MATERIAL + 1) {
        fail(ExitCode::Internal, "octree: {} entries of a palette are too many for one run", entries);
    }
    return entries < 2 ? std::vector<shared::MaterialRun>() : std::vector<shared::MaterialRun>{{0, 0, 0}};
}

std::optional<std::uint64_t> attributeIndexAt(const Octree& octree, const glm::ivec3& voxel) {
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        return findCell(octree, *planes, voxel);
    }
    const std::optional<LeafBit> found = findVoxel(octree, voxel);
    if (!found || found->leaf == OCTREE_NO_LEAF) {
        return std::nullopt;
    }
    const TreeEncoding* const tree = findTree(octree);
    if (tree == nullptr) { // a DAG's attributes are found by counting on the way down
        const shared::OctreeView view = makeView(octree);
        const std::uint64_t index = shared::dagAttributeIndex(reinterpret_cast<std::uint64_t>(&view), voxel);
        return index == OCTREE_NO_ATTRIBUTES ? std::nullopt : std::optional(index);
    }
    const shared::uvec2 surface = tree->surface(found->leaf);
    if (shared::maskHasBit(surface, found->bit) == 0) {
        return std::nullopt;
    }
    return tree->leafGroups.empty() ? 0 : attributeBase(*tree, found->leaf) + shared::maskRank(surface, found->bit);
}

std::optional<shared::VoxelAttributes> attributesAt(const Octree& octree, const glm::ivec3& voxel) {
    const std::optional<std::uint64_t> index = attributeIndexAt(octree, voxel);
    return index ? std::optional(octree.attributesOf(*index)) : std::nullopt;
}

} // namespace aureole
