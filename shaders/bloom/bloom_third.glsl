// Third pass of the bloom: the spectra of pairs of lines transformed back, straight into the output, cropped. Host
// side: src/bloom/filter.cpp.

#include "fft/fft_workgroup.glsl"
#include "shared/bloom.h"
#include "shared/specialization.h"

layout(constant_id = SPEC_BLOOM_PIXELS) const uint kPixels = 1u;
layout(constant_id = SPEC_BLOOM_PAIR_STRIDE) const uint kPairStride = 1u;

layout(push_constant, scalar) uniform Push {
    BloomAxisPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Pixel {
    float value;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Complex {
    vec2 value;
};
layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer TwoComplexes {
    vec4 value;
};

void main() {
    uint colour = gl_WorkGroupID.y;
    uint pair = gl_WorkGroupID.x * kLines + lastLine();
    clearValues();
    if (2u * pair < push.lines) {
        uint64_t spectrum = push.spectrum + 8ul * colour * push.planeStride + 16ul * pair;
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            if (!lastUsed(e)) {
                continue;
            }
            if (kLastRadix % 2u != 0u) {
                v[e] = Complex(spectrum + 8ul * bloomPositionOffset(kPairStride, lastPosition(e))).value;
            } else if (lastLeg(e) % 2u == 0u) {
                uint64_t butterfly = spectrum + 8ul * kLastRadix * kPairStride * lastButterfly(e);
                vec4 both = TwoComplexes(butterfly + 8ul * kPairStride * lastLeg(e)).value;
                v[e] = both.xy;
                v[(e + 1u) % ELEMENTS] = both.zw;
            }
        }
    }

    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();

    uint64_t plane = colour == 0u ? push.red : colour == 1u ? push.green : push.blue;
    uint pixelStride = kFirstLinesFastest != 0u ? push.rowStride : 1u;
    uint lineStride = kFirstLinesFastest != 0u ? 1u : push.rowStride;
    uint line = 2u * (gl_WorkGroupID.x * kLines + firstLine());
    uint64_t address = plane + 4ul * line * lineStride;
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (line < push.lines && firstBelow(e, kPixels)) {
            uint64_t butterfly = address + 4ul * pixelStride * firstBase(e);
            Pixel(butterfly + 4ul * pixelStride * firstOffset(e)).value = v[e].x;
        }
    }
    address += 4ul * lineStride;
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (line + 1u < push.lines && firstBelow(e, kPixels)) {
            uint64_t butterfly = address + 4ul * pixelStride * firstBase(e);
            Pixel(butterfly + 4ul * pixelStride * firstOffset(e)).value = v[e].y;
        }
    }
}
