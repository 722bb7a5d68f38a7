#version 460
// The distances at the corners of a field's voxels, all of them above 0, as voxel/surface/field_distances.cpp finds
// them on the CPU: a workgroup a block, an invocation a corner. The fragments of a field's block are all triangles
// within FIELD_REACH of it, so that voxels that share a corner have the same there, whichever block they are in.

#include "voxelize/voxelize.glsl"

#include "shared/voxelize/distance.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer DistancesOut {
    CornerDistances at[];
};

#define CORNERS 5u ///< of voxels, a side of the block
/// Triangles that are made ready at a time.
#define AT_ONCE 16u

shared DistanceTriangle triangles[AT_ONCE];
shared uint codes[CORNERS * CORNERS * CORNERS];

DistanceTriangle readyTriangle(uint fragment, ivec3 corner) {
    VoxelTriangle triangle = AT(VoxelTriangle, WORK(triangles), AT(VoxelFragment, WORK(fragments), fragment).triangle);
    return distanceTriangle(cornerFrom(triangle.first, corner), cornerFrom(triangle.second, corner),
                            cornerFrom(triangle.third, corner));
}

uint cornerIndex(uvec3 corner) {
    return (corner.z * CORNERS + corner.y) * CORNERS + corner.x;
}

void main() {
    uint block = workgroupIndex();
    uint own = gl_LocalInvocationIndex;
    bool isBlock = block < push.count; // of all invocations of the workgroup
    uvec2 mask = uvec2(0u);
    uint first = 0u;
    uint end = 0u;
    ivec3 corner = ivec3(0);
    if (isBlock) {
        mask = AT(uvec2, WORK(blockMasks), block);
        if (maskCount(mask) > 0u) {
            first = AT(uint, WORK(blockFirst), block);
            end = AT(uint, WORK(blockFirst), block + 1u);
            corner = cornerOfBlock(AT(uint, WORK(blockKeys), block));
        }
    }
    ivec3 place = ivec3(own % CORNERS, own / CORNERS % CORNERS, own / (CORNERS * CORNERS));
    bool isUsed = (coverageRangeMask(place - 1, place) & wholeMask(mask)) != uint64_t(0);
    dvec3 point = dvec3(place);
    double square = double(FIELD_REACH) * double(FIELD_REACH);
    for (uint at = first; at < end; at += AT_ONCE) {
        uint count = min(AT_ONCE, end - at);
        if (own < count) {
            triangles[own] = readyTriangle(at + own, corner);
        }
        barrier();
        for (uint i = 0u; i < count && isUsed; ++i) {
            square = distanceSquare(triangles[i], point, square);
        }
        barrier();
    }
    if (own < CORNERS * CORNERS * CORNERS) {
        // A root in double, rounded to float, is the CPU's root, if the device is off by less than a float shows.
        codes[own] = fieldDistanceCode(float(sqrt(double(float(square)))));
    }
    barrier();
    if (own >= maskCount(mask)) {
        return;
    }
    uvec3 voxel = bitCell(bitOfRank(mask, own));
    CornerDistances distances = noDistances();
    for (uint i = 0u; i < 8u; ++i) {
        setFieldCode(distances, i, codes[cornerIndex(voxel + uvec3(i & 1u, (i >> 1u) & 1u, i >> 2u))]);
    }
    DistancesOut(WORK(distances)).at[AT(uint, WORK(voxelOffsets), block) + own] = distances;
}
