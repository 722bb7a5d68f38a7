#version 460
// The plane of each part, where one shows the same as its voxels within the error. Whether it stays at the surface is
// asked of blocks here, of parts above them afterwards.

#include "voxelize/voxelize_plane.glsl"

/// Adds what the blocks of a part say; false where its average does not stand for one of them.
bool addFits(inout PlanePart part, uint block, inout SlabHeights heights) {
    for (uint i = block; i < part.end; ++i) {
        PlaneFit fit = AT(PlaneFit, WORK(fits), i);
        if (fit.agrees == 0u) {
            return false;
        }
        part.sums.spread = max(part.sums.spread, fit.spread);
        part.sums.crease |= fit.crease;
        part.sums.doubleSided |= fit.doubleSided;
        part.sums.hollow |= fit.hollow;
        addHeight(heights, fit.heights.low);
        addHeight(heights, fit.heights.high);
    }
    averageBends(part.sums, part.average);
    return part.average.crease == 0u;
}

/// Half of the thickness and the reach into children without a surface are what the plane may differ by; no child
/// without one may be crossed in its middle, whatever the error, so that holes stay.
bool isWithin(PlanePart part, double scale) {
    double side = double(1u << (2u * push.level));
    double depth = min(WORK(error), side * WIDE(0.0625));
    return isSlabWithin(part.slab, side, WORK(error)) != 0u &&
           (slabPartsAcross(part.slab, scale, depth) & ~part.mask) == uint64_t(0);
}

bool staysInItsBlock(SurfaceSlab slab, uint block) {
    return staysInBlock(blocksOfPart(block, block + 1u, 1u), slab, 0u, 0u) != 0u;
}

void main() {
    uint block = invocationIndex();
    if (block >= push.count || !isFirstOfPart(block, push.level)) {
        return;
    }
    PlanePart part = AT(PlanePart, WORK(parts), block);
    SlabHeights heights = noHeights();
    if (part.state != PLANE_PART_OPEN || !addFits(part, block, heights)) {
        return;
    }
    double scale = planeScale(push.level);
    part.slab = slabOfHeights(packSlabDirection(part.average.geometricNormal), heights);
    if (!isWithin(part, scale) || (push.level == 1u && !staysInItsBlock(part.slab, block))) {
        return;
    }
    SlabBend bend = bendOfCell(part.moments, part.average, part.slab,
                               middleOfPart(AT(uint, WORK(blockKeys), block), push.level), scale);
    part.slab.bend = bend.bend;
    SurfaceAverage average = part.average;
    average.normal = bend.normal;
    PlaneCell cell = AT(PlaneCell, WORK(cells[push.level - 1u]), block);
    cell.attributes = packAttributes(surfaceOfAverage(average));
    cell.slab = part.slab;
    cell.end = part.end;
    CellOut(WORK(cells[push.level - 1u])).at[block] = cell;
    part.state = PLANE_PART_HAS_SLAB;
    PartOut(WORK(parts)).at[block] = part;
}
