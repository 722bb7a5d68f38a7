// Reduce and scan over a workgroup, for the shaders scan_*.comp.
//
// A workgroup takes a tile of consecutive items at a time. Each subgroup has a run of it: kRows rows of kItems items a
// lane, so that loads and stores of a row are coalesced vectors. A lane scans its items of a row in registers, the
// subgroup the lanes' totals of each row, the first subgroup the subgroups' totals. A virtual workgroup larger than
// the real one is a loop over tiles that hands on the total.
#include "scan/subgroup_scan.glsl"

#include "scan/scan_memory.glsl"

#include "shared/specialization.h"

layout(constant_id = SPEC_SCAN_ROWS) const uint kRows = 1u;

const uint kTileVectors = kSubgroups * kSubgroupSize * kRows;
const uint kTileItems = kTileVectors * kItems;

// Of two tiles in turn, 0 and 1: while one subgroup still reads a tile's, another may write the next one's.
shared Item subgroupTotals[2u * kSubgroups];

Item4 rows[2][SCAN_MOST_ROWS]; // the items of a turn's tile that this invocation holds

#define EACH_ROW(r) [[unroll]] for (uint r = 0u; r < SCAN_MOST_ROWS; ++r) if (r < kRows)

/// The invocation that speaks for the workgroup; in the first subgroup.
bool isLeader() {
    return gl_SubgroupID == 0u && gl_SubgroupInvocationID == 0u;
}

/// The number of this invocation in the workgroup, subgroup by subgroup.
uint tileLane() {
    return gl_SubgroupID * kSubgroupSize + gl_SubgroupInvocationID;
}

/// The vector of the tile that this invocation has in a row.
uint vectorOf(uint row) {
    return (gl_SubgroupID * kRows + row) * kSubgroupSize + gl_SubgroupInvocationID;
}

/// Loads the tile at an address; items from `valid` on are the identity.
void loadTile(uint turn, uint64_t address, uint valid) {
    if (valid == kTileItems && alignedForVectors(address)) {
        EACH_ROW(r) rows[turn][r] = loadVector(address, vectorOf(r));
    } else {
        EACH_ROW(r) rows[turn][r] = loadItems(address, vectorOf(r), valid);
    }
}

/// Scans each subgroup's run and returns its total, the same in all lanes.
Item scanRows(uint turn, bool exclusive) {
    Item total = IDENTITY;
    EACH_ROW(r) {
        rows[turn][r] = scanItems(rows[turn][r]);
        Item rowTotal;
        Item before = combine(total, subgroupExclusive(rows[turn][r].w, rowTotal));
        rows[turn][r] = scannedItems(rows[turn][r], before, exclusive);
        total = combine(total, rowTotal);
    }
    return total;
}

/// Hands the subgroups' totals to the first subgroup. Contains a barrier.
void putSubgroupTotal(uint turn, Item total) {
    if (gl_SubgroupInvocationID == 0u) {
        subgroupTotals[turn * kSubgroups + gl_SubgroupID] = total;
    }
    barrier();
}

/// For the first subgroup: turns the subgroups' totals into what precedes each, and returns the workgroup's.
Item scanSubgroupTotals(uint turn) {
    Item total = IDENTITY;
    [[dont_unroll]] for (uint first = 0u; first < kSubgroups; first += kSubgroupSize) {
        uint subgroup = first + gl_SubgroupInvocationID;
        Item own = subgroup < kSubgroups ? subgroupTotals[turn * kSubgroups + subgroup] : IDENTITY;
        Item partTotal;
        Item preceding = combine(total, subgroupExclusive(own, partTotal));
        if (subgroup < kSubgroups) {
            subgroupTotals[turn * kSubgroups + subgroup] = preceding;
        }
        total = combine(total, partTotal);
    }
    return total;
}

/// What precedes this subgroup's run, `carry` preceding the tile.
Item precedingInTile(uint turn, Item carry) {
    return combine(carry, subgroupTotals[turn * kSubgroups + gl_SubgroupID]);
}

/// Stores the scanned tile; `preceding` precedes the subgroup's run.
void storeTile(uint turn, uint64_t address, uint valid, Item preceding) {
    if (valid == kTileItems && alignedForVectors(address)) {
        EACH_ROW(r) storeVector(address, vectorOf(r), precededItems(preceding, rows[turn][r]));
    } else {
        EACH_ROW(r) storeItems(address, vectorOf(r), valid, precededItems(preceding, rows[turn][r]));
    }
}

/// The values of all invocations combined, known to the first subgroup. Contains a barrier.
Item workgroupReduce(Item value) {
    putSubgroupTotal(0u, subgroupReduce(value));
    Item total = IDENTITY;
    if (gl_SubgroupID == 0u) {
        [[dont_unroll]] for (uint s = gl_SubgroupInvocationID; s < kSubgroups; s += kSubgroupSize) {
            total = combine(total, subgroupTotals[s]);
        }
        total = subgroupReduce(total);
    }
    return total;
}
