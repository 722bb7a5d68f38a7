// Second dispatch of a onesweep radix sort, one workgroup: where each digit begins in each pass, and which passes run.
// A pass whose digit is the same for all keys is left out; the others go to and fro between scratch and output, so that
// the last ends in the output. Host side: src/scan/onesweep.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#define KEYS 1u
#include "scan/onesweep.glsl"

shared uint digitCounts[SORT_MOST_PASSES * SORT_DIGITS];
shared uint hasOneDigit[SORT_MOST_PASSES]; // for passes: 1 where all keys have the same

/// Takes the counts over, and makes counts and tickets ready for what comes. In loops of known length, and with no
/// stores between the loads, so that these need not wait for each other.
void loadCounts() {
    for (uint i = tileLane(); i < SORT_MOST_PASSES * SORT_DIGITS; i += kWorkgroupSize) {
        digitCounts[i] = CountArray(push.work).at[SORT_COUNTS + i];
    }
    for (uint i = tileLane(); i < SORT_MOST_PASSES * SORT_DIGITS; i += kWorkgroupSize) {
        CountArray(push.work).at[SORT_COUNTS + i] = 0u;
    }
    for (uint pass = tileLane(); pass < push.passes; pass += kWorkgroupSize) {
        hasOneDigit[pass] = 0u;
        CountArray(push.work).at[SORT_TICKETS + pass] = 0u;
    }
    barrier();
}

/// Turns the counts of a pass's digits into their offsets. To be called by one subgroup.
void scanDigits(uint pass) {
    uint carry = 0u;
    [[dont_unroll]] for (uint first = 0u; first < SORT_DIGITS; first += kSubgroupSize) {
        uint digit = pass * SORT_DIGITS + first + gl_SubgroupInvocationID;
        uint count = digitCounts[digit];
        uint total;
        CountArray(push.work).at[SORT_BEGINS + digit] = carry + subgroupExclusive(count, total);
        carry += total;
        if (count == push.count) {
            hasOneDigit[pass] = 1u;
        }
    }
}

/// For one invocation. In place, an even number of passes must run; else one at least, to copy. The host sees to it
/// that one is there to be added.
void routePasses() {
    uint running = 0u;
    for (uint pass = 0u; pass < push.passes; ++pass) {
        running += 1u - hasOneDigit[pass];
    }
    uint added = push.inPlace != 0u ? running & 1u : uint(running == 0u);
    uint left = running + added;
    uint source = SORT_INPUT;
    uint table = 0u;
    for (uint pass = 0u; pass < push.passes; ++pass) {
        uint route = 0u;
        if (hasOneDigit[pass] == 0u || added != 0u) {
            added -= hasOneDigit[pass];
            uint target = (left & 1u) != 0u ? SORT_OUTPUT : SORT_SCRATCH;
            route = SORT_ROUTE_RUNS | (source << SORT_ROUTE_SOURCE) | (target << SORT_ROUTE_TARGET) |
                    (table << SORT_ROUTE_TABLE);
            source = target;
            table ^= 1u;
            left -= 1u;
        }
        CountArray(push.work).at[SORT_ROUTES + pass] = route;
    }
}

void main() {
    loadCounts();
    [[dont_unroll]] for (uint pass = gl_SubgroupID; pass < push.passes; pass += kSubgroups) {
        scanDigits(pass);
    }
    barrier();
    if (tileLane() == 0u) {
        routePasses();
    }
}
