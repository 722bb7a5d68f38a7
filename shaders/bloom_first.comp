// First pass of the bloom: two lines of pixels packed in a complex one, transformed, unpacked, half the spectrum stored
// transposed, a bin of adjacent lines in one run. Host side: src/bloom/filter.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "fft_workgroup.glsl"
#include "shared/bloom.h"

layout(constant_id = 13) const uint kCentred = 0u; // a kernel: pixel `shift` stands at the origin

layout(push_constant, scalar) uniform Push {
    BloomAxisPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Pixels {
    float at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer LinePairs {
    vec4 at[];
};

/// A pixel, black where it is not finite: one such value would spread over the whole frame.
float finitePixel(Pixels plane, uint index) {
    float value = plane.at[index];
    return (floatBitsToUint(value) & 0x7F800000u) == 0x7F800000u ? 0.0f : value;
}

void main() {
    uint colour = gl_WorkGroupID.y;
    Pixels plane = Pixels(colour == 0u ? push.red : colour == 1u ? push.green : push.blue);
    uint line = 2u * (gl_WorkGroupID.x * kLines + stageLine());
    clearValues();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint pixel = stageSlot(kRadix0, kStride0, e);
        if (kCentred != 0u && pixel != kNoSlot) {
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
    exchangeLastStageToBins();

    LinePairs spectrum = LinePairs(push.spectrum + 8ul * colour * push.spectrumPlaneStride);
    uint pair = gl_WorkGroupID.x * kLines + binLine();
    [[unroll]] for (uint i = 0u; i < ELEMENTS / 2u; ++i) {
        uint bin = binOf(i);
        if (bin < kLength / 2u && 2u * pair < push.lines) {
            vec2 positive = v[2u * i];
            vec2 negative = v[2u * i + 1u];
            vec2 mirrored = complexConjugate(negative);
            vec2 first = 0.5f * (positive + mirrored);
            vec2 second = timesMinusI(0.5f * (positive - mirrored));
            vec4 both = bin == 0u ? vec4(positive.x, negative.x, positive.y, negative.y) : vec4(first, second);
            spectrum.at[bin * (push.spectrumLineStride / 2u) + pair] = both;
        }
    }
}
