// How values change hands between two stages; a part of fft_workgroup.glsl.
//
// Through workgroup memory: whole (WHOLE_VALUES 1), where the lines fit, else real and imaginary parts in turn, and,
// where not even those fit, some blocks of the line at a time. The blocks stand kBlockStride(s) words apart, lines
// kLineStride words: the host chooses both such that neither the stage that writes nor the one that reads meets bank
// conflicts, and every address is one base per butterfly plus a constant.
//
// Or by shuffles, where kShuffled says so: without memory and barriers, but with selects.

#if WHOLE_VALUES
shared vec2 pool[kPoolSize];
#else
shared float pool[kPoolSize];
#endif

/// One direction of an exchange at the boundary after a stage: the blocks of `stride` values that it leaves.
struct Boundary {
    uint radix; // of the stage on this side
    uint stride;
    uint blockStride;
    uint roundBlocks;
    uint linesFastest;
};

/// Whether an element takes part in a round of the exchange. `leaving`: on the side of the stage before the boundary,
/// whose legs are the blocks; else of the stage after it.
bool inRound(Boundary b, bool leaving, uint element, uint round) {
    uint butterfly = butterflyOf(b.radix, b.linesFastest, element);
    uint block = leaving ? (butterfly / b.stride) * b.radix + element % b.radix : butterfly / (b.stride / b.radix);
    bool whole = b.roundBlocks >= kLength / b.stride;
    return inButterfly(b.radix, b.linesFastest, element) && (whole || block - round * b.roundBlocks < b.roundBlocks);
}

/// The word of workgroup memory of an element's value.
uint boundaryWord(Boundary b, bool leaving, uint element, uint round) {
    uint base =
        dealtLine(b.linesFastest) * kLineStride +
        fftExchangeBase(leaving, b.radix, b.stride, b.blockStride, butterflyOf(b.radix, b.linesFastest, element));
    return base + (element % b.radix) * fftExchangeLegStride(leaving, b.radix, b.stride, b.blockStride) -
           round * (b.roundBlocks * b.blockStride);
}

#if WHOLE_VALUES

void exchange(Boundary from, Boundary to, bool forward) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (inRound(from, forward, e, 0u)) {
            pool[boundaryWord(from, forward, e, 0u)] = v[e];
        }
    }
    barrier();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (inRound(to, !forward, e, 0u)) {
            v[e] = pool[boundaryWord(to, !forward, e, 0u)];
        }
    }
}

#else

void exchange(Boundary from, Boundary to, bool forward) {
    float incoming[ELEMENTS];
    const uint rounds = (kLength / from.stride + from.roundBlocks - 1u) / from.roundBlocks;
    [[unroll]] for (uint part = 0u; part < 2u; ++part) {
        [[unroll]] for (uint round = 0u; round < rounds; ++round) {
            if (part + round > 0u) {
                barrier();
            }
            [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
                if (inRound(from, forward, e, round)) {
                    pool[boundaryWord(from, forward, e, round)] = part == 0u ? v[e].x : v[e].y;
                }
            }
            barrier();
            [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
                if (inRound(to, !forward, e, round)) {
                    incoming[e] = pool[boundaryWord(to, !forward, e, round)];
                }
            }
        }
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            if (part == 0u) {
                v[e].x = incoming[e];
            } else {
                v[e].y = incoming[e];
            }
        }
    }
}

#endif

/// The elements of the lower half of a step that swap: known to the compiler.
#define EACH_SWAP(step)                                                                                                \
    [[unroll]] for (uint e = 0u; e < ELEMENTS - step; ++e) if ((e & step) == 0u && inAnyButterfly(b.radix, e))

/// Exchanges a bit of the elements' numbers with one of the invocations': of two invocations `distance` step apart, the
/// first gives its element e + step for the second's element e. Loops are one deep between literal bounds, and values
/// are chosen by selects: where a loop's end depended on another loop, or a ternary became a branch, drivers kept the
/// values in memory. No branch comes between the barrier and the shuffles.
#define SHUFFLE_STEP(step)                                                                                             \
    if (step < b.radix) {                                                                                              \
        bvec2 second = bvec2((gl_LocalInvocationIndex & (distance * step)) != 0u);                                     \
        vec2 moved[ELEMENTS];                                                                                          \
        EACH_SWAP(step) moved[e] = mix(v[e + step], v[e], second);                                                     \
        subgroupBarrier();                                                                                             \
        EACH_SWAP(step) moved[e] = subgroupShuffleXor(moved[e], distance * step);                                      \
        EACH_SWAP(step) {                                                                                              \
            v[e] = mix(v[e], moved[e], second);                                                                        \
            v[e + step] = mix(moved[e], v[e + step], second);                                                          \
        }                                                                                                              \
    }

/// Between stages of one radix, a power of two, whose exchange stays within a subgroup: a transposition of legs and
/// invocations, bit by bit, each step moving half of the values. Butterflies that do not exist swap with their like.
void exchangeByShuffles(Boundary b) {
    const uint distance = b.stride / b.radix * (b.linesFastest != 0u ? kLines : 1u);
    SHUFFLE_STEP(1u)
    SHUFFLE_STEP(2u)
    SHUFFLE_STEP(4u)
    SHUFFLE_STEP(8u)
}

/// Hand the values over at the boundary after stage s, to stage `next` or back from it. In uniform control flow.
#define IS_SHUFFLED(s) ((kShuffled & (1u << s)) != 0u)
#define BOUNDARIES(s, next, fastest)                                                                                   \
    Boundary before = Boundary(kRadix##s, kStride##s, kBlockStride##s, kRoundBlocks##s, fastest);                      \
    Boundary after = Boundary(kRadix##next, kStride##s, kBlockStride##s, kRoundBlocks##s, kLaterLinesFastest);
#define EXCHANGE_FORWARD(s, next, fastest)                                                                             \
    {                                                                                                                  \
        BOUNDARIES(s, next, fastest)                                                                                   \
        if (IS_SHUFFLED(s)) {                                                                                          \
            exchangeByShuffles(after);                                                                                 \
        } else {                                                                                                       \
            if (s > 0) {                                                                                               \
                barrier();                                                                                             \
            }                                                                                                          \
            exchange(before, after, true);                                                                             \
        }                                                                                                              \
    }
#define EXCHANGE_BACKWARD(s, next, fastest)                                                                            \
    {                                                                                                                  \
        BOUNDARIES(s, next, fastest)                                                                                   \
        if (IS_SHUFFLED(s)) {                                                                                          \
            exchangeByShuffles(after);                                                                                 \
        } else {                                                                                                       \
            barrier();                                                                                                 \
            exchange(after, before, false);                                                                            \
        }                                                                                                              \
    }
