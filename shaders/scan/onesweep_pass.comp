// A pass of a onesweep radix sort: moves keys and values to their places by one digit, reading and writing each once.
// Host side: src/scan/onesweep.cpp.
//
// A workgroup takes a ticket, its tile. Counting comes first, so that other tiles learn early what this one has of each
// digit. Then keys of a subgroup's row that share a digit find each other by ballots, and the last of them draws their
// places from the subgroup's counter of that digit, row after row, so that equal digits keep their order. The tile is
// put in order in workgroup memory (Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore
// GPUs", 2009), so that runs of neighbours are written together. The look-back comes as late as it can.
//
// Behind the last key the last tile is filled up with keys of all ones: they come last in order, and are not written.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require

#include "scan/onesweep.glsl"

#include "scan/subgroup_match.glsl"

#include "scan/onesweep_look_back.glsl"

#include "shared/specialization.h"

layout(constant_id = SPEC_SORT_POOL_WORDS) const uint kPoolSize = 4096u;
layout(constant_id = SPEC_SORT_PLANES) const uint kPlanes = 1u;
layout(constant_id = SPEC_SORT_VALUES) const bool kHasValues = true;

const uint kTileKeys = kWorkgroupSize * KEYS;
const uint kDigitChunks = SORT_DIGITS / kSubgroupSize; // runs of digits, a subgroup's worth each

shared uint pool[kPoolSize];           // the subgroups' counters of each digit, then the tile in order
shared uint digitTotals[SORT_DIGITS];  // keys of each digit in the tile
shared uint digitOffsets[SORT_DIGITS]; // where each digit begins in the tile; then from there to the place among all
shared uint chunkTotals[kDigitChunks];
shared uint ticket;

uint64_t keys[KEYS];
uint values[KEYS];
uint places[KEYS];  // in the tile
uint low[KEYS];     // words of the keys in order, one every kWorkgroupSize
uint targets[KEYS]; // the places of those among all

// What the pass's route and digit come to.
uint64_t sourceKeys;
uint64_t sourceValues;
uint64_t targetKeys;
uint64_t targetValues;
uint64_t statusTable;
uint shift;
uint mask;

#define EACH_KEY(r) [[unroll]] for (uint r = 0u; r < KEYS; ++r)

/// Digits dealt out to the lanes of the subgroups, in the same way every time.
#define EACH_DIGIT_CHUNK(chunk)                                                                                        \
    [[dont_unroll]] for (uint chunk = gl_SubgroupID; chunk < kDigitChunks; chunk += kSubgroups)

uint digitOf(uint64_t key) {
    return digitAt(key, shift, mask);
}

uint laneDigit(uint chunk) {
    return chunk * kSubgroupSize + gl_SubgroupInvocationID;
}

/// One of the three pairs of arrays, keys or values.
uint64_t choose(uint which, uint64_t ofInput, uint64_t ofOutput, uint64_t ofScratch) {
    return which == SORT_INPUT ? ofInput : which == SORT_OUTPUT ? ofOutput : ofScratch;
}

void followRoute(uint route) {
    uint source = (route >> SORT_ROUTE_SOURCE) & 3u;
    uint target = (route >> SORT_ROUTE_TARGET) & 3u;
    sourceKeys = choose(source, push.inputKeys, push.outputKeys, push.scratchKeys);
    sourceValues = choose(source, push.inputValues, push.outputValues, push.scratchValues);
    targetKeys = choose(target, push.inputKeys, push.outputKeys, push.scratchKeys);
    targetValues = choose(target, push.inputValues, push.outputValues, push.scratchValues);
    statusTable = push.status + ((route >> SORT_ROUTE_TABLE) & 1u) * uint64_t(push.tiles) * (SORT_DIGITS * 4u);
    shift = shiftOf(push.pass);
    mask = maskOf(push.pass);
}

/// Makes this tile's status words of the next pass ready.
void clearNextStatus(uint route, uint tile) {
    uint other = 1u - ((route >> SORT_ROUTE_TABLE) & 1u);
    uint first = (other * push.tiles + tile) * kStatusVectors;
    for (uint i = tileLane(); i < kStatusVectors; i += kWorkgroupSize) {
        VectorArray(push.status).at[first + i] = uvec4(0u);
    }
}

/// The subgroups' keys of each digit, into pool, which is 0.
void countDigits() {
    EACH_KEY(r) atomicAdd(pool[gl_SubgroupID * SORT_DIGITS + digitOf(keys[r])], 1u);
    barrier();
}

/// Adds up the digits, tells the other tiles, and scans them within the chunks.
void publishTotals(uint tile) {
    EACH_DIGIT_CHUNK(chunk) {
        uint digit = laneDigit(chunk);
        uint sum = 0u;
        for (uint s = 0u; s < kSubgroups; ++s) {
            sum += pool[s * SORT_DIGITS + digit];
        }
        if (tile > 0u) {
            publish(statusTable, tile, digit, sum + 1u);
        } else {
            uint begin = CountArray(push.work).at[SORT_BEGINS + push.pass * SORT_DIGITS + digit];
            publish(statusTable, tile, digit, kIsPrefix | (begin + sum));
        }
        uint total;
        digitTotals[digit] = sum;
        digitOffsets[digit] = subgroupExclusive(sum, total);
        if (gl_SubgroupInvocationID == 0u) {
            chunkTotals[chunk] = total;
        }
    }
    barrier();
}

/// Turns the subgroups' counts into the places of their first keys.
void placeSubgroups() {
    EACH_DIGIT_CHUNK(chunk) {
        uint digit = laneDigit(chunk);
        uint begin = digitOffsets[digit];
        for (uint other = 0u; other < kDigitChunks; ++other) { // all of them, so that the loads need not wait
            begin += other < chunk ? chunkTotals[other] : 0u;
        }
        digitOffsets[digit] = begin;
        for (uint s = 0u; s < kSubgroups; ++s) {
            uint count = pool[s * SORT_DIGITS + digit];
            pool[s * SORT_DIGITS + digit] = begin;
            begin += count;
        }
    }
    barrier();
}

/// What a row's keys have drawn; `begin` is known to the last lane of those that share the digit.
struct Draw {
    uint begin;
    uint rank; // among them, from 1 on
    uint last;
};

/// To be called in subgroup-uniform control flow.
void handRound(uint r, Draw draw) {
    subgroupMeet();
    places[r] = subgroupShuffle(draw.begin, draw.last) + draw.rank - 1u;
}

/// The places of the keys in the tile. What a row draws is handed round after the next row's ballots, which hide the
/// time of the draw; the barriers among them keep the draws in order.
void rankKeys() {
    Draw draw = Draw(0u, 0u, 0u);
    EACH_KEY(r) {
        uint digit = digitOf(keys[r]);
        uvec4 peers = peersOf(digit, kAllLanes);
        if (r > 0u) {
            handRound(r - 1u, draw);
        }
        draw = Draw(0u, countBitsOf(peers & gl_SubgroupLeMask), highestLaneOf(peers));
        if (gl_SubgroupInvocationID == draw.last) {
            draw.begin = atomicAdd(pool[gl_SubgroupID * SORT_DIGITS + digit], draw.rank);
        }
    }
    handRound(KEYS - 1u, draw);
    barrier();
}

/// Waits for the tiles before, and turns digitOffsets into what is to be added to a place in the tile.
void findOffsets(uint tile) {
    EACH_DIGIT_CHUNK(chunk) {
        uint digit = laneDigit(chunk);
        uint preceding = lookBack(statusTable, sourceKeys, tile, digit, shift, mask);
        if (tile > 0u) {
            publish(statusTable, tile, digit, kIsPrefix | (preceding + digitTotals[digit]));
        }
        digitOffsets[digit] = preceding - digitOffsets[digit];
    }
}

/// Takes the next tile, and clears the counters meanwhile. Returns the pass's route.
uint takeTicket() {
    if (tileLane() == 0u) {
        ticket = atomicAdd(CountArray(push.work).at[SORT_TICKETS + push.pass], 1u);
    }
    uint route = CountArray(push.work).at[SORT_ROUTES + push.pass]; // on its way together with the ticket
    for (uint i = tileLane(); i < kSubgroups * SORT_DIGITS; i += kWorkgroupSize) {
        pool[i] = 0u;
    }
    barrier();
    return route;
}

// Loads go from one address by constants.
void loadKeys(uint first) {
    KeyArray own = KeyArray(sourceKeys + uint64_t(first) * 8ul);
    EACH_KEY(r) keys[r] = first + r * kSubgroupSize < push.count ? own.at[r * kSubgroupSize] : ~0ul;
}

void loadValues(uint first) {
    ValueArray own = ValueArray(sourceValues + uint64_t(first) * 4ul);
    EACH_KEY(r) values[r] = first + r * kSubgroupSize < push.count ? own.at[r * kSubgroupSize] : 0u;
}

/// Puts the keys in order in pool, their high words alone where there is no room for both. Ends without a barrier.
void exchangeKeys() {
    EACH_KEY(r) pool[places[r]] = uint(keys[r]);
    if (kPlanes == 2u) {
        EACH_KEY(r) pool[kTileKeys + places[r]] = uint(keys[r] >> 32);
    } else {
        barrier();
        EACH_KEY(r) low[r] = pool[r * kWorkgroupSize + tileLane()];
        barrier();
        EACH_KEY(r) pool[places[r]] = uint(keys[r] >> 32);
    }
}

/// Writes the keys that are in order in pool.
void storeKeys(uint tileKeys) {
    EACH_KEY(r) {
        uint place = r * kWorkgroupSize + tileLane();
        uint64_t key = kPlanes == 2u ? packUint2x32(uvec2(pool[place], pool[kTileKeys + place]))
                                     : packUint2x32(uvec2(low[r], pool[place]));
        targets[r] = digitOffsets[digitOf(key)] + place;
        if (place < tileKeys) {
            KeyArray(targetKeys).at[targets[r]] = key;
        }
    }
}

/// Puts the values in order in pool, and writes them.
void storeValues(uint tileKeys) {
    EACH_KEY(r) pool[places[r]] = values[r];
    barrier();
    EACH_KEY(r) {
        uint place = r * kWorkgroupSize + tileLane();
        if (place < tileKeys) {
            ValueArray(targetValues).at[targets[r]] = pool[place];
        }
    }
}

void main() {
    uint route = takeTicket();
    uint tile = ticket;
    if ((route & SORT_ROUTE_RUNS) == 0u || tile >= push.tiles) {
        return;
    }
    followRoute(route);
    uint first = indexOf(tile, 0u);
    loadKeys(first);
    if (kHasValues) {
        loadValues(first); // on their way while keys are ranked and the tiles before are waited for
    }
    clearNextStatus(route, tile);
    countDigits();
    publishTotals(tile);
    placeSubgroups();
    rankKeys();
    exchangeKeys();
    findOffsets(tile);
    barrier();
    uint tileKeys = min(push.count - tile * kTileKeys, kTileKeys);
    storeKeys(tileKeys);
    if (kHasValues) {
        barrier();
        storeValues(tileKeys);
    }
}
