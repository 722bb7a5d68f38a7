// Transforms of lines by one workgroup, for the shaders fft_*.comp and bloom_*.comp.
//
// Each of kLines lines of kLength complex values is held in the registers of kThreads invocations, up to ELEMENTS
// values each, and passes through STAGES stages of butterflies of radix 2 to 16. Between two stages the values change
// hands (fft_exchange.glsl). Stage s splits blocks of kStride(s-1) values into kRadix(s) blocks of kStride(s).
//
// Invocations are dealt to lines in one way in the first stage and in another in the later ones, each along a line or
// lines running fastest, as suits the memory that the values come from and go to.
//
// ELEMENTS, STAGES and WHOLE_VALUES come from the build, everything else from specialization constants: drivers take
// seconds over code that they must first specialise and then throw away.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "shared/fft/fft_exchange.h"
#include "shared/fft/fft_index.h"
#include "shared/fft/fft_radix.h"
#include "shared/specialization.h"

layout(local_size_x_id = SPEC_FFT_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_FFT_LENGTH) const uint kLength = 16u;
layout(constant_id = SPEC_FFT_RADIX0) const uint kRadix0 = 16u;
layout(constant_id = SPEC_FFT_RADIX1) const uint kRadix1 = 1u;
layout(constant_id = SPEC_FFT_RADIX2) const uint kRadix2 = 1u;
layout(constant_id = SPEC_FFT_RADIX3) const uint kRadix3 = 1u;
layout(constant_id = SPEC_FFT_RADIX4) const uint kRadix4 = 1u;
layout(constant_id = SPEC_FFT_RADIX5) const uint kRadix5 = 1u;
layout(constant_id = SPEC_FFT_THREADS) const uint kThreads = 1u;
layout(constant_id = SPEC_FFT_LINES) const uint kLines = 1u;
layout(constant_id = SPEC_FFT_FIRST_LINES_FASTEST) const uint kFirstLinesFastest = 0u;
layout(constant_id = SPEC_FFT_LATER_LINES_FASTEST) const uint kLaterLinesFastest = 0u;
layout(constant_id = SPEC_FFT_POOL_WORDS) const uint kPoolSize = 16u;
layout(constant_id = SPEC_FFT_LINE_STRIDE) const uint kLineStride = 16u;
layout(constant_id = SPEC_FFT_BLOCK_STRIDE0) const uint kBlockStride0 = 1u;
layout(constant_id = SPEC_FFT_BLOCK_STRIDE1) const uint kBlockStride1 = 1u;
layout(constant_id = SPEC_FFT_BLOCK_STRIDE2) const uint kBlockStride2 = 1u;
layout(constant_id = SPEC_FFT_BLOCK_STRIDE3) const uint kBlockStride3 = 1u;
layout(constant_id = SPEC_FFT_BLOCK_STRIDE4) const uint kBlockStride4 = 1u;
layout(constant_id = SPEC_FFT_ROUND_BLOCKS0) const uint kRoundBlocks0 = 16u;
layout(constant_id = SPEC_FFT_ROUND_BLOCKS1) const uint kRoundBlocks1 = 16u;
layout(constant_id = SPEC_FFT_ROUND_BLOCKS2) const uint kRoundBlocks2 = 16u;
layout(constant_id = SPEC_FFT_ROUND_BLOCKS3) const uint kRoundBlocks3 = 16u;
layout(constant_id = SPEC_FFT_ROUND_BLOCKS4) const uint kRoundBlocks4 = 16u;
layout(constant_id = SPEC_FFT_SHUFFLED) const uint kShuffled = 0u;

const uint kStride0 = kLength / kRadix0;
const uint kStride1 = kStride0 / kRadix1;
const uint kStride2 = kStride1 / kRadix2;
const uint kStride3 = kStride2 / kRadix3;
const uint kStride4 = kStride3 / kRadix4;
#if STAGES == 1
#define kLastRadix kRadix0
#define kLastLinesFastest kFirstLinesFastest
#else
#define kLastLinesFastest kLaterLinesFastest
#if STAGES == 2
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
#endif

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Twiddles {
    vec2 at[];
};

vec2 v[ELEMENTS]; // the values this invocation holds

FftRadices radices() {
    return FftRadices(kRadix0, kRadix1, kRadix2, kRadix3, kRadix4, kRadix5);
}
/// All but the last one.
FftRadices earlierRadices() {
    return FftRadices(STAGES > 1 ? kRadix0 : 1u, STAGES > 2 ? kRadix1 : 1u, STAGES > 3 ? kRadix2 : 1u,
                      STAGES > 4 ? kRadix3 : 1u, STAGES > 5 ? kRadix4 : 1u, 1u);
}

uint dealtLine(uint linesFastest) {
    return linesFastest != 0u ? gl_LocalInvocationIndex % kLines : gl_LocalInvocationIndex / kThreads;
}
uint dealtThread(uint linesFastest) {
    return linesFastest != 0u ? gl_LocalInvocationIndex / kLines : gl_LocalInvocationIndex % kThreads;
}

/// The line of this invocation in the first stage, and in the last.
uint firstLine() {
    return dealtLine(kFirstLinesFastest);
}
uint lastLine() {
    return dealtLine(kLastLinesFastest);
}

/// Whether an element belongs to a butterfly of a stage of that radix in any invocation: known to the compiler.
bool inAnyButterfly(uint radix, uint element) {
    uint group = element / radix;
    return group < ELEMENTS / radix && group * kThreads < kLength / radix;
}
/// Whether it does in this one, and to which. Known to the compiler but for the last, partly filled group of
/// butterflies.
bool inButterfly(uint radix, uint linesFastest, uint element) {
    uint group = element / radix;
    bool full = (group + 1u) * kThreads <= kLength / radix;
    return inAnyButterfly(radix, element) && (full || dealtThread(linesFastest) + group * kThreads < kLength / radix);
}
uint butterflyOf(uint radix, uint linesFastest, uint element) {
    return dealtThread(linesFastest) + (element / radix) * kThreads;
}

/// The first stage: whether an element is in use, the place in the line of its butterfly's first leg, and how far
/// behind that its own leg stands, which is known to the compiler.
bool firstUsed(uint element) {
    return inButterfly(kRadix0, kFirstLinesFastest, element);
}
uint firstBase(uint element) {
    return butterflyOf(kRadix0, kFirstLinesFastest, element);
}
uint firstOffset(uint element) {
    return (element % kRadix0) * kStride0;
}
uint firstPlace(uint element) {
    return firstBase(element) + firstOffset(element);
}
/// Whether the element is in use and its place below `end`; where `end` is a constant, most of this is as well.
bool firstBelow(uint element, uint end) {
    bool all = firstOffset(element) + kStride0 <= end;
    bool none = firstOffset(element) >= end;
    return firstUsed(element) && !none && (all || firstPlace(element) < end);
}

/// The last stage, likewise: whether an element is in use, its butterfly and leg, and what these amount to: the
/// position in the line, the slot and the frequency (shared/fft/fft_index.h).
bool lastUsed(uint element) {
    return inButterfly(kLastRadix, kLastLinesFastest, element);
}
uint lastButterfly(uint element) {
    return butterflyOf(kLastRadix, kLastLinesFastest, element);
}
uint lastLeg(uint element) {
    return element % kLastRadix;
}
uint lastPosition(uint element) {
    return lastButterfly(element) * kLastRadix + lastLeg(element);
}
uint lastSlot(uint element) {
    return fftLegSlot(kLastRadix, kLength, lastButterfly(element), lastLeg(element));
}
/// The leg is the leading digit, so that the legs of a butterfly share the work.
uint lastFrequency(uint element) {
    return fftPositionFrequency(earlierRadices(), kLength / kLastRadix, lastButterfly(element)) +
           lastLeg(element) * (kLength / kLastRadix);
}

#include "fft/fft_exchange.glsl"

// Whole subgroups may be idle in the last group of butterflies.
#define EACH_BUTTERFLY(radix)                                                                                          \
    [[unroll]] for (uint o = 0u; o < ELEMENTS / radix * radix; o += radix) if (inButterfly(radix, linesFastest, o))

void butterflies(uint radix, uint linesFastest) {
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
    } else if (radix == 14u) {
        EACH_BUTTERFLY(14u)
        dft14(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u], v[o + 9u],
              v[o + 10u], v[o + 11u], v[o + 12u], v[o + 13u]);
    } else if (radix == 15u) {
        EACH_BUTTERFLY(15u)
        dft15(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u], v[o + 9u],
              v[o + 10u], v[o + 11u], v[o + 12u], v[o + 13u], v[o + 14u]);
    } else if (radix == 16u) {
        EACH_BUTTERFLY(16u)
        dft16(v[o], v[o + 1u], v[o + 2u], v[o + 3u], v[o + 4u], v[o + 5u], v[o + 6u], v[o + 7u], v[o + 8u], v[o + 9u],
              v[o + 10u], v[o + 11u], v[o + 12u], v[o + 13u], v[o + 14u], v[o + 15u]);
    }
}

/// Multiplies leg l of each butterfly of a stage by exp(-2 pi i l j / (radix stride)), j its place in its block. Legs
/// are made of rows of the table with at most two multiplications, which keeps their errors near a rounding.
void applyTwiddles(uint radix, uint stride, uint linesFastest, Twiddles table) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint leg = e % radix;
        if (leg > 0u && inButterfly(radix, linesFastest, e)) {
            uint place = butterflyOf(radix, linesFastest, e) % stride;
            uint fine = leg % 4u;
            vec2 one = table.at[place];
            vec2 factor = fine == 3u   ? complexMultiply(complexMultiply(one, one), one)
                          : fine == 2u ? complexMultiply(one, one)
                                       : one;
            if (leg >= 4u) {
                vec2 coarse = table.at[(leg / 4u) * stride + place];
                factor = fine == 0u ? coarse : complexMultiply(coarse, factor);
            }
            v[e] = complexMultiply(v[e], factor);
        }
    }
}

const uint kTwiddles1 = (1u + (kRadix0 - 1u) / 4u) * kStride0; // where the stages' tables begin
const uint kTwiddles2 = kTwiddles1 + (1u + (kRadix1 - 1u) / 4u) * kStride1;
const uint kTwiddles3 = kTwiddles2 + (1u + (kRadix2 - 1u) / 4u) * kStride2;
const uint kTwiddles4 = kTwiddles3 + (1u + (kRadix3 - 1u) / 4u) * kStride3;

#define TWIDDLES(s, fastest, offset) applyTwiddles(kRadix##s, kStride##s, fastest, Twiddles(table + 8ul * offset))

/// Transforms v, in the layout of the first stage, into that of the last. To be called in uniform control flow.
void forwardTransform(uint64_t table) {
    butterflies(kRadix0, kFirstLinesFastest);
#if STAGES > 1
    TWIDDLES(0, kFirstLinesFastest, 0u);
    EXCHANGE_FORWARD(0, 1, kFirstLinesFastest)
    butterflies(kRadix1, kLaterLinesFastest);
#endif
#if STAGES > 2
    TWIDDLES(1, kLaterLinesFastest, kTwiddles1);
    EXCHANGE_FORWARD(1, 2, kLaterLinesFastest)
    butterflies(kRadix2, kLaterLinesFastest);
#endif
#if STAGES > 3
    TWIDDLES(2, kLaterLinesFastest, kTwiddles2);
    EXCHANGE_FORWARD(2, 3, kLaterLinesFastest)
    butterflies(kRadix3, kLaterLinesFastest);
#endif
#if STAGES > 4
    TWIDDLES(3, kLaterLinesFastest, kTwiddles3);
    EXCHANGE_FORWARD(3, 4, kLaterLinesFastest)
    butterflies(kRadix4, kLaterLinesFastest);
#endif
#if STAGES > 5
    TWIDDLES(4, kLaterLinesFastest, kTwiddles4);
    EXCHANGE_FORWARD(4, 5, kLaterLinesFastest)
    butterflies(kRadix5, kLaterLinesFastest);
#endif
}

/// The same stages in reverse order, from the layout of the last stage to that of the first. With real and imaginary
/// parts of every value exchanged (`exchangeParts`) before and after, it is the inverse transform, times the length.
void backwardTransform(uint64_t table) {
#if STAGES > 5
    butterflies(kRadix5, kLaterLinesFastest);
    EXCHANGE_BACKWARD(4, 5, kLaterLinesFastest)
    TWIDDLES(4, kLaterLinesFastest, kTwiddles4);
#endif
#if STAGES > 4
    butterflies(kRadix4, kLaterLinesFastest);
    EXCHANGE_BACKWARD(3, 4, kLaterLinesFastest)
    TWIDDLES(3, kLaterLinesFastest, kTwiddles3);
#endif
#if STAGES > 3
    butterflies(kRadix3, kLaterLinesFastest);
    EXCHANGE_BACKWARD(2, 3, kLaterLinesFastest)
    TWIDDLES(2, kLaterLinesFastest, kTwiddles2);
#endif
#if STAGES > 2
    butterflies(kRadix2, kLaterLinesFastest);
    EXCHANGE_BACKWARD(1, 2, kLaterLinesFastest)
    TWIDDLES(1, kLaterLinesFastest, kTwiddles1);
#endif
#if STAGES > 1
    butterflies(kRadix1, kLaterLinesFastest);
    EXCHANGE_BACKWARD(0, 1, kFirstLinesFastest)
    TWIDDLES(0, kFirstLinesFastest, 0u);
#endif
    butterflies(kRadix0, kFirstLinesFastest);
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
