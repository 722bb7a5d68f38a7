// Transforms of lines by one workgroup, for the shaders fft_*.comp and bloom_*.comp.
//
// Each of kLines lines of kLength complex values is held in the registers of kThreads invocations, ELEMENTS values
// each, and passes through butterflies of radix 2 to 16. Between two stages the values change hands through workgroup
// memory: whole, where a line fits, else real and imaginary parts in turn, and in rounds of kCapacity slots. The
// butterflies of a stage read and write the same positions, so that an exchange of whole values needs one barrier.
//
// A "layout" says which slot of its line each element of an invocation belongs to: layouts 0 to 5 are those of the
// stages, kBinLayout that of half spectra (pairs of frequencies k and -k, lines running fastest over the invocations so
// that a bin of adjacent lines is stored in one run).
#extension GL_EXT_control_flow_attributes : require

#include "shared/fft_index.h"
#include "shared/fft_radix.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kLength = 16u;
layout(constant_id = 2) const uint kRadix0 = 16u;
layout(constant_id = 3) const uint kRadix1 = 1u;
layout(constant_id = 4) const uint kRadix2 = 1u;
layout(constant_id = 5) const uint kRadix3 = 1u;
layout(constant_id = 6) const uint kRadix4 = 1u;
layout(constant_id = 7) const uint kRadix5 = 1u;
layout(constant_id = 8) const uint kThreads = 1u;
layout(constant_id = 9) const uint kLines = 1u;
layout(constant_id = 10) const uint kCapacity = 16u;       // slots of a line that workgroup memory holds at a time
layout(constant_id = 11) const uint kWholeValues = 1u;     // 0: real and imaginary parts in turn
layout(constant_id = 12) const uint kLinesFastest = 0u;    // how invocations are dealt to lines
layout(constant_id = 13) const uint kComplexPoolSize = 16u;
layout(constant_id = 14) const uint kRealPoolSize = 1u;

shared vec2 complexPool[kComplexPoolSize];
shared float realPool[kRealPoolSize];

const uint kStages = (kRadix0 > 1u ? 1u : 0u) + (kRadix1 > 1u ? 1u : 0u) + (kRadix2 > 1u ? 1u : 0u) +
                     (kRadix3 > 1u ? 1u : 0u) + (kRadix4 > 1u ? 1u : 0u) + (kRadix5 > 1u ? 1u : 0u);
const uint kLastStage = kStages - 1u;
const uint kRounds = (kLength + kCapacity - 1u) / kCapacity;
const uint kBinLayout = 7u;
const uint kNoSlot = 0xFFFFFFFFu;

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Twiddles { vec2 at[]; };

vec2 v[ELEMENTS]; // the values this invocation holds

FftRadices radices() { return FftRadices(kRadix0, kRadix1, kRadix2, kRadix3, kRadix4, kRadix5); }

uint stageLine() {
    return kLinesFastest != 0u ? gl_LocalInvocationIndex % kLines : gl_LocalInvocationIndex / kThreads;
}
uint stageThread() {
    return kLinesFastest != 0u ? gl_LocalInvocationIndex / kLines : gl_LocalInvocationIndex % kThreads;
}
uint binLine() { return gl_LocalInvocationIndex % kLines; }

/// The bin of elements 2 i and 2 i + 1; it exists where it is below kLength / 2.
uint binOf(uint i) { return gl_LocalInvocationIndex / kLines + i * kThreads; }

/// The butterfly that an element belongs to in a stage, or kNoSlot.
uint butterflyOf(uint stage, uint element) {
    uint radix = fftRadix(radices(), stage);
    uint butterfly = stageThread() + (element / radix) * kThreads;
    return element / radix < ELEMENTS / radix && butterfly < kLength / radix ? butterfly : kNoSlot;
}

uint slotIn(uint valueLayout, uint element) {
    if (valueLayout == kBinLayout) {
        uint bin = binOf(element / 2u);
        return bin < kLength / 2u ? fftSlot(radices(), kLength, fftBinFrequency(kLength, bin, element & 1u)) : kNoSlot;
    }
    uint butterfly = butterflyOf(valueLayout, element);
    uint radix = fftRadix(radices(), valueLayout);
    return butterfly == kNoSlot
               ? kNoSlot
               : fftPosition(fftSpan(radices(), kLength, valueLayout), radix, butterfly, element % radix);
}

uint lineIn(uint valueLayout) { return valueLayout == kBinLayout ? binLine() : stageLine(); }

void exchangeWhole(uint from, uint to) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = slotIn(from, e);
        if (slot != kNoSlot) {
            complexPool[lineIn(from) * kCapacity + fftSwizzle(slot, 4u)] = v[e];
        }
    }
    barrier();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = slotIn(to, e);
        if (slot != kNoSlot) {
            v[e] = complexPool[lineIn(to) * kCapacity + fftSwizzle(slot, 4u)];
        }
    }
}

void exchangeComponent(uint from, uint to, bool imaginary) {
    float incoming[ELEMENTS];
    for (uint round = 0u; round < kRounds; ++round) {
        if (imaginary || kRounds > 1u) {
            barrier();
        }
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            uint slot = slotIn(from, e) - round * kCapacity;
            if (slot < kCapacity) {
                realPool[lineIn(from) * kCapacity + fftSwizzle(slot, 5u)] = imaginary ? v[e].y : v[e].x;
            }
        }
        barrier();
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            uint slot = slotIn(to, e) - round * kCapacity;
            if (slot < kCapacity) {
                incoming[e] = realPool[lineIn(to) * kCapacity + fftSwizzle(slot, 5u)];
            }
        }
    }
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (imaginary) {
            v[e].y = incoming[e];
        } else {
            v[e].x = incoming[e];
        }
    }
}

/// Hands the values over from one layout to another. To be called in uniform control flow.
void exchange(uint from, uint to) {
    if (kWholeValues != 0u) {
        exchangeWhole(from, to);
    } else {
        exchangeComponent(from, to, false);
        exchangeComponent(from, to, true);
    }
}

#define EACH_BUTTERFLY(radix) [[unroll]] for (uint o = 0u; o + radix <= ELEMENTS; o += radix)

void butterflies(uint radix) {
    if (radix == 2u) {
        EACH_BUTTERFLY(2u) dft2(v[o], v[o + 1u]);
    } else if (radix == 3u) {
        EACH_BUTTERFLY(3u) dft3(v[o], v[o + 1u], v[o + 2u]);
    } else if (radix == 4u) {
        EACH_BUTTERFLY(4u) dft4(v[o], v[o + 1u], v[o + 2u], v[o + 3u]);
    } else if (radix == 5u) {
        EACH_BUTTERFLY(5u) dft5(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u]);
    } else if (radix == 6u) {
        EACH_BUTTERFLY(6u) dft6(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u]);
    } else if (radix == 7u) {
        EACH_BUTTERFLY(7u) dft7(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u]);
    } else if (radix == 8u) {
        EACH_BUTTERFLY(8u)
        dft8(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u]);
    } else if (radix == 9u) {
        EACH_BUTTERFLY(9u)
        dft9(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u]);
    } else if (radix == 10u) {
        EACH_BUTTERFLY(10u)
        dft10(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u],
              v[o + 9u]);
    } else if (radix == 12u) {
        EACH_BUTTERFLY(12u)
        dft12(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u], v[o + 9u],
              v[o + 10u], v[o + 11u]);
    } else if (radix == 16u) {
        EACH_BUTTERFLY(16u)
        dft16(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u], v[o + 9u],
              v[o + 10u], v[o + 11u], v[o + 12u], v[o + 13u], v[o + 14u], v[o + 15u]);
    }
}

void applyTwiddles(uint stage, uint64_t table) {
    uint radix = fftRadix(radices(), stage);
    uint stride = fftSpan(radices(), kLength, stage) / radix;
    if (stride == 1u) {
        return;
    }
    Twiddles twiddles = Twiddles(table + 8ul * fftTwiddleOffset(radices(), kLength, stage));
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint butterfly = butterflyOf(stage, e);
        uint leg = e % radix;
        if (leg > 0u && butterfly != kNoSlot) {
            v[e] = complexMultiply(v[e], twiddles.at[(leg - 1u) * stride + butterfly % stride]);
        }
    }
}

void forwardStage(uint stage, uint64_t table) {
    if (stage < kStages) {
        if (stage > 0u) {
            exchange(stage - 1u, stage);
        }
        butterflies(fftRadix(radices(), stage));
        applyTwiddles(stage, table);
    }
}

/// Transforms v, held in layout 0, into layout kLastStage. To be called in uniform control flow.
void forwardTransform(uint64_t table) {
    forwardStage(0u, table);
    forwardStage(1u, table);
    forwardStage(2u, table);
    forwardStage(3u, table);
    forwardStage(4u, table);
    forwardStage(5u, table);
}

void backwardStage(uint stage, uint64_t table) {
    if (stage < kStages) {
        applyTwiddles(stage, table);
        butterflies(fftRadix(radices(), stage));
        if (stage > 0u) {
            exchange(stage, stage - 1u);
        }
    }
}

/// The transform from layout kLastStage to layout 0 with the stages in reverse order. With real and imaginary parts of
/// every value exchanged (`exchangeParts`) before and after, it is the inverse, times the length.
void backwardTransform(uint64_t table) {
    backwardStage(5u, table);
    backwardStage(4u, table);
    backwardStage(3u, table);
    backwardStage(2u, table);
    backwardStage(1u, table);
    backwardStage(0u, table);
}

void exchangeParts() {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        v[e] = vec2(v[e].y, v[e].x);
    }
}

void clearValues() {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        v[e] = vec2(0.0f);
    }
}
