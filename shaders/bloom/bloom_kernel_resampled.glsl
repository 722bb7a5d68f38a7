// How the second pass of the bloom multiplies by a compact kernel's spectrum, read between its frequencies;
// shared/bloom.h has its layout.
//
// A line of the image's spectrum is at one frequency of the first axis. So the workgroup first interpolates its rows of
// the compact spectrum along that axis, each value once and in the order of memory, into the workgroup memory of the
// exchanges; each invocation then interpolates along the second axis from there, where the order of the slots costs
// nothing. Against taps in both directions for every value this takes M T + N T operations a line for N T^2 (M compact
// frequencies, N of the image, T taps). Where a line does not fit, it passes through in rounds.

#include "shared/specialization.h"

layout(constant_id = SPEC_BLOOM_TAPS) const uint kTaps = 2u;
layout(constant_id = SPEC_BLOOM_COMPACT_COLUMNS) const uint kCompact = 8u;
layout(constant_id = SPEC_BLOOM_COMPACT_ROWS) const uint kCompactRows = 5u;
layout(constant_id = SPEC_BLOOM_ROUND_COLUMNS) const uint kRound = 8u;

const uint kMostTaps = 6u;
const uint kEntries = kRound + kTaps - 1u; // of a line in workgroup memory
const uint kRounds = (kCompact + kRound - 1u) / kRound;
const uint kValueBytes = kRealKernel != 0u ? 4u : 8u;

vec2 compactValue(uint64_t row, uint frequency) {
    return kRealKernel != 0u ? vec2(Real(row + 4ul * frequency).value, 0.0f) : Complex(row + 8ul * frequency).value;
}

/// The compact rows of a bin: where they are, and their weights.
struct CompactRows {
    uint64_t address[kMostTaps];
    float weight[kMostTaps];
    bool turned[kMostTaps]; // the row of the opposite frequency
};

CompactRows compactRows(uint bin) {
    uint64_t plane = push.kernel + uint64_t(kValueBytes * kCompact) * (gl_WorkGroupID.y * kCompactRows);
    CompactRows rows;
    [[unroll]] for (uint tap = 0u; tap < kTaps; ++tap) {
        BloomRowTap at = AT(BloomRowTap, push.rowTaps, bin * kTaps + tap);
        rows.address[tap] = plane + uint64_t(kValueBytes * kCompact) * (at.row / 2u);
        rows.weight[tap] = at.weight;
        rows.turned[tap] = at.row % 2u != 0u;
    }
    return rows;
}

/// The spectrum at the rows' frequency along the first axis and a compact one along the second.
vec2 interpolatedAlongFirst(CompactRows rows, uint frequency) {
    uint opposite = frequency == 0u ? 0u : kCompact - frequency;
    vec2 sum = vec2(0.0f);
    [[unroll]] for (uint tap = 0u; tap < kTaps; ++tap) {
        vec2 value = compactValue(rows.address[tap], rows.turned[tap] ? opposite : frequency);
        sum += rows.weight[tap] * vec2(value.x, rows.turned[tap] ? -value.y : value.y);
    }
    return sum;
}

/// Fills workgroup memory with what a round needs of the lines of the workgroup; of parts in turn, the real (0) or the
/// imaginary one (1).
void fillEntries(uint round, uint part) {
    for (uint line = 0u; line < kLines; ++line) {
        uint bin = gl_WorkGroupID.x * kLines + line;
        if (bin >= push.binCount) {
            break;
        }
        CompactRows rows = compactRows(bin);
        uint end = min(kEntries, kCompact + kTaps - 1u - round * kRound);
        for (uint i = gl_LocalInvocationIndex; i < end; i += kLines * kThreads) {
            uint wrapped = round * kRound + i;
            vec2 value = interpolatedAlongFirst(rows, wrapped < kCompact ? wrapped : wrapped - kCompact);
#if WHOLE_VALUES
            pool[line * kEntries + i] = value;
#else
            pool[line * kEntries + i] = part == 0u ? value.x : value.y;
#endif
        }
    }
}

#if WHOLE_VALUES
#define POOL_VALUE vec2
const uint kParts = 1u;
#else
#define POOL_VALUE float
const uint kParts = kRealKernel != 0u ? 1u : 2u;
#endif

/// Interpolates an element's value along the second axis; false where another round has it.
bool interpolated(uint element, uint round, out POOL_VALUE value) {
    uint slot = lastSlot(element);
    uint first = AT(uint, push.slotTaps, slot) - round * kRound;
    value = POOL_VALUE(0.0f);
    if (first >= kRound) {
        return false;
    }
    uint64_t weights = push.slotTaps + 4ul * kLength;
    [[unroll]] for (uint tap = 0u; tap < kTaps; ++tap) {
        uint index = tap * kLength + slot;
        value += AT(float, weights, index) * pool[lastLine() * kEntries + first + tap];
    }
    return true;
}

/// Multiplies the transformed line by the kernel's spectrum. In uniform control flow; leaves reads of workgroup memory
/// that a barrier must follow.
void useKernel() {
#if !WHOLE_VALUES
    vec2 factors[ELEMENTS];
#endif
    [[unroll]] for (uint part = 0u; part < kParts; ++part) {
        for (uint round = 0u; round < kRounds; ++round) {
            barrier();
            fillEntries(round, part);
            barrier();
            [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
                POOL_VALUE value;
                if (lastUsed(e) && interpolated(e, round, value)) {
#if WHOLE_VALUES
                    v[e] = complexMultiply(v[e], push.keep * value + vec2(push.delta, 0.0f));
#else
                    if (part == 0u) {
                        factors[e].x = push.keep * value + push.delta;
                    } else {
                        factors[e].y = push.keep * value;
                    }
#endif
                }
            }
        }
    }
#if !WHOLE_VALUES
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (lastUsed(e)) {
            v[e] = kRealKernel != 0u ? factors[e].x * v[e] : complexMultiply(v[e], factors[e]);
        }
    }
#endif
}
