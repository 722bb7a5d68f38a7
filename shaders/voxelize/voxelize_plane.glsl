// Parts of bricks that become planes (voxel/surface/plane_brick.cpp): what their kernels begin with. A part of so many
// levels is told by its first block.
#ifndef AUREOLE_VOXELIZE_PLANE_GLSL
#define AUREOLE_VOXELIZE_PLANE_GLSL

#include "voxelize/voxelize.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer PartOut {
    PlanePart at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer CellOut {
    PlaneCell at[];
};

/// What the keys of blocks of one part have in common.
uint partKey(uint block, uint levels) {
    return AT(uint, WORK(blockKeys), block) >> (6u * (levels - 1u));
}

bool isFirstOfPart(uint block, uint levels) {
    return block == 0u || partKey(block, levels) != partKey(block - 1u, levels);
}

/// The first block of the part that a block is in.
uint firstOfPart(uint block, uint levels) {
    if (levels == 1u) {
        return block;
    }
    uint key = partKey(block, levels);
    uint first = 0u; // the last place known to be before the part, or the first of all
    uint size = block + 1u;
    while (size > 0u) {
        uint upper = size >> 1u;
        bool before = partKey(first + upper, levels) < key;
        first = before ? first + upper + 1u : first;
        size = before ? size - upper - 1u : upper;
    }
    return first;
}

/// The blocks from `first` to `end`, those of a part of so many levels.
PlaneBlocks blocksOfPart(uint first, uint end, uint levels) {
    PlaneBlocks blocks;
    blocks.codes = WORK(blockKeys);
    blocks.masks = WORK(blockMasks);
    blocks.first = first;
    blocks.end = end;
    blocks.levels = levels;
    return blocks;
}

/// The middle of a part, by the key of any of its blocks, in voxels from the brick's corner.
dvec3 middleOfPart(uint key, uint levels) {
    int side = 1 << (2u * levels);
    return dvec3(lowOfBlock(key) / side * side) + WIDE(0.5) * double(side);
}

#endif
