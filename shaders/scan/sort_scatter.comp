// Last step of a pass of the radix sort: moves keys and values to their places. Host side: src/scan/sort_plan.cpp.
//
// Keys of a subgroup's row that share a digit find each other by ballots, one for each bit (Adinets and Merrill,
// "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022); counts of the rows and subgroups before give
// the place in the tile. There the tile is put in order first, so that runs of neighbours are written together
// (Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009). Equal digits keep
// their order.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scan/sort_pass.glsl"

#include "scan/subgroup_match.glsl"

#include "shared/specialization.h"

layout(constant_id = SPEC_SORT_POOL_WORDS) const uint kPoolSize = 4096u;
layout(constant_id = SPEC_SORT_VALUES) const bool kHasValues = true;

shared uint pool[kPoolSize];           // first the subgroups' counts of each digit, then the tile in order
shared uint digitTotals[SORT_DIGITS];  // in the tile; then where each digit begins in it
shared uint digitOffsets[SORT_DIGITS]; // from the place in the tile to the place among all

uint64_t keys[KEYS];
uint places[KEYS]; // in the tile

/// Places of the keys among those of the same digit in the subgroup's run, counted in pool.
void rankInSubgroup(uint tile) {
    uint first = gl_SubgroupID * SORT_DIGITS;
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        bool valid = indexOf(tile, r) < push.count;
        uint digit = digitOf(keys[r]);
        subgroupMeet();
        uvec4 peers = peersOf(digit, subgroupBallot(valid));
        uint earlier = pool[first + digit];
        uint rank = countBitsOf(peers & gl_SubgroupLtMask);
        places[r] = earlier + rank;
        // All have read before one writes, and it has written before all read again.
        subgroupMemoryBarrierShared();
        subgroupMeet();
        if (valid && rank == 0u) {
            pool[first + digit] = earlier + countBitsOf(peers);
        }
        subgroupMemoryBarrierShared();
        subgroupMeet();
    }
}

/// Turns the subgroups' counts into what the subgroups before have of each digit, and adds up the digits.
void scanSubgroupCounts() {
    for (uint digit = tileLane(); digit < SORT_DIGITS; digit += kWorkgroupSize) {
        uint sum = 0u;
        [[dont_unroll]] for (uint s = 0u; s < kSubgroups; ++s) {
            uint count = pool[s * SORT_DIGITS + digit];
            pool[s * SORT_DIGITS + digit] = sum;
            sum += count;
        }
        digitTotals[digit] = sum;
    }
}

/// For the first subgroup: where each digit begins in the tile, and how far its keys move.
void scanDigits(uint tile) {
    uint carry = 0u;
    [[dont_unroll]] for (uint first = 0u; first < SORT_DIGITS; first += kSubgroupSize) {
        uint digit = first + gl_SubgroupInvocationID;
        uint total;
        uint begin = carry + subgroupExclusive(digitTotals[digit], total);
        carry += total;
        digitTotals[digit] = begin;
        digitOffsets[digit] = CountArray(push.counts).at[digit * push.tiles + tile] - begin;
    }
}

/// Loads the keys of this lane, and finds their places in the tile's order.
void placeKeys(uint tile) {
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        uint index = indexOf(tile, r);
        keys[r] = index < push.count ? KeyArray(push.sourceKeys).at[index] : 0ul;
    }
    for (uint i = tileLane(); i < kSubgroups * SORT_DIGITS; i += kWorkgroupSize) {
        pool[i] = 0u;
    }
    barrier();
    rankInSubgroup(tile);
    barrier();
    scanSubgroupCounts();
    barrier();
    if (gl_SubgroupID == 0u) {
        scanDigits(tile);
    }
    barrier();
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        uint digit = digitOf(keys[r]);
        places[r] += digitTotals[digit] + pool[gl_SubgroupID * SORT_DIGITS + digit];
    }
}

/// Puts one word of each key, or the values, in the tile's order.
#define EXCHANGE(word)                                                                                                 \
    barrier();                                                                                                         \
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {                                                                      \
        if (indexOf(tile, r) < push.count) {                                                                           \
            pool[places[r]] = word;                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    barrier();

void main() {
    uint tile = workgroupIndex();
    if (tile >= push.tiles) {
        return;
    }
    uint tileKeys = min(push.count - tile * kWorkgroupSize * KEYS, kWorkgroupSize * KEYS);
    placeKeys(tile);
    uint low[KEYS];     // of the keys in order, one every kWorkgroupSize
    uint targets[KEYS]; // their places among all
    EXCHANGE(uint(keys[r]))
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        uint place = r * kWorkgroupSize + tileLane();
        low[r] = place < tileKeys ? pool[place] : 0u;
    }
    EXCHANGE(uint(keys[r] >> 32))
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        uint place = r * kWorkgroupSize + tileLane();
        if (place < tileKeys) {
            uint64_t key = packUint2x32(uvec2(low[r], pool[place]));
            targets[r] = digitOffsets[digitOf(key)] + place;
            KeyArray(push.targetKeys).at[targets[r]] = key;
        }
    }
    if (!kHasValues) {
        return;
    }
    EXCHANGE(ValueArray(push.sourceValues).at[indexOf(tile, r)])
    [[unroll]] for (uint r = 0u; r < KEYS; ++r) {
        uint place = r * kWorkgroupSize + tileLane();
        if (place < tileKeys) {
            ValueArray(push.targetValues).at[targets[r]] = pool[place];
        }
    }
}
