#version 460
// Puts the fragments in the order of their sorted keys, and marks the first of each block.

#include "voxelize/voxelize.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer FragmentOut {
    VoxelFragment at[];
};

void main() {
    uint i = invocationIndex();
    if (i > push.count) {
        return;
    }
    if (i == push.count) {
        UintOut(WORK(counts)).at[i] = 0u;
        return;
    }
    uint from = AT(uint, WORK(sortedValues), i);
    uint mine = push.level & 1u;
    VoxelFragment fragment;
    fragment.mask = AT(uvec2, WORK(masks[mine]), from);
    fragment.triangle = AT(VoxelEntry, WORK(entries), AT(VoxelPair, WORK(pairs[mine]), from).entry).triangle;
    fragment.padding = 0u;
    FragmentOut(WORK(fragments)).at[i] = fragment;
    bool isFirst = i == 0u || AT(uint64_t, WORK(sortedKeys), i) != AT(uint64_t, WORK(sortedKeys), i - 1u);
    UintOut(WORK(counts)).at[i] = isFirst ? 1u : 0u;
}
