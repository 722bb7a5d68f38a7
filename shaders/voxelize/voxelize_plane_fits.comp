#version 460
// What each block of a part says of the part's average and of a slab across it.

#include "voxelize/voxelize_part.glsl"
#include "voxelize/voxelize_plane.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer FitOut {
    PlaneFit at[];
};

/// Whether the average may stand for all voxels of a block.
bool agrees(uint block, SurfaceAverage average) {
    float cosine = planeCosine(push.level);
    uint end = AT(uint, WORK(voxelOffsets), block + 1u);
    for (uint voxel = AT(uint, WORK(voxelOffsets), block); voxel < end; ++voxel) {
        VoxelTerm term = AT(VoxelTerm, WORK(terms), voxel);
        if (isPlaneNear(term.albedo, term.roughness, term.metalness, term.normal, term.material, average, cosine) ==
            0u) {
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
    PlanePart part = AT(PlanePart, WORK(parts), firstOfPart(block, push.level));
    if (part.state != PLANE_PART_OPEN) {
        return;
    }
    uint key = AT(uint, WORK(blockKeys), block);
    ivec3 corner = cornerOfBlock(key);
    ivec3 low = lowOfBlock(key);
    dvec3 across = slabAcross(packSlabDirection(part.average.geometricNormal), planeScale(push.level));
    dvec3 middle = middleOfPart(key, push.level);
    PlaneFit fit;
    fit.agrees = agrees(block, part.average) ? 1u : 0u;
    fit.heights = noHeights();
    uint first = AT(uint, WORK(blockFirst), block);
    uint end = fit.agrees != 0u ? AT(uint, WORK(blockFirst), block + 1u) : first;
    for (SamplesLeft left = samplesOf(first, end); left.fragment < end; nextSample(left)) {
        if (left.mask == uint64_t(0)) {
            continue;
        }
        VoxelTriangle triangle =
            AT(VoxelTriangle, WORK(triangles), AT(VoxelFragment, WORK(fragments), left.fragment).triangle);
        uint bit = lowestBit(left.mask);
        SurfaceSample sampled = sampleOf(triangle, findPart(triangle, corner, bit), bit);
        precise vec3 position = sampled.position + vec3(low);
        sampled.position = position;
        addBend(part.sums, sampled, part.average.geometricNormal);
        addHeights(fit.heights, triangle, corner, dvec3(low), across, middle);
    }
    fit.spread = part.sums.spread;
    fit.crease = part.sums.crease;
    fit.doubleSided = part.sums.doubleSided;
    fit.hollow = part.sums.hollow;
    FitOut(WORK(fits)).at[block] = fit;
}
