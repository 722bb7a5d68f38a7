#version 460
// The voxels of each block; how many blocks there are is read behind the numbers of the fragments' blocks.

#include "voxelize/voxelize.glsl"

void main() {
    uint block = invocation();
    if (block > push.count) {
        return;
    }
    uint voxels = 0u;
    if (block < AT(uint, WORK(blockNumbers), push.count)) {
        uvec2 mask = uvec2(0u);
        uint end = AT(uint, WORK(blockFirst), block + 1u);
        for (uint i = AT(uint, WORK(blockFirst), block); i < end; ++i) {
            mask |= AT(VoxelFragment, WORK(fragments), i).mask;
        }
        MaskOut(WORK(blockMasks)).at[block] = mask;
        voxels = maskCount(mask);
    }
    UintOut(WORK(counts)).at[block] = voxels;
}
