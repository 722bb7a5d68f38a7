// First step of a pass of the radix sort: how many keys of each digit a tile has. Host side: src/scan/sort_plan.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scan/sort_pass.glsl"

shared uint digitCounts[SORT_DIGITS];

void main() {
    uint tile = workgroupIndex();
    if (tile >= push.tiles) {
        return;
    }
    for (uint digit = tileLane(); digit < SORT_DIGITS; digit += kWorkgroupSize) {
        digitCounts[digit] = 0u;
    }
    barrier();
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        uint index = indexOf(tile, r);
        if (index < push.count) {
            atomicAdd(digitCounts[digitOf(KeyArray(push.sourceKeys).at[index])], 1u);
        }
    }
    barrier();
    for (uint digit = tileLane(); digit < SORT_DIGITS; digit += kWorkgroupSize) {
        CountArray(push.counts).at[digit * push.tiles + tile] = digitCounts[digit];
    }
}
