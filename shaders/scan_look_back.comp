// Scan in one pass over memory: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
// (2016). Host side: src/scan/scan_plan.cpp.
//
// A workgroup takes a ticket, its tile. It publishes the tile's total, then looks back over the totals that the tiles
// before have published, a subgroup's worth at a time, up to the nearest tile whose prefix (the total up to and with
// it) is known, and publishes its own prefix. A ticket's predecessors have all started, so on devices that let every
// started workgroup go on, the wait ends. Elsewhere patience runs out, and the waiting subgroup adds up the missing
// tile itself (after Smith, Levien and Owens, "Decoupled Fallback", 2025): slow, but right. In place it cannot, since
// the missing tile may overwrite its items meanwhile.
//
// The status of a tile is two words (four for 64-bit items), each with 16 bits of the value, and as a tag what the
// value is and the number of the execution. It counts where the tags agree, so that it needs neither wider atomics nor
// fences, and nothing has to be cleared between executions.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_memory_scope_semantics : require

#include "workgroup_scan.glsl"

layout(constant_id = 6) const uint kPatience = 65536u; // polls that find nothing new before a subgroup helps itself

layout(push_constant, scalar) uniform Push {
    ScanPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer StatusArray {
    uint at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Counter {
    uint value;
};

const uint kNothing = 0u;
const uint kTotal = 1u;  // of the tile alone
const uint kPrefix = 2u; // of all items up to the tile's end

shared uint ticket;
shared Item tileCarry;

#if SCAN_TYPE == SCAN_U64
#define WORDS 4
#define TO_BITS(value) unpackUint2x32(value)
#define FROM_BITS(bits) packUint2x32(bits)
#elif SCAN_TYPE == SCAN_F32
#define WORDS 2
#define TO_BITS(value) uvec2(floatBitsToUint(value), 0u)
#define FROM_BITS(bits) uintBitsToFloat(bits.x)
#else
#define WORDS 2
#define TO_BITS(value) uvec2(value, 0u)
#define FROM_BITS(bits) Item(bits.x)
#endif

void publish(uint tile, uint state, Item value) {
    uint tag = (push.epoch << 18) | (state << 16);
    uvec2 bits = TO_BITS(value);
    [[unroll]] for (uint i = 0u; i < WORDS; ++i) {
        uint part = (bits[i / 2u] >> (16u * (i % 2u))) & 0xFFFFu;
        atomicStore(StatusArray(push.status).at[tile * WORDS + i], tag | part, gl_ScopeDevice,
                    gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    }
}

/// What a tile has published in this execution, and its state.
uint look(uint tile, out Item value) {
    uint words[WORDS];
    [[unroll]] for (uint i = 0u; i < WORDS; ++i) {
        words[i] = atomicLoad(StatusArray(push.status).at[tile * WORDS + i], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                              gl_SemanticsRelaxed);
    }
    bool whole = (words[0] >> 18) == push.epoch;
    uvec2 bits = uvec2(0u);
    [[unroll]] for (uint i = 0u; i < WORDS; ++i) {
        whole = whole && (words[i] >> 16) == (words[0] >> 16);
        bits[i / 2u] |= (words[i] & 0xFFFFu) << (16u * (i % 2u));
    }
    value = FROM_BITS(bits);
    return whole ? (words[0] >> 16) & 3u : kNothing;
}

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

/// What precedes a tile, for the first subgroup. Lane i looks at the tile i + 1 before the nearest one not yet counted.
/// A tile that stays missing is added up a row of vectors at a time, between looks. No memory barrier stands here, in
/// one subgroup's flow: lavapipe takes it for a barrier of the workgroup, and loses the subgroup.
Item lookBack(uint tile) {
    const uint tileRows = kSubgroups * kRows;
    Item preceding = IDENTITY;
    uint uncounted = tile; // tiles from the first on
    uint polls = 0u;       // since the last that found something
    uint addedRows = 0u;   // of the missing tile
    Item4 sums = Item4(IDENTITY);
    bool found = false; // the prefix of a tile
    while (!found && uncounted > 0u) {
        if (polls > kPatience && push.source != push.target) {
            uint64_t missingTile = push.source + uint64_t(uncounted - 1u) * kTileItems * ITEM_BYTES;
            Item4 items = loadItems(missingTile, addedRows * kSubgroupSize + gl_SubgroupInvocationID, kTileItems);
            sums = COMBINE(sums, items);
            addedRows += 1u;
        }
        uint state = kNothing;
        Item value = IDENTITY;
        if (gl_SubgroupInvocationID < uncounted) {
            state = look(uncounted - 1u - gl_SubgroupInvocationID, value);
        }
        subgroupBarrier();
        uvec4 prefixes = subgroupBallot(state == kPrefix);
        subgroupBarrier();
        uvec4 missing = subgroupBallot(state == kNothing);
        uint nearestPrefix = prefixes == uvec4(0u) ? kSubgroupSize : subgroupBallotFindLSB(prefixes);
        uint nearestMissing = missing == uvec4(0u) ? kSubgroupSize : subgroupBallotFindLSB(missing);
        found = nearestPrefix < nearestMissing;
        uint usable = found ? nearestPrefix + 1u : nearestMissing; // lanes from the first on
        Item part = gl_SubgroupInvocationID < usable ? value : IDENTITY;
        if (usable == 0u && addedRows == tileRows) {
            part = scanItems(sums).w;
            usable = 1u;
        }
        polls += 1u;
        if (usable > 0u) {
            preceding = combine(subgroupReduce(part), preceding);
            uncounted -= usable;
            polls = 0u;
            addedRows = 0u;
            sums = Item4(IDENTITY);
        }
    }
    return preceding;
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
    barrier();
    storeTile(push.target + offset * ITEM_BYTES, valid, 0u, tileCarry, push.exclusive != 0u);
}
