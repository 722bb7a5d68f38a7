#version 460
// Takes the planes of parts away that leave the surface, asked of each child.

#include "voxelize/voxelize_plane.glsl"

void main() {
    uint block = invocationIndex();
    if (block >= push.count || !isFirstOfPart(block, push.level - 1u)) {
        return;
    }
    uint first = firstOfPart(block, push.level);
    PlanePart part = AT(PlanePart, WORK(parts), first);
    if (part.state != PLANE_PART_HAS_SLAB) {
        return;
    }
    PlaneBlocks blocks;
    blocks.codes = WORK(blockKeys);
    blocks.masks = WORK(blockMasks);
    blocks.first = first;
    blocks.end = part.end;
    blocks.levels = push.level;
    if (staysAtSurface(blocks, part.slab, partKey(block, push.level - 1u) & 63u) == 0u) {
        CellOut(WORK(cells[push.level - 1u])).at[first].end = 0u;
    }
}
