// What the dispatches of a onesweep radix sort share: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit
// Radix Sort for GPUs" (2022). Host side: src/scan/onesweep.cpp.
#include "scan/sort_tile.glsl"

layout(push_constant, scalar) uniform Push {
    OnesweepPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer VectorArray {
    uvec4 at[];
};

const uint kStatusVectors = SORT_DIGITS / 4u; // of a tile

/// The lowest bit of a pass's digit.
uint shiftOf(uint pass) {
    return min(push.beginBit + pass * push.digitBits, 63u);
}

/// The bits of a pass's digit, shifted down; 0 for a pass behind the last bit.
uint maskOf(uint pass) {
    uint first = min(push.beginBit + pass * push.digitBits, push.endBit);
    return (1u << min(push.digitBits, push.endBit - first)) - 1u;
}

uint digitAt(uint64_t key, uint shift, uint mask) {
    return uint(key >> shift) & mask;
}
