// Totals of chunks of consecutive items, a workgroup each. With a counter, the workgroup that ends last combines the
// totals into one: it waits for nobody, so that any device may run it. Host side: src/scan/scan_plan.cpp.

#include "scan/workgroup_scan.glsl"

layout(push_constant, scalar) uniform Push {
    ScanPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = ITEM_BYTES) coherent buffer TotalArray {
    Item at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Counter {
    uint value;
};

shared uint isLast;

/// The total of the chunk, known to the first subgroup.
Item reduceChunk(uint chunk) {
    uint64_t first = chunk * push.chunkItems;
    uint64_t end = min(first + push.chunkItems, push.count);
    Item4 sums = Item4(IDENTITY);
    for (; first < end; first += kTileItems) {
        loadTile(0u, push.source + first * ITEM_BYTES, uint(min(end - first, uint64_t(kTileItems))));
        EACH_ROW(r) sums = COMBINE(sums, rows[0][r]);
    }
    return workgroupReduce(scanItems(sums).w);
}

/// Whether this workgroup is the last to come here; to be called once by each.
bool lastToArrive() {
    // In uniform control flow: lavapipe takes a memory barrier for a barrier of the workgroup.
    memoryBarrierBuffer();
    if (isLeader()) {
        isLast = atomicAdd(Counter(push.counter).value, 1u) + 1u == push.chunks ? 1u : 0u;
    }
    barrier();
    memoryBarrierBuffer();
    return isLast != 0u;
}

void main() {
    uint chunk = workgroupIndex();
    if (chunk >= push.chunks) {
        return;
    }
    Item total = reduceChunk(chunk);
    if (push.counter == 0ul) {
        if (isLeader()) {
            ItemArray(push.target).at[chunk] = total;
        }
        return;
    }
    if (isLeader()) {
        TotalArray(push.totals).at[chunk] = total;
    }
    if (lastToArrive()) {
        Item sum = IDENTITY;
        for (uint i = tileLane(); i < push.chunks; i += kSubgroups * kSubgroupSize) {
            sum = combine(sum, TotalArray(push.totals).at[i]);
        }
        sum = workgroupReduce(sum);
        if (isLeader()) {
            ItemArray(push.target).at[0] = sum;
            Counter(push.counter).value = 0u; // ready for the next execution
        }
    }
}
