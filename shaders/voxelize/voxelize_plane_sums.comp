#version 460
// The sums over the samples of each block all of whose voxels have slabs.

#include "voxelize/voxelize_part.glsl"
#include "voxelize/voxelize_plane.glsl"

/// Whether all voxels of a block have slabs and nothing that emits: light sampling knows lamps by the faces of their
/// voxels. A crease has no slab, or emits.
bool isOpen(uint block) {
    uint end = AT(uint, WORK(voxelOffsets), block + 1u);
    for (uint voxel = AT(uint, WORK(voxelOffsets), block); voxel < end; ++voxel) {
        bool isWhole = slabIsWhole(AT(SurfaceSlab, WORK(slabs), voxel)) != 0u;
        if (isWhole || isBlack(AT(VoxelTerm, WORK(terms), voxel).emission) == 0u) {
            return false;
        }
    }
    return true;
}

void main() {
    uint block = invocationIndex();
    if (block >= push.count) {
        return;
    }
    uint points = 0u;
    uint key = AT(uint, WORK(blockKeys), block);
    ivec3 corner = cornerOfBlock(key);
    vec3 low = vec3(lowOfBlock(key));
    PlanePart part;
    part.sums = noSums();
    part.moments = noMoments();
    part.average = noAverage();
    part.mask = wholeMask(AT(uvec2, WORK(blockMasks), block));
    part.slab = wholeSlab();
    part.end = block + 1u;
    part.state = isOpen(block) ? PLANE_PART_OPEN : PLANE_PART_NONE;
    part.padding = 0u;
    uint first = AT(uint, WORK(blockFirst), block);
    uint end = part.state == PLANE_PART_OPEN ? AT(uint, WORK(blockFirst), block + 1u) : first;
    for (uint phase = 0u; phase < 2u; ++phase) { // a loop, as compilers write out what is called twice
        for (SamplesLeft left = samplesOf(first, end); left.fragment < end; nextSample(left)) {
            if (left.mask == uint64_t(0)) {
                continue;
            }
            VoxelTriangle triangle =
                AT(VoxelTriangle, WORK(triangles), AT(VoxelFragment, WORK(fragments), left.fragment).triangle);
            uint bit = lowestBit(left.mask);
            SurfaceSample sampled = sampleOf(triangle, findPart(triangle, corner, bit), bit);
            precise vec3 position = sampled.position + low;
            sampled.position = position;
            if (phase == 0u) {
                addSample(part.sums, sampled);
                addMoment(part.moments, sampled.weight, dvec3(position), dvec3(sampled.point.normal));
                points += 1u + (partCount == 0u ? 3u : partCount);
            } else {
                addNormal(part.sums, sampled);
            }
        }
    }
    PartOut(WORK(parts)).at[block] = part;
    PlaneCell cell;
    cell.attributes = AT(VoxelAttributes, WORK(attributes), 0);
    cell.slab = part.slab;
    cell.end = 0u;
    cell.points = points;
    CellOut(WORK(cells[0])).at[block] = cell;
}
