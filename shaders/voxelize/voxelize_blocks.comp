#version 460
// The voxels of each block; how many blocks there are is read behind the numbers of the fragments' blocks.

#include "voxelize/voxelize.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer UintInOut {
    uint at[];
};

void main() {
    uint block = invocationIndex();
    if (block > push.count) {
        return;
    }
    uint voxels = 0u;
    if (block < AT(uint, WORK(blockNumbers), push.count)) {
        uvec2 mask = uvec2(0u);
        uint first = AT(uint, WORK(blockFirst), block);
        uint end = AT(uint, WORK(blockFirst), block + 1u);
        bool isField = WORK(distances) != uint64_t(0);
        uint samples = 0u;
        uint meeting = 0u;
        for (uint i = first; i < end; ++i) {
            uvec2 own = AT(VoxelFragment, WORK(fragments), i).mask;
            mask |= own;
            samples += maskCount(own);
            meeting += isField && maskCount(own) == 0u ? 0u : 1u;
        }
        atomicMax(UintInOut(WORK(most)).at[0], meeting);
        if (isField) {
            atomicMax(UintInOut(WORK(most)).at[2], end - first);
        }
        if (WORK(parts) != uint64_t(0)) {
            atomicMax(UintInOut(WORK(most)).at[1], samples);
        }
        MaskOut(WORK(blockMasks)).at[block] = mask;
        voxels = maskCount(mask);
    }
    UintOut(WORK(counts)).at[block] = voxels;
}
