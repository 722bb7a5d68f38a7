// First pass of the bloom: pairs of lines of pixels, each pair packed in a complex line, transformed and stored
// transposed, a frequency of the workgroup's pairs in one run. Host side: src/bloom/filter.cpp.

#include "fft/fft_workgroup.glsl"
#include "shared/bloom.h"
#include "shared/specialization.h"

layout(constant_id = SPEC_BLOOM_PIXELS) const uint kPixels = 1u;
layout(constant_id = SPEC_BLOOM_PAIR_STRIDE) const uint kPairStride = 1u;
layout(constant_id = SPEC_BLOOM_CENTRED) const uint kCentred = 0u;
layout(constant_id = SPEC_BLOOM_MIRRORED_TO) const uint kMirroredTo = 0u;

layout(push_constant, scalar) uniform Push {
    BloomAxisPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Pixel {
    float value;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer Complex {
    vec2 value;
};
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer TwoComplexes {
    vec4 value;
};

/// A pixel; black where it is not finite: one such value would spread over the whole frame.
float finitePixel(uint64_t address) {
    float value = Pixel(address).value;
    return abs(value) <= 3.402823466e38f ? value : 0.0f;
}

/// The pixel of an element of a line; black in the padding, unless that is mirrored.
float loadPixel(uint64_t line, uint element, uint pixelStride) {
    if (kCentred != 0u || kMirroredTo != 0u) {
        uint pixel = firstPlace(element);
        if (kMirroredTo != 0u) {
            pixel = bloomMirrored(pixel, kLength, kPixels, kMirroredTo);
        } else {
            pixel += push.shift;
            pixel -= pixel >= kLength ? kLength : 0u;
        }
        return firstUsed(element) && pixel < kPixels ? finitePixel(line + 4ul * pixel * pixelStride) : 0.0f;
    }
    if (!firstBelow(element, kPixels)) {
        return 0.0f;
    }
    uint64_t butterfly = line + 4ul * pixelStride * firstBase(element);
    return finitePixel(butterfly + 4ul * pixelStride * firstOffset(element));
}

void main() {
    uint colour = gl_WorkGroupID.y;
    uint64_t plane = colour == 0u ? push.red : colour == 1u ? push.green : push.blue;
    uint pixelStride = kFirstLinesFastest != 0u ? push.rowStride : 1u;
    uint lineStride = kFirstLinesFastest != 0u ? 1u : push.rowStride;
    uint line = 2u * (gl_WorkGroupID.x * kLines + firstLine());
    clearValues();
    uint64_t address = plane + 4ul * line * lineStride;
    if (line < push.lines) {
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            v[e].x = loadPixel(address, e, pixelStride);
        }
    }
    if (line + 1u < push.lines) {
        address += 4ul * lineStride;
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            v[e].y = loadPixel(address, e, pixelStride);
        }
    }

    forwardTransform(push.twiddles);

    uint pair = gl_WorkGroupID.x * kLines + lastLine();
    if (2u * pair < push.lines) {
        uint64_t spectrum = push.spectrum + 8ul * colour * push.planeStride + 16ul * pair;
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            if (!lastUsed(e)) {
                continue;
            }
            if (kLastRadix % 2u != 0u) {
                Complex(spectrum + 8ul * bloomPositionOffset(kPairStride, lastPosition(e))).value = v[e];
            } else if (lastLeg(e) % 2u == 0u) {
                uint64_t butterfly = spectrum + 8ul * kLastRadix * kPairStride * lastButterfly(e);
                TwoComplexes(butterfly + 8ul * kPairStride * lastLeg(e)).value = vec4(v[e], v[(e + 1u) % ELEMENTS]);
            }
        }
    }
}
