#version 460
// Where the fragments of each block begin.

#include "voxelize/voxelize.glsl"

void main() {
    uint i = invocationIndex();
    if (i > push.count) {
        return;
    }
    uint block = AT(uint, WORK(blockNumbers), i); // the blocks that begin before it
    if (i == push.count) {
        UintOut(WORK(blockFirst)).at[block] = i;
    } else if (AT(uint, WORK(blockNumbers), i + 1u) != block) {
        UintOut(WORK(blockFirst)).at[block] = i;
        UintOut(WORK(blockKeys)).at[block] = uint(AT(uint64_t, WORK(sortedKeys), i));
    }
}
