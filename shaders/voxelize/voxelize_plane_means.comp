#version 460
// The average of each part of so many levels that may become a plane: of a part above blocks, one all of whose children
// have become planes.

#include "voxelize/voxelize_plane.glsl"

/// Makes a part of its children, where all of them have planes. It takes the place of the first.
void join(inout PlanePart part, uint block, uint levels) {
    part.state = PLANE_PART_NONE;
    part.mask = uint64_t(0);
    part.moments = noMoments();
    SurfaceSums sums = noSums();
    uint key = partKey(block, levels);
    for (uint pass = 0u; pass < 2u; ++pass) {
        uint child = block;
        while (child < push.count && partKey(child, levels) == key) {
            PlanePart other = AT(PlanePart, WORK(parts), child);
            uint end = AT(PlaneCell, WORK(cells[levels - 2u]), child).end;
            if (end == 0u) {
                return;
            }
            if (pass == 0u) {
                joinSamples(sums, other.sums);
                addMoments(part.moments, other.moments);
                part.mask |= uint64_t(1) << (partKey(child, levels - 1u) & 63u);
            } else {
                joinNormals(sums, other.sums);
            }
            child = end;
        }
        part.end = child;
    }
    part.sums = sums;
    part.state = PLANE_PART_OPEN;
}

void main() {
    uint block = invocationIndex();
    if (block >= push.count) {
        return;
    }
    uint levels = push.level;
    PlanePart part = AT(PlanePart, WORK(parts), block);
    if (levels > 1u) {
        PlaneCell none = AT(PlaneCell, WORK(cells[0]), block);
        none.end = 0u;
        CellOut(WORK(cells[levels - 1u])).at[block] = none;
        if (!isFirstOfPart(block, levels)) {
            return;
        }
        join(part, block, levels);
    }
    if (part.state == PLANE_PART_OPEN) {
        averageMeans(part.sums, part.average);
        // Of all voxels, or they do not agree.
        part.average.material = AT(VoxelTerm, WORK(terms), AT(uint, WORK(voxelOffsets), block)).material;
    }
    PartOut(WORK(parts)).at[block] = part;
}
