#version 460
// The cells of a cube that a triangle touches: of bricks, or of the cells that the level above found. Of fields, down
// to blocks, also those that it comes near to.

#include "voxelize/voxelize.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer PairOut {
    VoxelPair at[];
};

uint64_t touched(VoxelTriangle triangle, ivec3 origin, int shift, int margin, bool thin) {
    ivec3 v0 = triangle.first;
    ivec3 v1 = triangle.second;
    ivec3 v2 = triangle.third;
    ivec3 low = (min(v0, min(v1, v2)) - margin - origin) >> shift;
    ivec3 high = (max(v0, max(v1, v2)) + margin - origin) >> shift;
    uint64_t mask = coverageRangeMask(low, high);
    bool isRow = coverageIsRow(low, high) != 0u;
    if (isRow && !thin) {
        return mask;
    }
    CoveragePlane plane = coveragePlane(v0, v1, v2);
    int64_t atOrigin = coveragePlaneAt(plane, origin - margin - v0);
    if (!isRow) {
        for (int i = 0; i < 3 && mask != uint64_t(0); ++i) {
            mask &= coverageProjectionMask(coverageProjection(v0, v1, v2, i), origin, shift, margin);
        }
        if (mask != uint64_t(0) && plane.sign != 0) {
            mask = coveragePlaneMask(mask, plane, atOrigin, shift, margin);
        }
    }
    if (!thin) {
        return mask;
    }
    uint64_t crossed = uint64_t(0);
    for (int i = 0; i < 3; ++i) {
        crossed |= coverageCrossedMask(mask, coverageProjection(v0, v1, v2, i), plane, origin, atOrigin);
    }
    return crossed;
}

void main() {
    uint i = invocationIndex();
    if (i > push.count) {
        return;
    }
    if (i == push.count) {
        UintOut(WORK(counts)).at[i] = 0u; // the scan leaves the sum of all there
        return;
    }
    uint mine = push.level & 1u;
    VoxelPair pair;
    pair.entry = i;
    pair.cell = 0u;
    if (push.level > 0u) {
        uint above = mine ^ 1u;
        uint parent = rangeOf(WORK(offsets[above]), push.parents, i);
        uint rank = i - AT(uint, WORK(offsets[above]), parent);
        pair = AT(VoxelPair, WORK(pairs[above]), parent);
        pair.cell = (pair.cell << 6u) | bitOfRank(AT(uvec2, WORK(masks[above]), parent), rank);
    }
    VoxelEntry entry = AT(VoxelEntry, WORK(entries), pair.entry);
    ivec3 origin = AT(VoxelBrick, WORK(bricks), entry.brick).corner;
    for (uint digit = 0u; digit < push.level; ++digit) {
        origin += ivec3(bitCell((pair.cell >> (6u * digit)) & 63u)) << (push.shift + 2 + 2 * int(digit));
    }
    bool thin = push.isLast != 0u && WORK(thin) != 0u;
    int margin = push.isLast != 0u ? 0 : push.margin;
    VoxelTriangle triangle = AT(VoxelTriangle, WORK(triangles), entry.triangle);
    uvec2 mask = halvesOf(touched(triangle, origin, push.shift, margin, thin));
    MaskOut(WORK(masks[mine])).at[i] = mask;
    PairOut(WORK(pairs[mine])).at[i] = pair;
    if (push.isLast == 0u) {
        UintOut(WORK(counts)).at[i] = maskCount(mask);
        return;
    }
    KeyOut(WORK(keys)).at[i] = (uint64_t(entry.brick) << WORK(cellBits)) | uint64_t(pair.cell);
    UintOut(WORK(values)).at[i] = i;
}
