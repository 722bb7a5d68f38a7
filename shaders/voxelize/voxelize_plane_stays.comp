#version 460
// Takes the planes of parts away that leave the surface: an invocation for each child of those of three levels, which
// has 64 blocks; of those of two levels, for each part.

#include "voxelize/voxelize_plane.glsl"

void main() {
    uint item = invocationIndex();
    bool isLarge = push.level > 2u;
    uint first = isLarge ? item >> 6u : item;
    if (first >= push.count || !isFirstOfPart(first, push.level)) {
        return;
    }
    if (AT(PlanePart, WORK(parts), first).state != PLANE_PART_HAS_SLAB) {
        return;
    }
    SurfaceSlab slab = AT(PlanePart, WORK(parts), first).slab;
    uint64_t children = slabChildrenMet(slab, push.level);
    if (isLarge) {
        children &= uint64_t(1) << (item & 63u);
    }
    PlaneBlocks blocks = blocksOfPart(first, AT(PlanePart, WORK(parts), first).end, push.level);
    if (staysAtSurface(blocks, slab, children) == 0u) {
        CellOut(WORK(cells[push.level - 1u])).at[first].end = 0u;
    }
}
