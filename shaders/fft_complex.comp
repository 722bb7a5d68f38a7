// Complex transforms of many lines, natural or slot order of the frequencies. Host side: src/fft/plan.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "fft_workgroup.glsl"
#include "shared/fft.h"

layout(constant_id = 32) const uint kNaturalOrder = 1u;

#if INVERSE
#define SOURCE_USED(e) lastUsed(e)
#define SOURCE_PLACE(e) frequencyPlace(e)
#define TARGET_USED(e) firstUsed(e)
#define TARGET_PLACE(e) firstPlace(e)
#else
#define SOURCE_USED(e) firstUsed(e)
#define SOURCE_PLACE(e) firstPlace(e)
#define TARGET_USED(e) lastUsed(e)
#define TARGET_PLACE(e) frequencyPlace(e)
#endif

layout(push_constant, scalar) uniform Push {
    FftComplexPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Complexes {
    vec2 at[];
};

/// The place of an element of the last stage in a line as it stands in memory.
uint frequencyPlace(uint element) {
    return kNaturalOrder != 0u ? lastFrequency(element) : lastSlot(element);
}

void main() {
    uint line = gl_WorkGroupID.x * kLines + firstLine();
    clearValues();
    Complexes source = Complexes(push.source);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (SOURCE_USED(e) && line < push.count) {
            v[e] = source.at[line * push.sourceLineStride + SOURCE_PLACE(e) * push.sourceStride];
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
    Complexes target = Complexes(push.target);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (TARGET_USED(e) && line < push.count) {
            target.at[line * push.targetLineStride + TARGET_PLACE(e) * push.targetStride] = push.scale * v[e];
        }
    }
}
