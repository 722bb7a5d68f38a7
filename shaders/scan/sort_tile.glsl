// What the shaders of the radix sorts share: a tile of KEYS keys an invocation, each subgroup's in a run of its own.
#define SCAN_TYPE SCAN_U32
#define SCAN_OPERATION SCAN_ADD
#include "scan/subgroup_scan.glsl"

const uint kWorkgroupSize = kSubgroups * kSubgroupSize;

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer KeyArray {
    uint64_t at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer ValueArray {
    uint at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer CountArray {
    uint at[];
};

/// The number of this invocation in the workgroup, subgroup by subgroup.
uint tileLane() {
    return gl_SubgroupID * kSubgroupSize + gl_SubgroupInvocationID;
}

/// Where the key that this invocation has in a row stands among all.
uint indexOf(uint tile, uint row) {
    return tile * kWorkgroupSize * KEYS + (gl_SubgroupID * KEYS + row) * kSubgroupSize + gl_SubgroupInvocationID;
}
