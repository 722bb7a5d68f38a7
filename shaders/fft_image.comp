// Complex transforms along one axis of many images: rows, or neighbouring columns in one workgroup, where lines run
// fastest. Host side: src/fft/axis_pass.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "fft_workgroup.glsl"

#include "fft_memory.glsl"

#if INVERSE
#define SOURCE_USED(e) lastUsed(e)
#define SOURCE_SLOT(e) lastSlot(e)
#define TARGET_USED(e) firstUsed(e)
#define TARGET_SLOT(e) firstPlace(e)
#else
#define SOURCE_USED(e) firstUsed(e)
#define SOURCE_SLOT(e) firstPlace(e)
#define TARGET_USED(e) lastUsed(e)
#define TARGET_SLOT(e) lastSlot(e)
#endif

/// The place of an element in a line as it stands in memory.
uint placeOf(uint slot, bool frequencies) {
    return frequencies && kNaturalOrder != 0u ? fftFrequency(radices(), kLength, slot) : slot;
}

void main() {
    // The first stage and the last deal lines alike.
    uint line = gl_WorkGroupID.x * kLines + firstLine();
    clearValues();
    uint64_t source = sourceLine(line, sourceBytes());
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (SOURCE_USED(e) && line < push.count) {
            v[e] = loadComplex(source, placeOf(SOURCE_SLOT(e), INVERSE == 1), kLength);
        }
    }
    // In place, every value of the workgroup is read before any is written.
    memoryBarrierBuffer();
    barrier();
#if INVERSE
    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();
#else
    forwardTransform(push.twiddles);
#endif
    float largest = 0.0f;
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        v[e] *= push.scale;
        largest = TARGET_USED(e) ? max(largest, largestPart(v[e])) : largest;
    }
    float halfScale = 1.0f;
    if (kTargetHalf != 0u) {
        halfScale = noteScale(line, largestOfLine(largest, kFirstLinesFastest));
    }
    uint64_t target = targetLine(line, targetBytes());
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (TARGET_USED(e) && line < push.count) {
            storeComplex(target, placeOf(TARGET_SLOT(e), INVERSE == 0), v[e], halfScale);
        }
    }
}
