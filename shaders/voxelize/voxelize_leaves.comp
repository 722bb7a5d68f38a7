#version 460
// The sum of each block's voxels in their order, and its attributes.

#include "voxelize/voxelize.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer LeafOut {
    VoxelLeaf at[];
};

void main() {
    uint block = invocationIndex();
    if (block >= push.count) {
        return;
    }
    VoxelLeaf leaf;
    VoxelSurface none = noSurface();
    leaf.sum = areaSumOf(none, vec3(0.0f), vec3(0.0f), 0u, WIDE(0.0));
    leaf.firstVoxel = AT(uint, WORK(voxelOffsets), block);
    leaf.padding = 0u;
    uint end = AT(uint, WORK(voxelOffsets), block + 1u);
    for (uint voxel = leaf.firstVoxel; voxel < end; ++voxel) {
        VoxelTerm term = AT(VoxelTerm, WORK(terms), voxel);
        VoxelSurface surface = none;
        surface.albedo = term.albedo;
        surface.roughness = term.roughness;
        surface.metalness = term.metalness;
        addAreaSum(leaf.sum, areaSumOf(surface, term.normal, term.emission, term.material, term.area));
    }
    leaf.average = averageOfSum(leaf.sum);
    leaf.emission = radianceOfSum(leaf.sum);
    leaf.material = leaf.sum.weight > WIDE(0.0) ? leaf.sum.material : 0u;
    leaf.key = AT(uint, WORK(blockKeys), block);
    leaf.mask = AT(uvec2, WORK(blockMasks), block);
    LeafOut(WORK(leaves)).at[block] = leaf;
}
