// Subgroup scans in a loop, with work in between that keeps lanes busy for different times: what goes wrong where lanes
// of a subgroup run apart and no barrier brings them together.
#version 460
#extension GL_GOOGLE_include_directive : require
#define SCAN_TYPE SCAN_U32
#define SCAN_OPERATION SCAN_ADD
#include "scan/subgroup_scan.glsl"

layout(push_constant, scalar) uniform Push {
    uint64_t items;
    uint rounds;
}
push;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Items {
    uint at[];
};

/// As many steps of a congruential generator as the value's low bits say.
uint scramble(uint value) {
    uint steps = value & 15u;
    for (uint i = 0u; i < steps; ++i) {
        value = value * 1664525u + 1013904223u;
    }
    return value;
}

void main() {
    uint index = (gl_WorkGroupID.x * kSubgroups + gl_SubgroupID) * kSubgroupSize + gl_SubgroupInvocationID;
    uint value = Items(push.items).at[index];
    for (uint round = 0u; round < push.rounds; ++round) {
        value = scramble(value);
        uint total;
        uint before = subgroupExclusive(value, total);
        value = (value & 1u) != 0u ? scramble(before + total) : before ^ total;
        value += subgroupInclusive(value) * 3u + subgroupReduce(value ^ round);
    }
    Items(push.items).at[index] = value;
}
