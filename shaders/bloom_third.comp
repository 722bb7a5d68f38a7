// Third pass of the bloom: the spectra of pairs of lines transformed back, straight into the output, cropped. Host side:
// src/bloom/filter.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "fft_workgroup.glsl"
#include "shared/bloom.h"

layout(push_constant, scalar) uniform Push {
    BloomAxisPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Pixels {
    float at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Complexes {
    vec2 at[];
};

void main() {
    uint colour = gl_WorkGroupID.y;
    Complexes spectrum = Complexes(push.spectrum + 8ul * colour * push.planeStride);
    uint pair = gl_WorkGroupID.x * kLines + lastLine();
    clearValues();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = lastSlot(e);
        if (slot != kNone && 2u * pair < push.lines) {
            v[e] = spectrum.at[slot * push.spectrumStride + pair];
        }
    }

    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();

    Pixels plane = Pixels(colour == 0u ? push.red : colour == 1u ? push.green : push.blue);
    uint line = 2u * (gl_WorkGroupID.x * kLines + firstLine());
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint pixel = firstPlace(e);
        if (pixel < push.pixels && line < push.lines) {
            uint index = line * push.lineStride + pixel * push.pixelStride;
            plane.at[index] = v[e].x;
            if (line + 1u < push.lines) {
                plane.at[index + push.lineStride] = v[e].y;
            }
        }
    }
}
