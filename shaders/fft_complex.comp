// Complex transforms of many lines, natural or slot order of the frequencies. Host side: src/fft/plan.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "fft_workgroup.glsl"
#include "shared/fft.h"

layout(constant_id = 15) const uint kInverse = 0u;
layout(constant_id = 16) const uint kNaturalOrder = 1u;

layout(push_constant, scalar) uniform Push { FftComplexPush push; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Complexes { vec2 at[]; };

/// The place of an element in a line as it stands in memory.
uint placeOf(uint slot, bool frequencies) {
    return frequencies && kNaturalOrder != 0u ? fftFrequency(radices(), kLength, slot) : slot;
}

void main() {
    uint line = gl_WorkGroupID.x * kLines + stageLine();
    uint first = kInverse != 0u ? kLastStage : 0u;
    clearValues();
    Complexes source = Complexes(push.source);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = slotIn(first, e);
        if (slot != kNoSlot && line < push.count) {
            v[e] = source.at[line * push.sourceLineStride + placeOf(slot, kInverse != 0u) * push.sourceStride];
        }
    }
    // In place, every value of the workgroup is read before any is written.
    memoryBarrierBuffer();
    barrier();
    if (kInverse != 0u) {
        exchangeParts();
        backwardTransform(push.twiddles);
        exchangeParts();
    } else {
        forwardTransform(push.twiddles);
    }
    uint last = kInverse != 0u ? 0u : kLastStage;
    Complexes target = Complexes(push.target);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = slotIn(last, e);
        if (slot != kNoSlot && line < push.count) {
            target.at[line * push.targetLineStride + placeOf(slot, kInverse == 0u) * push.targetStride] =
                push.scale * v[e];
        }
    }
}
