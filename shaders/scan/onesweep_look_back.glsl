// Decoupled look-back over the digits of a onesweep pass: Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back" (2016), an invocation for each digit.
//
// A tile publishes how many keys it has of each digit, then looks back over the tiles before, up to the nearest one
// whose prefix (where its last key of the digit goes, plus one) is known, and publishes its own. A status word is 0, a
// total plus one, or a prefix with the highest bit set; nothing else has to be seen with it, so there are no fences. A
// pass clears the table of the next one.
//
// A ticket's predecessors have all started, so on devices that let every started workgroup go on, the wait ends.
// Elsewhere patience runs out, and an invocation counts the missing tile's keys itself (after Smith, Levien and Owens,
// "Decoupled Fallback", 2025): slow, but right, since a pass leaves its source as it is. Patience is one budget for all
// tiles, and no memory barrier stands here, in divergent flow: lavapipe ends loops after 65,536 steps in total, and
// takes such a barrier for the workgroup's.

#include "shared/specialization.h"

layout(constant_id = SPEC_SCAN_PATIENCE) const uint kPatience = 4096u;
layout(constant_id = SPEC_SORT_LOOK_BACK) const uint kLookBack = 1u;

layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer StatusArray {
    uint at[];
};

#define EACH_LOOK(i) [[unroll]] for (uint i = 0u; i < SORT_MOST_LOOK_BACK; ++i) if (i < kLookBack)

const uint kIsPrefix = 0x80000000u;

void publish(uint64_t table, uint tile, uint digit, uint word) {
    atomicStore(StatusArray(table).at[tile * SORT_DIGITS + digit], word, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsRelaxed);
}

/// The keys of a digit in a whole tile. Four at a time: more would take registers from what is held meanwhile.
uint countAnew(uint64_t sourceKeys, uint tile, uint digit, uint shift, uint mask) {
    const uint tileKeys = kWorkgroupSize * KEYS;
    KeyArray from = KeyArray(sourceKeys + uint64_t(tile * tileKeys) * 8ul);
    uint count = 0u;
    [[dont_unroll]] for (uint first = 0u; first < tileKeys; first += 4u) {
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            count += uint(digitAt(from.at[first + i], shift, mask) == digit);
        }
    }
    return count;
}

/// Where the digit's first key of a tile goes. Looks at several tiles at a time, of which those count that come before
/// the nearest missing one: when many tiles start together, no prefix is near.
uint lookBack(uint64_t table, uint64_t sourceKeys, uint tile, uint digit, uint shift, uint mask) {
    uint preceding = 0u;
    uint polls = 0u;
    bool found = false; // a prefix
    while (!found && tile > 0u) {
        uint words[SORT_MOST_LOOK_BACK];
        EACH_LOOK(i) {
            uint at = max(tile, i + 1u) - (i + 1u); // the first tile has a prefix, so that nothing follows it
            words[i] = atomicLoad(StatusArray(table).at[at * SORT_DIGITS + digit], gl_ScopeDevice,
                                  gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
        }
        if (words[0] == 0u) {
            polls += 1u;
            if (polls > kPatience) {
                words[0] = countAnew(sourceKeys, tile - 1u, digit, shift, mask) + 1u;
            }
        }
        bool goesOn = true;
        EACH_LOOK(i) {
            goesOn = goesOn && !found && words[i] != 0u && tile > 0u;
            if (goesOn) {
                found = (words[i] & kIsPrefix) != 0u;
                preceding += found ? words[i] & ~kIsPrefix : words[i] - 1u;
                tile -= 1u;
            }
        }
    }
    return found ? preceding : preceding + CountArray(push.work).at[SORT_BEGINS + push.pass * SORT_DIGITS + digit];
}
