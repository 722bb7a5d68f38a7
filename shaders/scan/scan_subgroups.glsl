// Scan or reduction of many short segments, each of one subgroup's items. Host side: src/scan/scan_plan.cpp.

#include "scan/subgroup_scan.glsl"

#include "scan/scan_memory.glsl"

#include "shared/specialization.h"

layout(constant_id = SPEC_SCAN_REDUCE) const uint kReduce = 0u;

layout(push_constant, scalar) uniform Push {
    ScanPush push;
};

void main() {
    const uint segmentItems = kSubgroupSize * kItems;
    uint stride = gl_NumWorkGroups.x * kSubgroups;
    for (uint segment = gl_WorkGroupID.x * kSubgroups + gl_SubgroupID; segment < push.chunks; segment += stride) {
        uint64_t first = uint64_t(segment) * segmentItems;
        uint64_t source = push.source + first * ITEM_BYTES;
        uint64_t target = push.target + first * ITEM_BYTES;
        uint valid = uint(min(push.count - first, uint64_t(segmentItems)));
        bool whole = valid == segmentItems;
        Item4 items = whole && alignedForVectors(source) ? loadVector(source, gl_SubgroupInvocationID)
                                                         : loadItems(source, gl_SubgroupInvocationID, valid);
        items = scanItems(items);
        if (kReduce != 0u) {
            Item total = subgroupReduce(items.w);
            if (gl_SubgroupInvocationID == 0u) {
                ItemArray(push.target).at[segment] = total;
            }
        } else {
            items = scannedItems(items, subgroupExclusive(items.w), push.exclusive != 0u);
            if (whole && alignedForVectors(target)) {
                storeVector(target, gl_SubgroupInvocationID, items);
            } else {
                storeItems(target, gl_SubgroupInvocationID, valid, items);
            }
        }
    }
}
