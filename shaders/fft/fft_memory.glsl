// What fft_complex.glsl and fft_real_*.glsl share beside the transforms: lines in memory, stored in fp32,
// or in fp16 with a scale per line of the pass that stored them. After fft_workgroup.glsl.

#include "shared/fft/fft.h"
#include "shared/fft/fft_half.h"
#include "shared/specialization.h"

layout(constant_id = SPEC_FFT_SOURCE_HALF) const uint kSourceHalf = 0u;
layout(constant_id = SPEC_FFT_TARGET_HALF) const uint kTargetHalf = 0u;

layout(push_constant, scalar) uniform Push {
    FftPassPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Reals {
    float at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Complexes {
    vec2 at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer HalfComplexes {
    uint at[];
};

#if WHOLE_VALUES
#define POOL_REAL(word) pool[word].x
#else
#define POOL_REAL(word) pool[word]
#endif

/// The image of this workgroup.
uint image() {
    return gl_WorkGroupID.y;
}

/// Where a line begins, of elements of so many bytes.
uint64_t sourceLine(uint line, uint bytes) {
    return push.source + uint64_t(bytes) * (image() * push.sourceBatchStride + uint64_t(line) * push.sourceLineStride);
}
uint64_t targetLine(uint line, uint bytes) {
    return push.target + uint64_t(bytes) * (image() * push.targetBatchStride + uint64_t(line) * push.targetLineStride);
}
uint sourceBytes() {
    return kSourceHalf != 0u ? 4u : 8u;
}
uint targetBytes() {
    return kTargetHalf != 0u ? 4u : 8u;
}

/// The complex value at a place of a line, of `places`.
vec2 loadComplex(uint64_t line, uint place, uint places) {
    if (kSourceHalf != 0u) {
        float scale = Reals(push.sourceScales).at[image() * places + place];
        return scale * unpackHalf2x16(HalfComplexes(line).at[place * push.sourceStride]);
    }
    return Complexes(line).at[place * push.sourceStride];
}

/// Stores a complex value; in fp16, divided by `scale`, a power of two.
void storeComplex(uint64_t line, uint place, vec2 value, float scale) {
    if (kTargetHalf != 0u) {
        HalfComplexes(line).at[place * push.targetStride] = packHalf2x16(value / scale);
    } else {
        Complexes(line).at[place * push.targetStride] = value;
    }
}

float largestPart(vec2 value) {
    return max(abs(value.x), abs(value.y));
}

/// The scale of a line stored in fp16, noted for those who read it, from the largest value that each of its invocations
/// holds. In uniform control flow.
float scaleOfLine(uint line, float largest, uint linesFastest) {
    uint thread = dealtThread(linesFastest);
    uint first = dealtLine(linesFastest) * kThreads;
    barrier(); // what was read of the workgroup's memory before
    POOL_REAL(first + thread) = largest;
    for (uint step = kThreads > 1u ? 1u << findMSB(kThreads - 1u) : 0u; step > 0u; step /= 2u) {
        barrier();
        if (thread < step && thread + step < kThreads) {
            POOL_REAL(first + thread) = max(POOL_REAL(first + thread), POOL_REAL(first + thread + step));
        }
    }
    barrier();
    float scale = fftHalfScale(POOL_REAL(first));
    if (thread == 0u && line < push.count) {
        Reals(push.targetScales).at[image() * push.count + line] = scale;
    }
    return scale;
}
