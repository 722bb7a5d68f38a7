// Third pass of the bloom: half spectra of two lines packed in a complex one and transformed back, straight into the
// output, cropped. Host side: src/bloom/filter.cpp.
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
layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer LinePairs {
    vec4 at[];
};

void main() {
    uint colour = gl_WorkGroupID.y;
    LinePairs spectrum = LinePairs(push.spectrum + 8ul * colour * push.spectrumPlaneStride);
    uint pair = gl_WorkGroupID.x * kLines + binLine();
    clearValues();
    [[unroll]] for (uint i = 0u; i < ELEMENTS / 2u; ++i) {
        uint bin = binOf(i);
        if (bin < kLength / 2u && 2u * pair < push.lines) {
            vec4 both = spectrum.at[bin * (push.spectrumLineStride / 2u) + pair];
            if (bin == 0u) {
                v[2u * i] = vec2(both.x, both.z);
                v[2u * i + 1u] = vec2(both.y, both.w);
            } else {
                v[2u * i] = vec2(both.x - both.w, both.y + both.z);
                v[2u * i + 1u] = vec2(both.x + both.w, both.z - both.y);
            }
        }
    }
    exchangeBinsToLastStage();

    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();

    Pixels plane = Pixels(colour == 0u ? push.red : colour == 1u ? push.green : push.blue);
    uint line = 2u * (gl_WorkGroupID.x * kLines + stageLine());
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint pixel = stageSlot(kRadix0, kStride0, e);
        if (pixel < push.pixels && line < push.lines) {
            uint index = line * push.lineStride + pixel * push.pixelStride;
            plane.at[index] = v[e].x;
            if (line + 1u < push.lines) {
                plane.at[index + push.lineStride] = v[e].y;
            }
        }
    }
}
