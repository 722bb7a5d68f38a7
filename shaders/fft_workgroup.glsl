// Transforms of lines by one workgroup, for the shaders fft_*.comp and bloom_*.comp.
//
// Each of kLines lines of kLength complex values is held in the registers of kThreads invocations, ELEMENTS values
// each, and passes through STAGES stages of butterflies of radix 2 to 16. Between two stages the values change hands
// through workgroup memory: whole (WHOLE_VALUES 1), where a line fits, else real and imaginary parts in turn, and in
// rounds of kCapacity slots. The butterflies of a stage read and write the same positions, so that an exchange of whole
// values needs one barrier.
//
// A "layout" says which slot of its line each element of an invocation belongs to: each stage has one, and half spectra
// have that of bins (pairs of frequencies k and -k, lines running fastest over the invocations so
// that a bin of adjacent lines is stored in one run).
//
// ELEMENTS, STAGES and WHOLE_VALUES come from the build, everything else from specialization constants: drivers take
// seconds over code that they must first specialise and then throw away.
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
layout(constant_id = 10) const uint kCapacity = 16u;    // slots of a line that workgroup memory holds at a time
layout(constant_id = 11) const uint kLinesFastest = 0u; // how invocations are dealt to lines
layout(constant_id = 12) const uint kPoolSize = 16u;    // values that workgroup memory holds

#if WHOLE_VALUES
shared vec2 pool[kPoolSize];
#else
shared float pool[kPoolSize];
#endif

const uint kStride0 = kLength / kRadix0;
const uint kStride1 = kStride0 / kRadix1;
const uint kStride2 = kStride1 / kRadix2;
const uint kStride3 = kStride2 / kRadix3;
const uint kStride4 = kStride3 / kRadix4;
const uint kStride5 = kStride4 / kRadix5;
const uint kTwiddles0 = 0u; // where the stages' twiddle factors begin, as in fftTwiddleOffset
const uint kTwiddles1 = kTwiddles0 + kLength - kStride0;
const uint kTwiddles2 = kTwiddles1 + kStride0 - kStride1;
const uint kTwiddles3 = kTwiddles2 + kStride1 - kStride2;
const uint kTwiddles4 = kTwiddles3 + kStride2 - kStride3;
const uint kTwiddles5 = kTwiddles4 + kStride3 - kStride4;
#if STAGES == 1
#define kLastRadix kRadix0
#elif STAGES == 2
#define kLastRadix kRadix1
#elif STAGES == 3
#define kLastRadix kRadix2
#elif STAGES == 4
#define kLastRadix kRadix3
#elif STAGES == 5
#define kLastRadix kRadix4
#else
#define kLastRadix kRadix5
#endif
const uint kRounds = (kLength + kCapacity - 1u) / kCapacity;
const uint kNoSlot = 0xFFFFFFFFu;

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Twiddles {
    vec2 at[];
};

vec2 v[ELEMENTS]; // the values this invocation holds

FftRadices radices() {
    return FftRadices(kRadix0, kRadix1, kRadix2, kRadix3, kRadix4, kRadix5);
}

uint stageLine() {
    return kLinesFastest != 0u ? gl_LocalInvocationIndex % kLines : gl_LocalInvocationIndex / kThreads;
}
uint stageThread() {
    return kLinesFastest != 0u ? gl_LocalInvocationIndex / kLines : gl_LocalInvocationIndex % kThreads;
}
uint binLine() {
    return gl_LocalInvocationIndex % kLines;
}

/// The bin of elements 2 i and 2 i + 1; it exists where it is below kLength / 2.
uint binOf(uint i) {
    return gl_LocalInvocationIndex / kLines + i * kThreads;
}

/// The butterfly that an element belongs to in a stage of that radix, or kNoSlot.
uint butterflyOf(uint radix, uint element) {
    uint butterfly = stageThread() + (element / radix) * kThreads;
    bool allBusy = kThreads * (ELEMENTS / radix) == kLength / radix; // known to the compiler, unlike the comparison
    return element / radix < ELEMENTS / radix && (allBusy || butterfly < kLength / radix) ? butterfly : kNoSlot;
}

/// The slot of an element in the layout of a stage, or kNoSlot.
uint stageSlot(uint radix, uint stride, uint element) {
    uint butterfly = butterflyOf(radix, element);
    return butterfly == kNoSlot ? kNoSlot : fftPosition(stride * radix, radix, butterfly, element % radix);
}

/// The slot of an element in the layout of bins, or kNoSlot.
uint binSlot(uint element) {
    uint bin = binOf(element / 2u);
    return bin < kLength / 2u ? fftSlot(radices(), kLength, fftBinFrequency(kLength, bin, element & 1u)) : kNoSlot;
}

#if WHOLE_VALUES

void put(uint element, uint line, uint slot, uint turn) {
    if (slot != kNoSlot) {
        pool[line * kCapacity + fftSwizzle(slot, 4u)] = v[element];
    }
}

void take(uint element, uint line, uint slot, uint turn) {
    if (slot != kNoSlot) {
        v[element] = pool[line * kCapacity + fftSwizzle(slot, 4u)];
    }
}

#define EXCHANGE(putAll, takeAll)                                                                                      \
    {                                                                                                                  \
        const uint turn = 0u;                                                                                          \
        putAll;                                                                                                        \
        barrier();                                                                                                     \
        takeAll;                                                                                                       \
    }

#else

// A turn is a round of slots, first of the real parts, then of the imaginary ones.
float incoming[ELEMENTS];

void put(uint element, uint line, uint slot, uint turn) {
    uint local = slot - (turn % kRounds) * kCapacity;
    if (local < kCapacity) {
        pool[line * kCapacity + fftSwizzle(local, 5u)] = turn < kRounds ? v[element].x : v[element].y;
    }
}

void take(uint element, uint line, uint slot, uint turn) {
    uint local = slot - (turn % kRounds) * kCapacity;
    if (local < kCapacity) {
        incoming[element] = pool[line * kCapacity + fftSwizzle(local, 5u)];
    }
}

void acceptParts(uint turn) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (turn + 1u == kRounds) {
            v[e].x = incoming[e];
        } else if (turn + 1u == 2u * kRounds) {
            v[e].y = incoming[e];
        }
    }
}

#define EXCHANGE(putAll, takeAll)                                                                                      \
    [[unroll]] for (uint turn = 0u; turn < 2u * kRounds; ++turn) {                                                     \
        if (turn > 0u || kRounds > 1u) {                                                                               \
            barrier();                                                                                                 \
        }                                                                                                              \
        putAll;                                                                                                        \
        barrier();                                                                                                     \
        takeAll;                                                                                                       \
        acceptParts(turn);                                                                                             \
    }

#endif

void putStage(uint radix, uint stride, uint turn) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        put(e, stageLine(), stageSlot(radix, stride, e), turn);
    }
}

void takeStage(uint radix, uint stride, uint turn) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        take(e, stageLine(), stageSlot(radix, stride, e), turn);
    }
}

void putBins(uint turn) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        put(e, binLine(), binSlot(e), turn);
    }
}

void takeBins(uint turn) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        take(e, binLine(), binSlot(e), turn);
    }
}

/// Hand the values over from one layout to another. To be called in uniform control flow.
void exchangeStages(uint radix, uint stride, uint nextRadix, uint nextStride) {
    EXCHANGE(putStage(radix, stride, turn), takeStage(nextRadix, nextStride, turn))
}
void exchangeLastStageToBins() {
    EXCHANGE(putStage(kLastRadix, 1u, turn), takeBins(turn))
}
void exchangeBinsToLastStage() {
    EXCHANGE(putBins(turn), takeStage(kLastRadix, 1u, turn))
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
        dft10(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u], v[o + 9u]);
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

void applyTwiddles(uint radix, uint stride, uint offset, uint64_t table) {
    Twiddles twiddles = Twiddles(table + 8ul * offset);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint butterfly = butterflyOf(radix, e);
        uint leg = e % radix;
        if (leg > 0u && butterfly != kNoSlot) {
            v[e] = complexMultiply(v[e], twiddles.at[(leg - 1u) * stride + butterfly % stride]);
        }
    }
}

/// Transforms v, held in the first stage's layout, into the last stage's. To be called in uniform control flow.
void forwardTransform(uint64_t table) {
    butterflies(kRadix0);
#if STAGES > 1
    applyTwiddles(kRadix0, kStride0, kTwiddles0, table);
    exchangeStages(kRadix0, kStride0, kRadix1, kStride1);
    butterflies(kRadix1);
#endif
#if STAGES > 2
    applyTwiddles(kRadix1, kStride1, kTwiddles1, table);
    exchangeStages(kRadix1, kStride1, kRadix2, kStride2);
    butterflies(kRadix2);
#endif
#if STAGES > 3
    applyTwiddles(kRadix2, kStride2, kTwiddles2, table);
    exchangeStages(kRadix2, kStride2, kRadix3, kStride3);
    butterflies(kRadix3);
#endif
#if STAGES > 4
    applyTwiddles(kRadix3, kStride3, kTwiddles3, table);
    exchangeStages(kRadix3, kStride3, kRadix4, kStride4);
    butterflies(kRadix4);
#endif
#if STAGES > 5
    applyTwiddles(kRadix4, kStride4, kTwiddles4, table);
    exchangeStages(kRadix4, kStride4, kRadix5, kStride5);
    butterflies(kRadix5);
#endif
}

/// The same stages in reverse order, from the last stage's layout to the first's. With real and imaginary parts of
/// every value exchanged (`exchangeParts`) before and after, it is the inverse transform, times the length.
void backwardTransform(uint64_t table) {
#if STAGES > 5
    butterflies(kRadix5);
    exchangeStages(kRadix5, kStride5, kRadix4, kStride4);
    applyTwiddles(kRadix4, kStride4, kTwiddles4, table);
#endif
#if STAGES > 4
    butterflies(kRadix4);
    exchangeStages(kRadix4, kStride4, kRadix3, kStride3);
    applyTwiddles(kRadix3, kStride3, kTwiddles3, table);
#endif
#if STAGES > 3
    butterflies(kRadix3);
    exchangeStages(kRadix3, kStride3, kRadix2, kStride2);
    applyTwiddles(kRadix2, kStride2, kTwiddles2, table);
#endif
#if STAGES > 2
    butterflies(kRadix2);
    exchangeStages(kRadix2, kStride2, kRadix1, kStride1);
    applyTwiddles(kRadix1, kStride1, kTwiddles1, table);
#endif
#if STAGES > 1
    butterflies(kRadix1);
    exchangeStages(kRadix1, kStride1, kRadix0, kStride0);
    applyTwiddles(kRadix0, kStride0, kTwiddles0, table);
#endif
    butterflies(kRadix0);
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
