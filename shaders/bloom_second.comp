// Second pass of the bloom: the transform along the second axis, the product with the kernel's spectrum and the
// transform back, in place. The padding is neither read nor written. A line is one bin, the frequencies k and -k of the
// first axis: it reads what the first pass left of both, unpacks, and packs again what it writes. With STORE_KERNEL, the
// spectrum is a kernel's: it is transformed and stored for the above. Host side: src/bloom/filter.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "fft_workgroup.glsl"
#include "shared/bloom.h"

layout(constant_id = 32) const uint kRealKernel = 0u; // a symmetric kernel, whose spectrum is real

layout(push_constant, scalar) uniform Push {
    BloomMultiplyPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Complexes {
    vec2 at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Reals {
    float at[];
};

/// Value `place` of a bin's line, from the pair of lines that it lies in.
vec2 unpacked(Complexes positive, Complexes negative, uint place) {
    vec2 p = positive.at[place / 2u];
    vec2 q = complexConjugate(negative.at[place / 2u]);
    return place % 2u == 0u ? 0.5f * (p + q) : timesMinusI(0.5f * (p - q));
}

#if STORE_KERNEL

void useKernel(uint64_t kernelLine, uint index, uint element) {
    if (kRealKernel != 0u) {
        Reals(kernelLine).at[index] = push.keep * v[element].x;
    } else {
        Complexes(kernelLine).at[index] = push.keep * v[element];
    }
}

#else

void useKernel(uint64_t kernelLine, uint index, uint element) {
    if (kRealKernel != 0u) {
        v[element] *= push.keep * Reals(kernelLine).at[index] + push.delta;
    } else {
        v[element] = complexMultiply(v[element], push.keep * Complexes(kernelLine).at[index] + vec2(push.delta, 0.0f));
    }
}

/// Stores what the line's values become in the pairs of lines: places 2 j and 2 j + 1 stand in neighbouring
/// invocations, of which the first stores Z(k) = A + i B and the second Z(-k) = conj A + i conj B. Where k is its own
/// mirror, A and B are real, and the first stores both.
void storePacked(Complexes positive, Complexes negative, uint bin, bool selfMirrored) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint place = firstPlace(e);
        vec2 own = v[e];
        subgroupBarrier();
        vec2 other = subgroupShuffleXor(own, 1u);
        if (place < push.lines + push.lines % 2u && bin < bloomBins(push.firstLength)) {
            if (place % 2u == 0u) {
                positive.at[place / 2u] =
                    selfMirrored ? vec2(own.x, other.x) : vec2(own.x - other.y, own.y + other.x);
            } else if (!selfMirrored) {
                negative.at[place / 2u] = vec2(other.x + own.y, own.x - other.y);
            }
        }
    }
}

#endif

void main() {
    uint bin = gl_WorkGroupID.x * kLines + firstLine();
    bool used = bin < bloomBins(push.firstLength);
    uint mirror = used ? fftMirror(push.firstLength, bin) : 0u;
    uint64_t plane = push.spectrum + 8ul * gl_WorkGroupID.y * push.planeStride;
    uint64_t lineBytes = 8ul * push.spectrumStride;
    Complexes positive = Complexes(plane + lineBytes * fftSlot(push.firstRadices, push.firstLength, used ? bin : 0u));
    Complexes negative = Complexes(plane + lineBytes * fftSlot(push.firstRadices, push.firstLength, mirror));
    clearValues();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint place = firstPlace(e);
#if STORE_KERNEL
        if (place != kNone) {
            place += push.shift;
            place -= place >= kLength ? kLength : 0u;
        }
#endif
        if (place < push.lines && used) {
            v[e] = unpacked(positive, negative, place);
        }
    }

    forwardTransform(push.twiddles);
    uint64_t kernelLine = push.kernel + uint64_t(kRealKernel != 0u ? 4u : 8u) * kLength *
                                            (uint64_t(gl_WorkGroupID.y) * bloomBins(push.firstLength) + bin);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = lastSlot(e);
        if (slot != kNone && used) {
            useKernel(kernelLine, bloomKernelIndex(kLength, kLastRadix, slot), e);
        }
    }
#if !STORE_KERNEL
    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();
    storePacked(positive, negative, bin, mirror == bin);
#endif
}
