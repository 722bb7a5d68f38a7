#version 460
// Takes the planes of parts away that leave the surface, asked of each block that a plane may meet: of parts of three
// levels, an invocation for each of the 64 places in each child.

#include "voxelize/voxelize_plane.glsl"

void main() {
    uint item = invocationIndex();
    bool isLarge = push.level > 2u;
    uint block = isLarge ? item >> 6u : item;
    uint place = isLarge ? item & 63u : 0u;
    if (block >= push.count || !isFirstOfPart(block, push.level - 1u)) {
        return;
    }
    uint first = firstOfPart(block, push.level);
    if (AT(PlanePart, WORK(parts), first).state != PLANE_PART_HAS_SLAB) {
        return;
    }
    SurfaceSlab slab = AT(PlanePart, WORK(parts), first).slab;
    uint child = partKey(block, push.level - 1u) & 63u;
    if ((slabBlocksMet(slab, push.level, child) & (uint64_t(1) << place)) == uint64_t(0)) {
        return;
    }
    PlaneBlocks blocks;
    blocks.codes = WORK(blockKeys);
    blocks.masks = WORK(blockMasks);
    blocks.first = first;
    blocks.end = AT(PlanePart, WORK(parts), first).end;
    blocks.levels = push.level;
    if (staysAtSurface(blocks, slab, child, place) == 0u) {
        CellOut(WORK(cells[push.level - 1u])).at[first].end = 0u;
    }
}
