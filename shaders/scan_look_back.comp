// Scan in one pass over memory: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
// (2016). Host side: src/scan/scan_plan.cpp.
//
// A workgroup takes a ticket, its tile. It publishes the tile's total, then looks back over the totals that the tiles
// before have published, a subgroup's worth at a time, up to the nearest tile whose prefix (the total up to and with
// it) is known, and publishes its own prefix. A ticket's predecessors have all started, so on devices that let every
// started workgroup go on, the wait ends. Elsewhere patience runs out, and the waiting subgroup adds up the missing
// tile itself (after Smith, Levien and Owens, "Decoupled Fallback", 2025): slow, but right.
//
// A status word holds a value with what it is and the number of the execution, in one atomic 64-bit word, so that
// nothing has to be cleared between executions. 64-bit items take two words, and count where both agree.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_memory_scope_semantics : require

#include "workgroup_scan.glsl"

layout(constant_id = 6) const uint kPatience = 65536u; // polls that find nothing new before a subgroup helps itself

layout(push_constant, scalar) uniform Push {
    ScanPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) coherent buffer StatusArray {
    uint64_t at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Counter {
    uint value;
};

const uint kNothing = 0u;
const uint kTotal = 1u;  // of the tile alone
const uint kPrefix = 2u; // of all items up to the tile's end
const uint kWords = ITEM_BYTES / 4;

shared uint ticket;
shared Item tileCarry;

struct Status {
    uint state;
    Item value;
};

void storeWord(uint index, uint state, uint bits) {
    uint64_t word = (uint64_t((push.epoch << 2) | state) << 32) | uint64_t(bits);
    atomicStore(StatusArray(push.status).at[index], word, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsRelaxed);
}

/// The bits in a word, and their state: kNothing where they are of an earlier execution.
uint loadWord(uint index, out uint state) {
    uint64_t word =
        atomicLoad(StatusArray(push.status).at[index], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    uint tag = uint(word >> 32);
    state = (tag >> 2) == push.epoch ? tag & 3u : kNothing;
    return uint(word);
}

#if SCAN_TYPE == SCAN_U64
void publish(uint tile, uint state, Item value) {
    uvec2 halves = unpackUint2x32(value);
    storeWord(2u * tile, state, halves.x);
    storeWord(2u * tile + 1u, state, halves.y);
}
Status look(uint tile) {
    Status status;
    uint high;
    uvec2 halves;
    halves.x = loadWord(2u * tile, status.state);
    halves.y = loadWord(2u * tile + 1u, high);
    status.state = status.state == high ? high : kNothing;
    status.value = packUint2x32(halves);
    return status;
}
#else
#if SCAN_TYPE == SCAN_F32
#define TO_BITS floatBitsToUint
#define FROM_BITS uintBitsToFloat
#else
#define TO_BITS uint
#define FROM_BITS Item
#endif
void publish(uint tile, uint state, Item value) {
    storeWord(tile, state, TO_BITS(value));
}
Status look(uint tile) {
    Status status;
    status.value = FROM_BITS(loadWord(tile, status.state));
    return status;
}
#endif

/// Takes the next tile; to be called once by each workgroup. The last one leaves the counter as it was found.
uint takeTicket() {
    if (isLeader()) {
        ticket = atomicAdd(Counter(push.counter).value, 1u);
        if (ticket + 1u == gl_NumWorkGroups.x * gl_NumWorkGroups.y) {
            atomicExchange(Counter(push.counter).value, 0u);
        }
    }
    barrier();
    return ticket;
}

/// The total of a tile that has started but does not come forward, by one subgroup. None where it has come forward by
/// the end, since then it may have overwritten its items.
bool addUpTile(uint tile, out Item total) {
    uint64_t source = push.source + uint64_t(tile) * kTileItems * ITEM_BYTES;
    Item4 sums = Item4(IDENTITY);
    [[dont_unroll]] for (uint vector = gl_SubgroupInvocationID; vector < kTileVectors; vector += kSubgroupSize) {
        Item4 items = loadItems(source, vector, kTileItems);
        sums = COMBINE(sums, items);
    }
    total = subgroupReduce(scanItems(sums).w);
    memoryBarrierBuffer();
    subgroupBarrier();
    return subgroupAll(look(tile).state == kNothing);
}

/// What precedes a tile, for the first subgroup. Lane i looks at the tile i + 1 before the nearest one not yet counted.
Item lookBack(uint tile) {
    Item preceding = IDENTITY;
    uint uncounted = tile; // tiles from the first on
    uint polls = 0u;
    while (true) {
        Status status = Status(kNothing, IDENTITY);
        if (gl_SubgroupInvocationID < uncounted) {
            status = look(uncounted - 1u - gl_SubgroupInvocationID);
        }
        subgroupBarrier();
        uvec4 prefixes = subgroupBallot(status.state == kPrefix);
        subgroupBarrier();
        uvec4 missing = subgroupBallot(status.state == kNothing);
        uint nearestPrefix = prefixes == uvec4(0u) ? kSubgroupSize : subgroupBallotFindLSB(prefixes);
        uint nearestMissing = missing == uvec4(0u) ? kSubgroupSize : subgroupBallotFindLSB(missing);
        bool found = nearestPrefix < nearestMissing;
        uint usable = found ? nearestPrefix + 1u : nearestMissing;
        if (usable > 0u) {
            Item value = gl_SubgroupInvocationID < usable ? status.value : IDENTITY;
            preceding = combine(subgroupReduce(value), preceding);
            uncounted -= usable;
            polls = 0u;
        } else if (++polls > kPatience) {
            Item total;
            if (addUpTile(uncounted - 1u, total)) {
                preceding = combine(total, preceding);
                uncounted -= 1u;
            }
        }
        if (found || uncounted == 0u) {
            return preceding;
        }
    }
}

void main() {
    uint tile = takeTicket();
    if (tile >= push.chunks) {
        return;
    }
    uint64_t offset = uint64_t(tile) * kTileItems;
    uint valid = uint(min(push.count - offset, uint64_t(kTileItems)));
    loadTile(push.source + offset * ITEM_BYTES, valid);
    putSubgroupTotal(0u, scanRows());
    if (gl_SubgroupID == 0u) {
        Item total = scanSubgroupTotals(0u);
        Item preceding = IDENTITY;
        if (tile > 0u) {
            if (isLeader()) {
                publish(tile, kTotal, total);
            }
            preceding = lookBack(tile);
        }
        if (isLeader()) {
            publish(tile, kPrefix, combine(preceding, total));
            tileCarry = preceding;
        }
    }
    // Nothing is overwritten before the total is out, which addUpTile counts on.
    memoryBarrierBuffer();
    barrier();
    storeTile(push.target + offset * ITEM_BYTES, valid, 0u, tileCarry, push.exclusive != 0u);
}
