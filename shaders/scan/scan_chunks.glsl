// Scans chunks of consecutive items, a workgroup each, tile after tile: the last pass of reduce-then-scan, its middle
// pass (one chunk: the totals), and the scan of segments. Host side: src/scan/scan_plan.cpp.

#include "scan/workgroup_scan.glsl"

layout(push_constant, scalar) uniform Push {
    ScanPush push;
};

shared Item tileTotal[2]; // as subgroupTotals, of two tiles in turn

void main() {
    uint chunk = workgroupIndex();
    if (chunk >= push.chunks) {
        return;
    }
    uint64_t first = chunk * push.chunkItems;
    uint64_t end = min(first + push.chunkItems, push.count);
    Item carry = IDENTITY;
    if (push.totals != 0ul) {
        carry = ItemArray(push.totals).at[chunk];
    }
    uint turn = 0u;
    for (; first < end; first += kTileItems) {
        uint valid = uint(min(end - first, uint64_t(kTileItems)));
        loadTile(0u, push.source + first * ITEM_BYTES, valid);
        putSubgroupTotal(turn, scanRows(0u, push.exclusive != 0u));
        if (gl_SubgroupID == 0u) {
            Item total = scanSubgroupTotals(turn);
            if (isLeader()) {
                tileTotal[turn] = total;
            }
        }
        barrier();
        storeTile(0u, push.target + first * ITEM_BYTES, valid, precedingInTile(turn, carry));
        carry = combine(carry, tileTotal[turn]);
        turn ^= 1u;
    }
}
