#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/math.h"
#include "scene/scene.h"
#include "settings/coverage.h"
#include "shared/octree/field.h"
#include "shared/octree/slab.h"
#include "voxel/tree/array.h"
#include "voxel/tree/emitter_arrays.h"

namespace aureole {

/// Where a grid of cubic voxels stands in the world: voxel (x, y, z) fills the cube of side `voxelSize` from
/// origin + voxelSize * (x, y, z).
struct VoxelGrid {
    glm::dvec3 origin{0.0};
    double voxelSize = 1.0;
    glm::uvec3 size{0}; ///< the extent in use, in voxels
};

/// How an octree stands in memory; numbers as in shared/octree/octree.h, and the order of Octree::encoding.
enum class OctreeEncoding : std::uint32_t {
    Tree = OCTREE_TREE,
    Dag = OCTREE_DAG,
    Planes = OCTREE_PLANES,
    Field = OCTREE_FIELD,
};

/// "tree", "dag", "planes", "field", in the order of the numbers.
const std::vector<std::string>& encodingNames();

/// What the surfaces below a leaf or node are made of.
struct AverageMaterial {
    std::uint32_t emission = 0; ///< mean radiance, as unpackEmission reads it
    std::uint32_t material = 0; ///< the one that has more than half of the area, if any has (SurfaceSum)
};

/// The materials of a scene, in its order; one of Lambert's where it has none.
std::vector<MaterialConstants> makeOctreeMaterials(std::span<const Material> materials);

/// The key of an octree's metadata for what its making warned of, without the scene's name.
inline constexpr const char* kWarningKey = "warning";

/// The key for who has made the voxels in place of the CPU (BrickMaker::name), or, where it was to, why it did not.
inline constexpr const char* kMakerKey = "voxelizer";

/// Cubes: a tree of nodes down to one mask for each 4x4x4 voxels. Layout and bit order are those of
/// shared/octree/octree.h.
struct TreeEncoding {
    /// Breadth-first, the root first; a node's children stand together. An empty octree is a root with an empty mask.
    Array<shared::OctreeNode> nodes;
    Array<shared::uvec2> leaves;      ///< the solid voxels of each leaf, in the order of codes (cell_code.h)
    Array<shared::uvec2> surfaces;    ///< of solids: a leaf's voxels with attributes; else none, as all have them
    Array<std::uint32_t> leafOffsets; ///< attributes before each line of leaves, within its group
    Array<std::uint64_t> leafGroups;  ///< attributes before each group of leaves

    /// The voxels of a leaf that have attributes.
    shared::uvec2 surface(std::size_t leaf) const { return surfaces.empty() ? leaves[leaf] : surfaces[leaf]; }
};

/// The voxels of a tree, with equal subtrees stored once (dag.h).
struct DagEncoding {
    Array<shared::uvec2> masks;    ///< of nodes and leaves, each different one once, the most used first
    Array<shared::uvec2> surfaces; ///< of solids: what of a leaf's mask has attributes; else none
    Array<std::uint32_t> words;    ///< entries, leaf references and counts, where DagLayout has them

    /// The voxels with attributes of a leaf that has this mask.
    shared::uvec2 surface(std::size_t mask) const { return surfaces.empty() ? masks[mask] : surfaces[mask]; }
};

/// A slab of the surface in each voxel, or in a node that stands for its voxels. There are no leaves: the lowest level
/// has nodes too, since each of them says where the attributes of its voxels begin.
struct PlanesEncoding {
    Array<shared::OctreeNode> nodes;  ///< as those of a tree
    Array<shared::SurfaceSlab> slabs; ///< parallel to the attributes
};

/// A tree whose voxels have distances to the surface at their corners.
struct FieldEncoding {
    TreeEncoding tree;
    Array<shared::CornerDistances> distances; ///< parallel to the attributes
};

/// A sparse octree in host memory: what all octrees have, and one of the encodings, which says which voxels are solid
/// and where the attributes of each stand.
struct Octree {
    VoxelGrid grid;
    std::uint32_t levels = 2; ///< 4^levels voxels a side
    Coverage coverage = Coverage::Conservative;
    std::uint64_t voxels = 0; ///< solid ones, of full nodes too; of planes, cells: a merged node is one
    std::variant<TreeEncoding, DagEncoding, PlanesEncoding, FieldEncoding> encoding;
    Array<shared::VoxelAttributes> attributes; ///< of the voxels that have some, in the order of codes
    /// A shape: `attributes` has one element, those of all voxels, and there are no averages. Cubes have no leaf
    /// offsets and groups and no surfaces of leaves then, as nothing is parallel to their attributes.
    bool isShape = false;
    /// What stands for a leaf or a node as a voxel of a coarser grid: the surfaces below it, averaged by area, and
    /// their materials, none where all voxels are plain. In the order of a tree, also for a DAG.
    Array<shared::VoxelAttributes> leafAverages;
    Array<shared::VoxelAttributes> nodeAverages;
    Array<AverageMaterial> leafMaterials;
    Array<AverageMaterial> nodeMaterials;
    Array<shared::VoxelMaterial> palette; ///< entry 0 is material 0 without emission
    Array<shared::MaterialRun> materialRuns;
    Array<MaterialConstants> materials; ///< at least one
    /// What emits, as lamps (makeEmitterBoxes), where whoever made the octree has made them; whoever changes voxels or
    /// materials takes them away.
    std::optional<EmitterArrays> lamps;
    /// Where it comes from, for people; no key has a '='.
    std::map<std::string, std::string> metadata;

    OctreeEncoding encodingKind() const { return static_cast<OctreeEncoding>(encoding.index()); }
    std::uint64_t voxelCount() const { return voxels; }
    /// The attributes of an index, which a shape has once.
    const shared::VoxelAttributes& attributesOf(std::uint64_t index) const { return attributes[isShape ? 0 : index]; }
    /// Bytes of everything; of what tells which voxels are solid and where their attributes stand (nodes, masks and
    /// attribute bases); and of the surfaces within voxels (slabs or distances).
    std::uint64_t bytes() const;
    std::uint64_t occupancyBytes() const;
    std::uint64_t detailBytes() const;
};

/// The tree of an octree of cubes or of a field; null where the encoding has none.
const TreeEncoding* findTree(const Octree& octree);
TreeEncoding* findTree(Octree& octree);

/// What an octree's voxelCount counts: "voxel" or, of planes, "cell".
const char* unitName(const Octree& octree);

/// A view of the octree for the functions of shared/. Points into `octree`, which must outlive it and stay unchanged.
shared::OctreeView makeView(const Octree& octree);

/// Whether voxel (x, y, z) is solid; false outside the grid.
bool isSolid(const Octree& octree, const glm::ivec3& voxel);

/// The voxel, perhaps outside of the grid, on the other side of a face: 2 * axis, + 1 for the positive side.
inline glm::ivec3 neighbourOf(const glm::uvec3& voxel, std::uint32_t face) {
    glm::ivec3 neighbour(voxel);
    neighbour[static_cast<int>(face >> 1U)] += (face & 1U) != 0 ? 1 : -1;
    return neighbour;
}

/// The attributes before those of a leaf: the index of its first voxel's.
std::uint64_t attributeBase(const TreeEncoding& tree, std::uint32_t leaf);

/// The index into `palette` of what attributes, by their index, number so.
std::uint32_t paletteIndex(const Octree& octree, std::uint64_t attributes, std::uint32_t number);

/// Whether a voxel with attributes is of the palette's entry 0, material 0 without emission.
bool usesPlainMaterial(const Octree& octree);

/// The runs of an octree whose voxels all number so many entries of the palette alike. Throws Error (Internal) where
/// these are too many.
std::vector<shared::MaterialRun> singleRun(std::size_t entries);

/// The index of a voxel's attributes; none where it is empty or inside a solid.
std::optional<std::uint64_t> attributeIndexAt(const Octree& octree, const glm::ivec3& voxel);

/// The attributes of a voxel; none where it is empty or inside a solid.
std::optional<shared::VoxelAttributes> attributesAt(const Octree& octree, const glm::ivec3& voxel);

/// An emissive voxel, for light sampling.
struct EmissiveVoxel {
    glm::uvec3 voxel{0};
    std::uint32_t entry = 0;      ///< index into the octree's palette
    std::uint64_t attributes = 0; ///< index of its attributes
};

/// The emissive voxels that rays may come to, in leaf order: all with attributes, but for cubes without an empty
/// neighbour.
std::vector<EmissiveVoxel> collectEmissiveVoxels(const Octree& octree);

/// All emissive voxels in nodes of 4^levels voxels a side, whose codes are in order; in the order of their attributes.
/// Throws Error (Internal) where there is no such node.
std::vector<EmissiveVoxel> allEmissiveVoxels(const Octree& octree, std::span<const std::uint64_t> codes,
                                             std::uint32_t levels);
/// All emissive voxels of the octree.
std::vector<EmissiveVoxel> allEmissiveVoxels(const Octree& octree);

/// Of all emissive voxels those that collectEmissiveVoxels gives, with the entries of the palette as they are now: what
/// no longer emits is left out.
std::vector<EmissiveVoxel> reachedOf(const Octree& octree, std::vector<EmissiveVoxel> all);

} // namespace aureole
