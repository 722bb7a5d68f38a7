// Scan in one pass over memory, after Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
// (2016): a workgroup takes a ticket, its tile, scans it, publishes its total, learns what precedes it, and stores.
//
// Two things keep the memory busy while tiles wait for each other. One subgroup alone, that of ticket 0, follows the
// published totals and turns them into prefixes, totals up to and with a tile: it passes hundreds of tiles at each
// look, and the others need but watch one word. And a workgroup asks for a tile's prefix only after it has loaded and
// published the next one, by when the prefix is there (kLooping).
//
// A ticket's predecessors have all started, so on devices that let every started workgroup go on, the wait ends.
// Elsewhere patience runs out, and the waiting subgroup itself looks back over the totals before its tile, a subgroup's
// worth at a time, and adds up the items of a tile whose total is missing (after Smith, Levien and Owens, "Decoupled
// Fallback", 2025): slow, but right. In place it cannot, since the missing tile may overwrite its items meanwhile.
//
// The status of a tile is two words (four for 64-bit items), each with 16 bits of the value, and as a tag what the
// value is and the number of the execution. It counts where the tags agree, so that it needs neither wider atomics nor
// fences, and nothing has to be cleared between executions until their numbers are used up. This wants one writer for
// each tag: a tile that has helped itself publishes its prefix in a second status, since halves of two prefixes could
// mix, and sums of floats differ by the order of their items.
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_memory_scope_semantics : require

#include "scan/workgroup_scan.glsl"

#include "shared/specialization.h"

layout(constant_id = SPEC_SCAN_PATIENCE) const uint kPatience = 65536u;
layout(constant_id = SPEC_SCAN_LOOPING) const uint kLooping = 0u;

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

const uint kWaveTiles = 8u;    // that a lane of the first ticket's subgroup looks at
const uint kHelpedEvery = 64u; // polls for a prefix, one of which looks whether the tile has helped itself

shared uint tickets[2];     // of either turn
shared Item tileCarries[2]; // the tile's total, known to the leader; then what precedes the tile

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

/// The number of the status where a tile publishes the prefix that it has found itself.
uint helpedStatus(uint tile) {
    return push.chunks + tile;
}

/// Writes a total to a tile's status, or to its helpedStatus.
void publish(uint status, uint state, Item value) {
    uint tag = (push.epoch << SCAN_EPOCH_SHIFT) | (state << SCAN_STATE_SHIFT);
    uvec2 bits = TO_BITS(value);
    [[unroll]] for (uint i = 0u; i < WORDS; ++i) {
        uint part = (bits[i / 2u] >> (16u * (i % 2u))) & 0xFFFFu;
        atomicStore(StatusArray(push.status).at[status * WORDS + i], tag | part, gl_ScopeDevice,
                    gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    }
}

/// What a status holds of this execution, and its state.
uint look(uint status, out Item value) {
    uint words[WORDS];
    [[unroll]] for (uint i = 0u; i < WORDS; ++i) {
        words[i] = atomicLoad(StatusArray(push.status).at[status * WORDS + i], gl_ScopeDevice,
                              gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    }
    bool whole = (words[0] >> SCAN_EPOCH_SHIFT) == push.epoch;
    uvec2 bits = uvec2(0u);
    [[unroll]] for (uint i = 0u; i < WORDS; ++i) {
        whole = whole && (words[i] >> SCAN_STATE_SHIFT) == (words[0] >> SCAN_STATE_SHIFT);
        bits[i / 2u] |= (words[i] & 0xFFFFu) << (16u * (i % 2u));
    }
    value = FROM_BITS(bits);
    return whole ? (words[0] >> SCAN_STATE_SHIFT) & 3u : kNothing;
}

/// The best that is known of a tile: its prefix from either side, or its total.
uint lookAtBoth(uint tile, out Item value) {
    uint state = look(helpedStatus(tile), value);
    return state != kNothing ? state : look(tile, value);
}

/// Takes a ticket for a turn, known to the workgroup after a barrier. The last one taken leaves the counter as it was.
void takeTicket(uint turn) {
    if (isLeader()) {
        uint ticket = atomicAdd(Counter(push.counter).value, 1u);
        if (ticket + 1u == (kLooping != 0u ? push.chunks : 0u) + gl_NumWorkGroups.x * gl_NumWorkGroups.y) {
            atomicExchange(Counter(push.counter).value, 0u);
        }
        tickets[turn] = ticket;
    }
}

/// Publishes the prefix of every tile in order, as soon as the totals up to it are there; for one subgroup. Lanes look
/// at neighbouring tiles each; the first total missing ends what counts. Out of patience it leaves the rest to the
/// tiles themselves.
void publishPrefixes() {
    Item preceding = IDENTITY;
    uint first = 0u; // tile without a prefix yet
    uint polls = 0u; // since the last that found something
    while (first < push.chunks && polls <= kPatience) {
        uint own = first + gl_SubgroupInvocationID * kWaveTiles;
        Item prefixes[kWaveTiles];
        uint ready = 0u; // of the lane's tiles, up to the first missing
        [[unroll]] for (uint i = 0u; i < kWaveTiles; ++i) {
            Item value = IDENTITY;
            uint state = own + i < push.chunks ? look(own + i, value) : kNothing;
            ready += ready == i && state != kNothing ? 1u : 0u;
            prefixes[i] = i < ready ? value : IDENTITY;
            if (i > 0u) {
                prefixes[i] = combine(prefixes[max(i, 1u) - 1u], prefixes[i]);
            }
        }
        subgroupMeet();
        uvec4 partly = subgroupBallot(ready < kWaveTiles);
        uint last = partly == uvec4(0u) ? kSubgroupSize - 1u : subgroupBallotFindLSB(partly); // lane that counts
        bool counts = gl_SubgroupInvocationID <= last;
        Item sum = counts ? prefixes[kWaveTiles - 1u] : IDENTITY;
        Item total;
        Item before = combine(preceding, subgroupExclusive(sum, total));
        [[unroll]] for (uint i = 0u; i < kWaveTiles; ++i) {
            if (counts && i < ready) {
                publish(own + i, kPrefix, combine(before, prefixes[i]));
            }
        }
        preceding = combine(preceding, total);
        subgroupMeet();
        uint passed = last * kWaveTiles + subgroupShuffle(ready, last);
        first += passed;
        polls = passed > 0u ? 0u : polls + 1u;
    }
}

/// What precedes a tile, for the first subgroup. Lane i looks at the tile i + 1 before the nearest one not yet counted.
/// Out of patience, which is one budget for all tiles, a missing tile is added up a row of vectors at a time, between
/// looks. No memory barrier stands here, in one subgroup's flow: lavapipe takes it for a barrier of the workgroup, and
/// loses the subgroup.
Item lookBack(uint tile) {
    const uint tileRows = kSubgroups * kRows;
    Item preceding = IDENTITY;
    uint uncounted = tile; // tiles from the first on
    uint polls = 0u;
    uint addedRows = 0u; // of the missing tile
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
            state = lookAtBoth(uncounted - 1u - gl_SubgroupInvocationID, value);
        }
        subgroupMeet();
        uvec4 prefixes = subgroupBallot(state == kPrefix);
        subgroupMeet();
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
            addedRows = 0u;
            sums = Item4(IDENTITY);
        }
    }
    return preceding;
}

/// What precedes the turn's tile, for the first subgroup.
Item awaitPrefix(uint turn, uint tile) {
    for (uint polls = 0u; polls <= kPatience; ++polls) {
        bool looksForHelped = polls % kHelpedEvery == kHelpedEvery - 1u;
        Item prefix;
        bool there = look(looksForHelped ? helpedStatus(tile - 1u) : tile - 1u, prefix) == kPrefix;
        subgroupMeet();
        uvec4 seen = subgroupBallot(there);
        if (seen != uvec4(0u)) {
            return subgroupRead(prefix, subgroupBallotFindLSB(seen));
        }
    }
    Item preceding = lookBack(tile);
    if (isLeader()) {
        publish(helpedStatus(tile), kPrefix, combine(preceding, tileCarries[turn]));
    }
    return preceding;
}

uint64_t tileOffset(uint tile) {
    return uint64_t(tile) * kTileItems;
}
uint tileCount(uint tile) {
    return uint(min(push.count - tileOffset(tile), uint64_t(kTileItems)));
}

/// Loads and scans the turn's tile and publishes its total; false where no tile is left.
bool beginTile(uint turn) {
    uint tile = tickets[turn] - 1u;
    if (tile >= push.chunks) {
        return false;
    }
    loadTile(turn, push.source + tileOffset(tile) * ITEM_BYTES, tileCount(tile));
    putSubgroupTotal(turn, scanRows(turn, push.exclusive != 0u));
    if (gl_SubgroupID == 0u) {
        Item total = scanSubgroupTotals(turn);
        if (isLeader()) {
            publish(tile, kTotal, total);
            tileCarries[turn] = total;
        }
    }
    return true;
}

/// Stores the turn's tile; where there is `more` to do, takes the turn's next ticket.
void endTile(uint turn, bool more) {
    uint tile = tickets[turn] - 1u;
    if (gl_SubgroupID == 0u) {
        Item preceding = tile > 0u ? awaitPrefix(turn, tile) : IDENTITY;
        if (isLeader()) {
            tileCarries[turn] = preceding;
        }
    }
    barrier();
    if (more) {
        takeTicket(turn);
    }
    storeTile(turn, push.target + tileOffset(tile) * ITEM_BYTES, tileCount(tile),
              precedingInTile(turn, tileCarries[turn]));
    barrier();
}

void main() {
    takeTicket(0u);
    barrier();
    if (tickets[0] == 0u) {
        if (gl_SubgroupID == 0u) {
            publishPrefixes();
        }
        return;
    }
    if (!beginTile(0u)) {
        return;
    }
    if (kLooping == 0u) {
        endTile(0u, false);
        return;
    }
    takeTicket(1u);
    barrier();
    bool more = true;
    while (more) {
        more = beginTile(1u);
        endTile(0u, more);
        if (more) {
            more = beginTile(0u);
            endTile(1u, more);
        }
    }
}
