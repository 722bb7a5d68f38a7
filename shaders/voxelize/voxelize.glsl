// What the kernels of the voxeliser begin with. Host side: src/voxelizer/device_bricks.cpp.
#ifndef AUREOLE_VOXELIZE_GLSL
#define AUREOLE_VOXELIZE_GLSL

#include "shared/voxelize/coverage.h"
#include "shared/voxelize/work.h"

layout(local_size_x = 128) in;
#include "gpu/dispatch.glsl"

layout(push_constant, scalar) uniform Push {
    VoxelizePush push;
};

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer UintOut {
    uint at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer MaskOut {
    uvec2 at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer KeyOut {
    uint64_t at[];
};

#define WORK(member) AT(VoxelWork, push.work, 0).member

uint64_t wholeMask(uvec2 halves) {
    return uint64_t(halves.x) | (uint64_t(halves.y) << 32);
}

uvec2 halvesOf(uint64_t mask) {
    return uvec2(uint(mask), uint(mask >> 32));
}

/// The lowest set bit of a mask that is not 0.
uint lowestBit(uint64_t mask) {
    uvec2 halves = halvesOf(mask);
    return halves.x != 0u ? uint(findLSB(halves.x)) : 32u + uint(findLSB(halves.y));
}

/// Which of `count` ranges, that begin at `starts`, holds number `i`: the last that begins at or before it.
uint rangeOf(uint64_t starts, uint count, uint i) {
    uint first = 0u;
    uint size = count;
    while (size > 1u) {
        uint upper = size >> 1u;
        first = AT(uint, starts, first + upper) <= i ? first + upper : first;
        size -= upper;
    }
    return first;
}

/// The index of the set bit before which there are `rank` others.
uint bitOfRank(uvec2 mask, uint rank) {
    uint base = 0u;
    uint bits = mask.x;
    uint count = countBits(bits);
    if (rank >= count) {
        rank -= count;
        base = 32u;
        bits = mask.y;
    }
    for (uint width = 16u; width > 0u; width >>= 1u) {
        uint low = bits & ((1u << width) - 1u);
        count = countBits(low);
        bool above = rank >= count;
        rank -= above ? count : 0u;
        base += above ? width : 0u;
        bits = above ? bits >> width : low;
    }
    return base;
}

/// The lower corner of a block, by its key, in voxels from its brick's.
ivec3 lowOfBlock(uint key) {
    ivec3 low = ivec3(0);
    for (uint digit = 0u; 6u * digit < WORK(cellBits); ++digit) {
        low += ivec3(bitCell((key >> (6u * digit)) & 63u)) << (2 + 2 * int(digit));
    }
    return low;
}

/// The lower corner of a block, by its key, in 1/256 voxel.
ivec3 cornerOfBlock(uint key) {
    return AT(VoxelBrick, WORK(bricks), key >> WORK(cellBits)).corner + (lowOfBlock(key) << COVERAGE_SNAP_BITS);
}

/// A corner of a triangle in voxels from a block's: all numbers are exact.
dvec3 cornerFrom(ivec3 corner, ivec3 block) {
    return dvec3(corner - block) * WIDE(0.00390625);
}

#endif
