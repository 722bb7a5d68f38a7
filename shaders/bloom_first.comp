// First pass of the bloom: pairs of lines of pixels, each pair packed in a complex line, transformed and stored
// transposed, a frequency of the workgroup's pairs in one run. Host side: src/bloom/filter.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "fft_workgroup.glsl"
#include "shared/bloom.h"

layout(constant_id = 32) const uint kCentred = 0u; // a kernel: pixel `shift` stands at the origin

layout(push_constant, scalar) uniform Push {
    BloomAxisPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Pixels {
    float at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer Complexes {
    vec2 at[];
};

/// A pixel, black where it is not finite: one such value would spread over the whole frame.
float finitePixel(Pixels plane, uint index) {
    float value = plane.at[index];
    return (floatBitsToUint(value) & 0x7F800000u) == 0x7F800000u ? 0.0f : value;
}

void main() {
    uint colour = gl_WorkGroupID.y;
    Pixels plane = Pixels(colour == 0u ? push.red : colour == 1u ? push.green : push.blue);
    uint line = 2u * (gl_WorkGroupID.x * kLines + firstLine());
    clearValues();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint pixel = firstPlace(e);
        if (kCentred != 0u && pixel != kNone) {
            pixel += push.shift;
            pixel -= pixel >= kLength ? kLength : 0u;
        }
        if (pixel < push.pixels && line < push.lines) {
            uint index = line * push.lineStride + pixel * push.pixelStride;
            v[e].x = finitePixel(plane, index);
            if (line + 1u < push.lines) {
                v[e].y = finitePixel(plane, index + push.lineStride);
            }
        }
    }

    forwardTransform(push.twiddles);

    Complexes spectrum = Complexes(push.spectrum + 8ul * colour * push.planeStride);
    uint pair = gl_WorkGroupID.x * kLines + lastLine();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = lastSlot(e);
        if (slot != kNone && 2u * pair < push.lines) {
            spectrum.at[slot * push.spectrumStride + pair] = v[e];
        }
    }
}
