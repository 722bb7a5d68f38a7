// The sparse octree in memory: 64-wide nodes (two octree levels each), the same bytes on the CPU and the GPU.
//
// A grid of 4^levels cells a side. Level 0 is the root; nodes of levels 0 to levels-2 are OctreeNodes, the lowest level
// holds bare 64-bit masks, one bit a voxel. Cell (x, y, z) of a node, each in 0..3, is bit cellBit(x, y, z): row by
// row, x fastest, as that is the quickest to find.
//
// Trees are encoded in several ways (OCTREE_ENCODING). GLSL includers may define that as a specialization constant, so
// that a pipeline carries one of them only.
#ifndef AUREOLE_SHARED_OCTREE_H
#define AUREOLE_SHARED_OCTREE_H

#include "shared/bsdf/material.h"

SHARED_BEGIN

/// An inner node, one 128-bit load. Its children stand together in memory in bit order, from `firstChild`: in the array
/// of nodes, or in that of leaf masks for the lowest inner level.
struct OctreeNode {
    uint maskLow;  ///< bits 0 to 31 of the occupancy mask
    uint maskHigh; ///< bits 32 to 63
    uint firstChild;
    uint flags; ///< OCTREE_NODE_FULL, OCTREE_NODE_TERMINAL or 0
};
SHARED_ARRAY(OctreeNode, 16)

/// What a hit needs to know of a voxel; see attributes.h for the packing.
struct VoxelAttributes {
    uint albedo;
    uint shading;
    uint sheet;
};
SHARED_ARRAY(VoxelAttributes, 4)

/// What a voxel is made of, and what it emits: an entry of a palette.
struct VoxelMaterial {
    vec3 emission; ///< radiance
    uint material; ///< number of its MaterialTraits
};
SHARED_ARRAY(VoxelMaterial, 4)

/// Attributes in order form runs, each with a palette of its own, so that few bits number the entries.
struct MaterialRun {
    uint64_t first; ///< index of the run's first attributes
    uint base;      ///< index into the palettes before the run's first entry
    uint padding;
};
SHARED_ARRAY(MaterialRun, 8)

// Arrays are split into chunks of allocation, because devices limit the size of one.
#define OCTREE_NODE_CHUNK_SHIFT 26
#define OCTREE_LEAF_CHUNK_SHIFT 27
#define OCTREE_OFFSET_CHUNK_SHIFT 24
#define OCTREE_ATTRIBUTE_CHUNK_SHIFT 26
#define OCTREE_CHUNKS 16
#define OCTREE_ATTRIBUTE_CHUNKS 96
/// Only one leaf in a line of eight, 64 bytes of masks, has an attribute base; a hit adds up the masks before its own,
/// which it has in cache. The leaves of one group share the base's high bits.
#define OCTREE_LEAF_LINE_SHIFT 3
#define OCTREE_LEAF_LINE_LAST ((1u << OCTREE_LEAF_LINE_SHIFT) - 1u)
#define OCTREE_LEAF_GROUP_SHIFT 16
#define OCTREE_MAX_LEVELS 7
/// All voxels of the node are solid and none has attributes: the inside of a solid. It has no children, but all bits.
#define OCTREE_NODE_FULL 1u
/// In an octree of planes: the node is one cell, with one set of attributes and one slab, whose index `firstChild` is.
/// Its mask tells which of its parts hold the surface. Nodes of the lowest level that are none have the index of their
/// first voxel's attributes there.
#define OCTREE_NODE_TERMINAL 2u
/// Stands in place of a leaf for a voxel in a full node.
#define OCTREE_NO_LEAF 0xFFFFFFFFu
/// Stands in place of an index for a voxel without attributes.
#define OCTREE_NO_ATTRIBUTES (~uint64_t(0))

#define OCTREE_TREE 0u   ///< what is described above
#define OCTREE_DAG 1u    ///< equal subtrees stand once
#define OCTREE_PLANES 2u ///< a slab of the surface in each voxel, or in a node in place of its voxels
#define OCTREE_FIELD 3u  ///< a tree with distances at the corners of voxels
#define OCTREE_MIXED 4u  ///< of pipelines alone, for octrees of several encodings
#ifndef OCTREE_ENCODING
#define OCTREE_ENCODING(view) AT(OctreeView, view, 0).encoding
#endif

// A DAG is made of entries and of leaf references, both found by their index as nodes and leaves of a tree are. The
// first entry is the root; the children of one node stand together in bit order, and where nodes have equal children,
// they share them. All are packed, without gaps, in fields as wide as this DAG needs (dagBits). A leaf reference is the
// number of its mask. An entry is three fields: the number of the node's mask; the index of its first child, an entry
// or for the lowest inner level a leaf reference, or 0 of a full node; and, in that level, the attributes of its
// siblings before it. Those of entries of higher levels, which are few, need up to 64 bits and stand in an array of
// their own.

/// Entries, and leaf references, of a DAG in a chunk.
#define OCTREE_DAG_CHUNK_SHIFT 27

/// Where a ray that starts in a part of the grid enters the tree, instead of at the root: the grid is cut into
/// 2^OCTREE_START_BITS parts along each axis, x fastest. Words: index of the deepest inner node that holds the part and
/// is neither full nor merged; those of levels 1 and 2 on the way to it and with it, else 0; its level, up to 3.
struct OctreeStart {
    uvec4 words;
};
SHARED_ARRAY(OctreeStart, 16)

/// Where a scene has several octrees, small ones have fewer parts (OctreeView::startBits).
#define OCTREE_START_BITS 6u
#define OCTREE_START_LEVELS 3u

/// Where the parts of an octree lie: addresses of chunks.
struct OctreeView {
    uint64_t nodes[OCTREE_CHUNKS];                ///< OctreeNode; of a DAG uint, its entries
    uint64_t leaves[OCTREE_CHUNKS];               ///< uvec2: a mask's low and high half; of a DAG, of nodes too
    uint64_t surfaces[OCTREE_CHUNKS];             ///< uvec2: of a leaf's voxels those with attributes; 0: all
    uint64_t leafOffsets[OCTREE_CHUNKS];          ///< uint: attributes before a line's, within its group; of a DAG its
                                                  ///< leaf references
    uint64_t leafGroups;                          ///< uint64_t: attributes before a group's first leaf, none (0) of a
                                                  ///< shape of cubes; of a DAG before
                                                  ///< an entry above the lowest inner level, within its parent
    uint64_t attributes[OCTREE_ATTRIBUTE_CHUNKS]; ///< VoxelAttributes, in leaf order, by bit within a leaf
    uint64_t details[OCTREE_ATTRIBUTE_CHUNKS];    ///< surfaces within voxels, by the encoding, parallel to attributes
    uint64_t palette;                             ///< VoxelMaterial; entry 0 is material 0 without emission
    uint64_t materialRuns;                        ///< MaterialRun
    uint64_t starts;                              ///< OctreeStart; 0 where there are none
    uint materialRunCount;                        ///< 0 where all voxels are of entry 0
    uint levels;                                  ///< 2 to OCTREE_MAX_LEVELS; the grid has 4^levels cells a side
    uint encoding;                                ///< OCTREE_TREE or another
    uint dagBits;   ///< widths: bits 0 to 7 of a mask's number, 8 to 15 of a child's index, 16 to 23 of an entry
    uint startBits; ///< as OCTREE_START_BITS: `starts` has 2^startBits parts along each axis
    uint isShape;   ///< 1: `attributes` has one element, those of all voxels
};
SHARED_ARRAY(OctreeView, 8)

#ifndef OCTREE_LEVELS
#define OCTREE_LEVELS(view) AT(OctreeView, view, 0).levels
#endif

/// Where a chunk of nodes, or of leaf masks, lies, and an index in it. GLSL includers may say it otherwise, such as of
/// the only one.
#ifndef OCTREE_NODE_CHUNK
#define OCTREE_NODE_CHUNK(view, chunk) AT(OctreeView, view, 0).nodes[chunk]
#define OCTREE_LEAF_CHUNK(view, chunk) AT(OctreeView, view, 0).leaves[chunk]
#define OCTREE_IN_CHUNK(index, shift) ((index) & ((1u << (shift)) - 1u))
#endif

SHARED_INLINE OctreeNode octreeNode(uint64_t view, uint index) {
    uint64_t chunk = OCTREE_NODE_CHUNK(view, index >> OCTREE_NODE_CHUNK_SHIFT);
    return AT(OctreeNode, chunk, OCTREE_IN_CHUNK(index, OCTREE_NODE_CHUNK_SHIFT));
}

SHARED_INLINE uvec2 octreeLeaf(uint64_t view, uint index) {
    uint64_t chunk = OCTREE_LEAF_CHUNK(view, index >> OCTREE_LEAF_CHUNK_SHIFT);
    return AT(uvec2, chunk, OCTREE_IN_CHUNK(index, OCTREE_LEAF_CHUNK_SHIFT));
}

/// A field of `width` bits, 1 to 31, from bit `bit` on behind word `first`.
SHARED_INLINE uint packedField(uint64_t words, uint first, uint bit, uint width) {
    uint low = AT(uint, words, first + (bit >> 5u));
    uint high = AT(uint, words, first + ((bit + width - 1u) >> 5u)); // the same word, where it holds the whole field
    uint shift = bit & 31u;
    return ((low >> shift) | ((high << 1u) << (31u - shift))) & ((1u << width) - 1u);
}

/// The number of the mask that a leaf reference of a DAG stands for.
SHARED_INLINE uint dagLeaf(uint64_t view, uint reference) {
    uint width = AT(OctreeView, view, 0).dagBits & 255u;
    uint64_t words = AT(OctreeView, view, 0).leafOffsets[reference >> OCTREE_DAG_CHUNK_SHIFT];
    uint group = (reference & ((1u << OCTREE_DAG_CHUNK_SHIFT) - 1u)) >> 5u; // 32 are `width` words
    return packedField(words, group * width, (reference & 31u) * width, width);
}

/// How many attributes the siblings before an entry of the lowest inner level have.
SHARED_INLINE uint dagCount(uint64_t view, uint index) {
    uint bits = AT(OctreeView, view, 0).dagBits;
    uint64_t words = AT(OctreeView, view, 0).nodes[index >> OCTREE_DAG_CHUNK_SHIFT];
    uint group = (index & ((1u << OCTREE_DAG_CHUNK_SHIFT) - 1u)) >> 5u;
    uint stride = (bits >> 16u) & 255u;
    uint before = (bits & 255u) + ((bits >> 8u) & 255u);
    return packedField(words, group * stride, (index & 31u) * stride + before, stride - before);
}

/// An entry of a DAG by its index, or a leaf reference as a node without children.
SHARED_INLINE OctreeNode dagEntry(uint64_t view, uint index, uint isLeaf) {
    uint bits = AT(OctreeView, view, 0).dagBits;
    uint numberBits = bits & 255u;
    uint stride = isLeaf != 0u ? numberBits : (bits >> 16u) & 255u;
    uint chunk = index >> OCTREE_DAG_CHUNK_SHIFT;
    uint64_t words = isLeaf != 0u ? AT(OctreeView, view, 0).leafOffsets[chunk] : AT(OctreeView, view, 0).nodes[chunk];
    uint group = ((index & ((1u << OCTREE_DAG_CHUNK_SHIFT) - 1u)) >> 5u) * stride;
    uint bit = (index & 31u) * stride;
    OctreeNode node;
    node.firstChild = isLeaf != 0u ? 0u : packedField(words, group, bit + numberBits, (bits >> 8u) & 255u);
    node.flags = isLeaf == 0u && node.firstChild == 0u ? OCTREE_NODE_FULL : 0u;
    uvec2 mask = octreeLeaf(view, packedField(words, group, bit, numberBits));
    node.maskLow = mask.x;
    node.maskHigh = mask.y;
    return node;
}

/// A node by its index, or a leaf as a node without children; of planes the lowest level has nodes too.
SHARED_INLINE OctreeNode octreeEntry(uint64_t view, uint index, uint isLeaf) {
    if (OCTREE_ENCODING(view) == OCTREE_DAG) {
        return dagEntry(view, index, isLeaf);
    }
    if (isLeaf == 0u || OCTREE_ENCODING(view) == OCTREE_PLANES) {
        return octreeNode(view, index);
    }
    uvec2 mask = octreeLeaf(view, index);
    OctreeNode leaf;
    leaf.maskLow = mask.x;
    leaf.maskHigh = mask.y;
    leaf.firstChild = 0u;
    leaf.flags = 0u;
    return leaf;
}

/// The index of a node's child, of which `rank` stand before it.
SHARED_INLINE uint octreeChild(uint firstChild, uint rank) {
    return firstChild + rank;
}

/// The bit of a cell within its node. Only the low two bits of each coordinate count.
SHARED_INLINE uint cellBit(uint x, uint y, uint z) {
    return (x & 3u) | ((y & 3u) << 2u) | ((z & 3u) << 4u);
}

/// The cell of a bit, the inverse of cellBit.
SHARED_INLINE uvec3 bitCell(uint bit) {
    return uvec3(bit & 3u, (bit >> 2u) & 3u, bit >> 4u);
}

/// What to turn over in a bit, by XOR, for the cell that lies opposite on some axes (bit a: axis a).
SHARED_INLINE uint mirroredBits(uint axes) {
    return (axes & 1u) * 3u | (axes & 2u) * 6u | (axes & 4u) * 12u;
}

// What follows looks at the low six bits of `bit` only.

SHARED_INLINE uint maskHasBit(uvec2 mask, uint bit) {
    return (((bit & 32u) == 0u ? mask.x : mask.y) >> (bit & 31u)) & 1u;
}

/// How many bits of the mask stand below `bit`: the rank of that child or voxel.
SHARED_INLINE uint maskRank(uvec2 mask, uint bit) {
    uint below = (1u << (bit & 31u)) - 1u;
    return (bit & 32u) == 0u ? countBits(mask.x & below) : countBits(mask.x) + countBits(mask.y & below);
}

/// Those cells of a mask that are in the block of 2x2x2 of the cell `bit`; not where in the mask they stand.
SHARED_INLINE uint maskBlock(uvec2 mask, uint bit) {
    return (((bit & 32u) == 0u ? mask.x : mask.y) >> (bit & 10u)) & 0x00330033u;
}

SHARED_INLINE uint maskCount(uvec2 mask) {
    return countBits(mask.x) + countBits(mask.y);
}

/// Whether a voxel is solid; none outside the grid is (coordinates below 0 wrap round). One load for each level.
SHARED_INLINE uint octreeSolid(uint64_t view, uvec3 voxel) {
    uint levels = OCTREE_LEVELS(view);
    if (max(voxel.x, max(voxel.y, voxel.z)) >> (2u * levels) != 0u) {
        return 0u;
    }
    uint index = 0u;
    uint shift = 2u * levels;
    uint solid = 1u;
    uint isEnd = 0u;
    while (isEnd == 0u) {
        shift -= 2u;
        OctreeNode node = octreeEntry(view, index, shift == 0u ? 1u : 0u);
        uvec2 mask = uvec2(node.maskLow, node.maskHigh);
        uint bit = cellBit(voxel.x >> shift, voxel.y >> shift, voxel.z >> shift);
        solid = maskHasBit(mask, bit);
        isEnd = solid == 0u || node.flags != 0u || shift == 0u ? 1u : 0u;
        index = octreeChild(node.firstChild, maskRank(mask, bit));
    }
    return solid;
}

/// Where the masks of the voxels that have attributes stand, of the leaves in the chunk of `leaf`: of a solid's leaves
/// those at its surface, else all.
SHARED_INLINE uint64_t octreeSurfaces(uint64_t view, uint leaf) {
    uint chunk = leaf >> OCTREE_LEAF_CHUNK_SHIFT;
    uint64_t surfaces = AT(OctreeView, view, 0).surfaces[chunk];
    return surfaces == uint64_t(0) ? OCTREE_LEAF_CHUNK(view, chunk) : surfaces;
}

SHARED_INLINE uvec2 octreeSurface(uint64_t view, uint leaf) {
    return AT(uvec2, octreeSurfaces(view, leaf), leaf & ((1u << OCTREE_LEAF_CHUNK_SHIFT) - 1u));
}

/// Where the attributes of the solid voxel `bit` of leaf `leaf` stand; OCTREE_NO_ATTRIBUTES inside a solid.
SHARED_INLINE uint64_t octreeAttributeIndex(uint64_t view, uint leaf, uint bit) {
    if (leaf == OCTREE_NO_LEAF) {
        return OCTREE_NO_ATTRIBUTES;
    }
    if (OCTREE_ENCODING(view) == OCTREE_PLANES) {
        OctreeNode node = octreeNode(view, leaf);
        uint rank = (node.flags & OCTREE_NODE_TERMINAL) != 0u ? 0u : maskRank(uvec2(node.maskLow, node.maskHigh), bit);
        return uint64_t(node.firstChild) + uint64_t(rank);
    }
    uint64_t groups = AT(OctreeView, view, 0).leafGroups;
    if (groups == uint64_t(0)) {
        return uint64_t(0); // a shape of cubes: nothing is parallel to the attributes
    }
    uint64_t surfaces = octreeSurfaces(view, leaf);
    uint inChunk = leaf & ((1u << OCTREE_LEAF_CHUNK_SHIFT) - 1u);
    uvec2 surface = AT(uvec2, surfaces, inChunk);
    if (maskHasBit(surface, bit) == 0u) {
        return OCTREE_NO_ATTRIBUTES;
    }
    uint line = leaf >> OCTREE_LEAF_LINE_SHIFT;
    uint64_t offsets = AT(OctreeView, view, 0).leafOffsets[line >> OCTREE_OFFSET_CHUNK_SHIFT];
    uint before = maskRank(surface, bit);
    // Unrolled by compilers, so that no load waits for another.
    uint inLine = leaf & OCTREE_LEAF_LINE_LAST;
    for (uint i = 1u; i <= OCTREE_LEAF_LINE_LAST; i++) {
        if (i <= inLine) {
            before += maskCount(AT(uvec2, surfaces, inChunk - i));
        }
    }
    return AT(uint64_t, groups, leaf >> OCTREE_LEAF_GROUP_SHIFT) +
           uint64_t(AT(uint, offsets, line & ((1u << OCTREE_OFFSET_CHUNK_SHIFT) - 1u))) + uint64_t(before);
}

/// Where the attributes of a solid voxel of a DAG stand: adds up those before it on the way down from the root.
SHARED_INLINE uint64_t dagAttributeIndex(uint64_t view, uvec3 voxel) {
    if (AT(OctreeView, view, 0).isShape != 0u) {
        return uint64_t(0);
    }
    uint64_t before = uint64_t(0);
    uint index = 0u;
    for (uint shift = 2u * (OCTREE_LEVELS(view) - 1u); shift > 0u; shift -= 2u) {
        OctreeNode node = dagEntry(view, index, 0u);
        if ((node.flags & OCTREE_NODE_FULL) != 0u) {
            return OCTREE_NO_ATTRIBUTES;
        }
        index = node.firstChild + maskRank(uvec2(node.maskLow, node.maskHigh),
                                           cellBit(voxel.x >> shift, voxel.y >> shift, voxel.z >> shift));
        if (shift > 4u) {
            before += AT(uint64_t, AT(OctreeView, view, 0).leafGroups, index);
        } else if (shift > 2u) {
            before += uint64_t(dagCount(view, index));
        } else {
            for (uint i = node.firstChild; i < index; i++) {
                before += uint64_t(maskCount(octreeSurface(view, dagLeaf(view, i))));
            }
        }
    }
    uvec2 surface = octreeSurface(view, dagLeaf(view, index));
    uint bit = cellBit(voxel.x, voxel.y, voxel.z);
    return maskHasBit(surface, bit) != 0u ? before + uint64_t(maskRank(surface, bit)) : OCTREE_NO_ATTRIBUTES;
}

/// Where the attributes of a voxel stand, or of the merged cell of planes that it is in: of 2^shift voxels a side.
/// OCTREE_NO_ATTRIBUTES where it is empty or inside a solid.
SHARED_INLINE uint64_t octreeCellAttributes(uint64_t view, uvec3 voxel, OUT(uint, shift)) {
    uint levels = AT(OctreeView, view, 0).levels;
    shift = 0u;
    if (max(voxel.x, max(voxel.y, voxel.z)) >> (2u * levels) != 0u) {
        return OCTREE_NO_ATTRIBUTES;
    }
    uint index = 0u;
    for (uint below = 2u * (levels - 1u);; below -= 2u) {
        OctreeNode node = octreeEntry(view, index, below == 0u ? 1u : 0u);
        if ((node.flags & OCTREE_NODE_TERMINAL) != 0u) {
            shift = below + 2u;
            return uint64_t(node.firstChild);
        }
        uvec2 mask = uvec2(node.maskLow, node.maskHigh);
        uint bit = cellBit(voxel.x >> below, voxel.y >> below, voxel.z >> below);
        if (maskHasBit(mask, bit) == 0u || (node.flags & OCTREE_NODE_FULL) != 0u) {
            return OCTREE_NO_ATTRIBUTES;
        }
        if (below == 0u) {
            return OCTREE_ENCODING(view) == OCTREE_DAG ? dagAttributeIndex(view, voxel)
                                                       : octreeAttributeIndex(view, index, bit);
        }
        index = octreeChild(node.firstChild, maskRank(mask, bit));
    }
}

/// Attributes by their index, which of a shape are the same for all. Those inside a solid are black, and creases, so
/// that nothing ignores them.
SHARED_INLINE VoxelAttributes octreeAttributes(uint64_t view, uint64_t index) {
    VoxelAttributes inside;
    inside.albedo = 0u;
    inside.shading = 0u;
    inside.sheet = 1u << 24u;
    if (index == OCTREE_NO_ATTRIBUTES) {
        return inside;
    }
    uint64_t own = index;
    if (OCTREE_ENCODING(view) == OCTREE_FIELD && AT(OctreeView, view, 0).isShape != 0u) {
        own = uint64_t(0); // of cubes it is that already
    }
    uint64_t chunk = AT(OctreeView, view, 0).attributes[uint(own >> OCTREE_ATTRIBUTE_CHUNK_SHIFT)];
    return AT(VoxelAttributes, chunk, uint(own) & ((1u << OCTREE_ATTRIBUTE_CHUNK_SHIFT) - 1u));
}

/// The index into `palette` of the entry that attributes, by their index, number so; 0 is the same everywhere. Most
/// scenes have one run.
SHARED_INLINE uint octreePaletteIndex(uint64_t view, uint64_t index, uint number) {
    uint count = AT(OctreeView, view, 0).materialRunCount;
    if (number == 0u || count == 0u) {
        return 0u;
    }
    uint64_t runs = AT(OctreeView, view, 0).materialRuns;
    uint first = 0u; // the first run starts at attributes 0
    while (count > 1u) {
        uint upper = count >> 1u;
        first = AT(MaterialRun, runs, first + upper).first <= index ? first + upper : first;
        count -= upper;
    }
    return AT(MaterialRun, runs, first).base + number;
}

SHARED_END
#endif
