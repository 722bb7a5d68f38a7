// First dispatch of a onesweep radix sort: how many keys have each digit, for all passes in one read of the keys. It
// also clears the status words of the first pass. Host side: src/scan/onesweep.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#define KEYS 8u
#include "scan/onesweep.glsl"

shared uint digitCounts[SORT_MOST_PASSES * SORT_DIGITS];

void countTile(uint tile) {
    uint first = indexOf(tile, 0u);
    KeyArray own = KeyArray(push.inputKeys + uint64_t(first) * 8ul);
    uint64_t keys[KEYS];
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        keys[r] = first + r * kSubgroupSize < push.count ? own.at[r * kSubgroupSize] : 0ul;
    }
    [[dont_unroll]] for (uint pass = 0u; pass < push.passes; ++pass) {
        uint shift = shiftOf(pass);
        uint mask = maskOf(pass);
        [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
            if (first + r * kSubgroupSize < push.count) {
                atomicAdd(digitCounts[pass * SORT_DIGITS + digitAt(keys[r], shift, mask)], 1u);
            }
        }
    }
}

void main() {
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    for (uint i = tileLane(); i < push.passes * SORT_DIGITS; i += kWorkgroupSize) {
        digitCounts[i] = 0u;
    }
    for (uint i = workgroupIndex() * kWorkgroupSize + tileLane(); i < push.tiles * kStatusVectors;
         i += groups * kWorkgroupSize) {
        VectorArray(push.status).at[i] = uvec4(0u);
    }
    barrier();
    for (uint tile = workgroupIndex(); tile * kWorkgroupSize * KEYS < push.count; tile += groups) {
        countTile(tile);
    }
    barrier();
    for (uint i = tileLane(); i < push.passes * SORT_DIGITS; i += kWorkgroupSize) {
        if (digitCounts[i] != 0u) {
            atomicAdd(CountArray(push.work).at[SORT_COUNTS + i], digitCounts[i]);
        }
    }
}
