// The sparse octree in memory: 64-wide nodes (two octree levels each), the same bytes on the CPU and the GPU.
//
// A grid of 4^levels cells a side. Level 0 is the root; nodes of levels 0 to levels-2 are OctreeNodes, the lowest level
// holds bare 64-bit masks, one bit a voxel. Cell (x, y, z) of a node, each in 0..3, is bit cellBit(x, y, z), in Morton
// order, so that byte o of a mask is the 8-bit mask of child octant o.
#ifndef AUREOLE_SHARED_OCTREE_H
#define AUREOLE_SHARED_OCTREE_H

#include "shared/lang.h"

SHARED_BEGIN

/// An inner node, one 128-bit load. Its children stand together in memory in bit order, from `firstChild`: in the array
/// of nodes, or in that of leaf masks for the lowest inner level.
struct OctreeNode {
    uint maskLow;  ///< bits 0 to 31 of the occupancy mask
    uint maskHigh; ///< bits 32 to 63
    uint firstChild;
    uint flags; ///< OCTREE_NODE_FULL or 0
};
SHARED_ARRAY(OctreeNode, 16)

/// What a hit needs to know of a voxel; see attributes.h for the packing.
struct VoxelAttributes {
    uint albedo;
    uint shading;
    uint sheet;
};
SHARED_ARRAY(VoxelAttributes, 4)

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
#define OCTREE_LEAF_GROUP_SHIFT 16
#define OCTREE_MAX_LEVELS 7
/// All voxels of the node are solid and none has attributes: the inside of a solid. It has no children, but all bits.
#define OCTREE_NODE_FULL 1u
/// In place of a leaf, of a voxel in a full node.
#define OCTREE_NO_LEAF 0xFFFFFFFFu

/// Where the parts of an octree lie: addresses of chunks.
struct OctreeView {
    uint64_t nodes[OCTREE_CHUNKS];                ///< OctreeNode
    uint64_t leaves[OCTREE_CHUNKS];               ///< uvec2: a mask's low and high half
    uint64_t surfaces[OCTREE_CHUNKS];             ///< uvec2: of a leaf's voxels those with attributes; 0: all
    uint64_t leafOffsets[OCTREE_CHUNKS];          ///< uint: attributes before a line's, within its group
    uint64_t leafGroups;                          ///< uint64_t: attributes before a group's first leaf
    uint64_t attributes[OCTREE_ATTRIBUTE_CHUNKS]; ///< VoxelAttributes, in leaf order, by bit within a leaf
    uint64_t emissions;                           ///< vec3: radiances; entry 0 is black
    uint64_t emissionRuns;                        ///< uvec2: {first leaf, index before the run's first radiance}
    uint emissionRunCount;                        ///< 0 where nothing emits
    uint levels;                                  ///< 2 to OCTREE_MAX_LEVELS; the grid has 4^levels cells a side
};
SHARED_ARRAY(OctreeView, 8)

SHARED_INLINE OctreeNode octreeNode(uint64_t view, uint index) {
    uint64_t chunk = AT(OctreeView, view, 0).nodes[index >> OCTREE_NODE_CHUNK_SHIFT];
    return AT(OctreeNode, chunk, index & ((1u << OCTREE_NODE_CHUNK_SHIFT) - 1u));
}

SHARED_INLINE uvec2 octreeLeaf(uint64_t view, uint index) {
    uint64_t chunk = AT(OctreeView, view, 0).leaves[index >> OCTREE_LEAF_CHUNK_SHIFT];
    return AT(uvec2, chunk, index & ((1u << OCTREE_LEAF_CHUNK_SHIFT) - 1u));
}

/// The bit of a cell within its node. Only the low two bits of each coordinate count.
SHARED_INLINE uint cellBit(uint x, uint y, uint z) {
    return (x & 1u) | ((y & 1u) << 1u) | ((z & 1u) << 2u) | ((x & 2u) << 2u) | ((y & 2u) << 3u) | ((z & 2u) << 4u);
}

/// The cell of a bit, the inverse of cellBit.
SHARED_INLINE uvec3 bitCell(uint bit) {
    return uvec3((bit & 1u) | ((bit >> 2u) & 2u), ((bit >> 1u) & 1u) | ((bit >> 3u) & 2u),
                 ((bit >> 2u) & 1u) | ((bit >> 4u) & 2u));
}

SHARED_INLINE uint maskHasBit(uvec2 mask, uint bit) {
    return ((bit < 32u ? mask.x : mask.y) >> (bit & 31u)) & 1u;
}

/// How many bits of the mask stand below `bit`: the rank of that child or voxel.
SHARED_INLINE uint maskRank(uvec2 mask, uint bit) {
    uint below = (1u << (bit & 31u)) - 1u;
    return bit < 32u ? countBits(mask.x & below) : countBits(mask.x) + countBits(mask.y & below);
}

SHARED_INLINE uint maskCount(uvec2 mask) {
    return countBits(mask.x) + countBits(mask.y);
}

/// Whether a voxel is solid; none outside the grid is (coordinates below 0 wrap round). One load for each level.
SHARED_INLINE uint octreeSolid(uint64_t view, uvec3 voxel) {
    uint levels = AT(OctreeView, view, 0).levels;
    if (max(voxel.x, max(voxel.y, voxel.z)) >> (2u * levels) != 0u) {
        return 0u;
    }
    uint index = 0u;
    for (uint shift = 2u * (levels - 1u); shift > 0u; shift -= 2u) {
        OctreeNode node = octreeNode(view, index);
        uvec2 mask = uvec2(node.maskLow, node.maskHigh);
        uint bit = cellBit(voxel.x >> shift, voxel.y >> shift, voxel.z >> shift);
        if (maskHasBit(mask, bit) == 0u) {
            return 0u;
        }
        if ((node.flags & OCTREE_NODE_FULL) != 0u) {
            return 1u;
        }
        index = node.firstChild + maskRank(mask, bit);
    }
    return maskHasBit(octreeLeaf(view, index), cellBit(voxel.x, voxel.y, voxel.z));
}

/// The voxels of a leaf that have attributes.
SHARED_INLINE uvec2 octreeSurface(uint64_t view, uint leaf) {
    uint64_t chunk = AT(OctreeView, view, 0).surfaces[leaf >> OCTREE_LEAF_CHUNK_SHIFT];
    return chunk == uint64_t(0) ? octreeLeaf(view, leaf)
                                : AT(uvec2, chunk, leaf & ((1u << OCTREE_LEAF_CHUNK_SHIFT) - 1u));
}

/// The attributes of the solid voxel `bit` of leaf `leaf`. Those inside a solid are black, and creases, so that nothing
/// ignores them.
SHARED_INLINE VoxelAttributes octreeAttributes(uint64_t view, uint leaf, uint bit) {
    VoxelAttributes inside;
    inside.albedo = 0u;
    inside.shading = 0u;
    inside.sheet = 1u << 24u;
    if (leaf == OCTREE_NO_LEAF) {
        return inside;
    }
    uvec2 surface = octreeSurface(view, leaf);
    if (maskHasBit(surface, bit) == 0u) {
        return inside;
    }
    uint line = leaf >> OCTREE_LEAF_LINE_SHIFT;
    uint64_t offsets = AT(OctreeView, view, 0).leafOffsets[line >> OCTREE_OFFSET_CHUNK_SHIFT];
    uint before = maskRank(surface, bit);
    for (uint i = line << OCTREE_LEAF_LINE_SHIFT; i < leaf; i++) {
        before += maskCount(octreeSurface(view, i));
    }
    uint64_t index = AT(uint64_t, AT(OctreeView, view, 0).leafGroups, leaf >> OCTREE_LEAF_GROUP_SHIFT) +
                     uint64_t(AT(uint, offsets, line & ((1u << OCTREE_OFFSET_CHUNK_SHIFT) - 1u))) + uint64_t(before);
    uint64_t chunk = AT(OctreeView, view, 0).attributes[uint(index >> OCTREE_ATTRIBUTE_CHUNK_SHIFT)];
    return AT(VoxelAttributes, chunk, uint(index) & ((1u << OCTREE_ATTRIBUTE_CHUNK_SHIFT) - 1u));
}

/// The index into `emissions` of a radiance that attributes of a leaf number so; 0 is black everywhere. Leaves in order
/// form runs, each with a palette of its own, so that few bits do; most scenes have one.
SHARED_INLINE uint octreeEmission(uint64_t view, uint leaf, uint number) {
    uint count = AT(OctreeView, view, 0).emissionRunCount;
    if (number == 0u || count == 0u) {
        return 0u;
    }
    uint64_t runs = AT(OctreeView, view, 0).emissionRuns;
    uint first = 0u; // the first run starts at leaf 0
    while (count > 1u) {
        uint upper = count >> 1u;
        first = AT(uvec2, runs, first + upper).x <= leaf ? first + upper : first;
        count -= upper;
    }
    return AT(uvec2, runs, first).y + number;
}

SHARED_END
#endif
