// Complex transforms along one axis of many images, or of many lines: rows, or neighbouring columns in one workgroup,
// where lines run fastest. Host side: src/fft/axis_pass.cpp.

#include "fft/fft_workgroup.glsl"

#include "fft/fft_memory.glsl"

#include "fft/fft_deal.glsl"

#include "shared/specialization.h"

layout(constant_id = SPEC_FFT_NATURAL_ORDER) const uint kNaturalOrder = 1u;

/// Where frequencies are dealt, neighbouring invocations get neighbouring ones.
bool dealtUsed(uint element) {
    return (element + 1u) * kThreads <= kLength || dealtFrequency(element) < kLength;
}
uint dealtFrequency(uint element) {
    return element * kThreads + dealtThread(kLastLinesFastest);
}

/// The side of the frequencies: whether an element is in use, and its place in a line as it stands in memory.
bool frequencyUsed(uint element) {
    return kDealtWords != 0u ? dealtUsed(element) : lastUsed(element);
}
uint frequencyPlace(uint element) {
    if (kDealtWords != 0u) {
        return dealtFrequency(element);
    }
    return kNaturalOrder != 0u ? lastFrequency(element) : lastSlot(element);
}

#if INVERSE
#define SOURCE_USED(e) frequencyUsed(e)
#define SOURCE_PLACE(e) frequencyPlace(e)
#define TARGET_USED(e) firstUsed(e)
#define TARGET_PLACE(e) firstPlace(e)
#else
#define SOURCE_USED(e) firstUsed(e)
#define SOURCE_PLACE(e) firstPlace(e)
#define TARGET_USED(e) frequencyUsed(e)
#define TARGET_PLACE(e) frequencyPlace(e)
#endif

void main() {
    uint line = gl_WorkGroupID.x * kLines + firstLine(); // dealt alike in the first stage and the last
    clearValues();
    uint64_t source = sourceLine(line, sourceBytes());
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (SOURCE_USED(e) && line < push.count) {
            v[e] = loadComplex(source, SOURCE_PLACE(e), kLength);
        }
    }
    // In place, every value of the workgroup is read before any is written.
    memoryBarrierBuffer();
    barrier();
#if INVERSE
    if (kDealtWords != 0u) {
        returnFrequencies();
    }
    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();
#else
    forwardTransform(push.twiddles);
    if (kDealtWords != 0u) {
        dealFrequencies();
    }
#endif
    float largest = 0.0f;
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        v[e] *= push.scale;
        largest = TARGET_USED(e) ? max(largest, largestPart(v[e])) : largest;
    }
    float halfScale = kTargetHalf != 0u ? scaleOfLine(line, largest, kFirstLinesFastest) : 1.0f;
    uint64_t target = targetLine(line, targetBytes());
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (TARGET_USED(e) && line < push.count) {
            storeComplex(target, TARGET_PLACE(e), v[e], halfScale);
        }
    }
}
