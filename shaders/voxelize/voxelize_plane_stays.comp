#version 460
// Takes the planes of parts away that leave the surface: 64 invocations for each block. Of parts of two levels, those
// of the first block ask one block of the part each. Of parts of three levels, which may have 4096 blocks, the
// invocations of each block ask of one place in those children that the other blocks leave to it. An invocation of a
// part of few blocks has many children, but its plane is met far from the surface in most of them, and the first such
// block ends the loop.

#include "voxelize/voxelize_plane.glsl"

void main() {
    uint item = invocationIndex();
    uint block = item >> 6u;
    uint place = item & 63u;
    bool isLarge = push.level > 2u;
    if (block >= push.count || (!isLarge && !isFirstOfPart(block, push.level))) {
        return;
    }
    uint first = firstOfPart(block, push.level);
    uint firstChild = isLarge ? block - first : place;
    if (firstChild >= 64u || AT(PlanePart, WORK(parts), first).state != PLANE_PART_HAS_SLAB) {
        return;
    }
    SurfaceSlab slab = AT(PlanePart, WORK(parts), first).slab;
    PlaneBlocks blocks = blocksOfPart(first, AT(PlanePart, WORK(parts), first).end, push.level);
    uint64_t children = slabChildrenMet(slab, push.level);
    uint inChild = isLarge ? place : 0u;
    uint stride = isLarge ? blocks.end - first : 64u;
    for (uint child = firstChild; child < 64u; child += stride) {
        bool isMet = (children & (uint64_t(1) << child)) != uint64_t(0) &&
                     (slabBlocksMet(slab, push.level, child) & (uint64_t(1) << inChild)) != uint64_t(0);
        if (isMet && staysInBlock(blocks, slab, child, inChild) == 0u) {
            CellOut(WORK(cells[push.level - 1u])).at[first].end = 0u;
            return;
        }
    }
}
