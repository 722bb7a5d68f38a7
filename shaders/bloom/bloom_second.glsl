// Second pass of the bloom: the transform along the second axis, the product with the kernel's spectrum and the
// transform back, in place. The padding is neither read nor written. A line is one bin, the frequencies k and -k of the
// first axis: it reads what the first pass left of both, unpacks, and packs again what it writes. With RESAMPLED, the
// kernel's spectrum is a compact one. With STORE_KERNEL, the spectrum is a kernel's: it is transformed and stored for
// the above. Host side: src/bloom/filter.cpp and kernel_transform.cpp.
#extension GL_KHR_shader_subgroup_shuffle : require

#include "fft/fft_workgroup.glsl"
#include "shared/bloom.h"
#include "shared/specialization.h"

layout(constant_id = SPEC_BLOOM_LINES_USED) const uint kLinesUsed = 1u;
layout(constant_id = SPEC_BLOOM_PAIR_STRIDE) const uint kPairStride = 1u;
layout(constant_id = SPEC_BLOOM_REAL_KERNEL) const uint kRealKernel = 0u;
layout(constant_id = SPEC_BLOOM_MIRRORED_TO) const uint kMirroredTo = 0u;

const uint kPlacesStored = (kLinesUsed + 1u) / 2u * 2u; // whole pairs

layout(push_constant, scalar) uniform Push {
    BloomMultiplyPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Complex {
    vec2 value;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Real {
    float value;
};

bool isSecond() {
    return firstBase(0u) % 2u != 0u;
}

/// The value that the invocation kLines further, or before, holds of an element: that of the neighbouring place.
vec2 neighbours(uint element) {
    subgroupBarrier();
    return subgroupShuffleXor(v[element], kLines);
}

#if STORE_KERNEL
#include "bloom/bloom_kernel_store.glsl"
#elif RESAMPLED
#include "bloom/bloom_kernel_resampled.glsl"
#else
#include "bloom/bloom_kernel_exact.glsl"
#endif

/// Twice the value of the line at any place, from the pair of lines that it lies in.
vec2 unpacked(uint64_t positive, uint64_t negative, uint place) {
    vec2 p = Complex(positive + 16ul * (place / 2u)).value;
    vec2 q = Complex(negative + 16ul * (place / 2u)).value;
    return place % 2u != 0u ? vec2(p.y + q.y, q.x - p.x) : vec2(p.x + q.x, p.y - q.y);
}

#if STORE_KERNEL

/// Loads the line's values, twice over, the kernel's centre first.
void loadPacked(uint64_t positive, uint64_t negative, bool used) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint place = firstPlace(e) + push.shift;
        place -= place >= kLength ? kLength : 0u;
        if (used && firstUsed(e) && place < kLinesUsed) {
            v[e] = unpacked(positive, negative, place);
        }
    }
}

#else

/// Loads the line's values, twice over, its padding mirrored.
void loadMirrored(uint64_t positive, uint64_t negative, bool used) {
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (used && firstUsed(e)) {
            v[e] = unpacked(positive, negative, bloomMirrored(firstPlace(e), kLength, kLinesUsed, kMirroredTo));
        }
    }
}

/// Loads the line's values from the pairs of lines twice over: of places 2 j and 2 j + 1, which stand in
/// invocations kLines apart, the first loads Z(k) and the second Z(-k), and each takes its own line from the two.
void loadPacked(uint64_t positive, uint64_t negative, bool used) {
    if (kMirroredTo != 0u) {
        loadMirrored(positive, negative, used);
        return;
    }
    bool second = isSecond();
    if (used) {
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            if (firstBelow(e, kPlacesStored)) {
                v[e] =
                    Complex((second ? negative : positive) + 16ul * (firstBase(e) / 2u) + 8ul * firstOffset(e)).value;
            }
        }
    }
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        vec2 own = v[e];
        vec2 other = neighbours(e);
        v[e] = second ? vec2(own.y + other.y, own.x - other.x) : vec2(own.x + other.x, own.y - other.y);
        if (kPlacesStored != kLinesUsed && !firstBelow(e, kLinesUsed)) {
            v[e] = vec2(0.0f);
        }
    }
}

/// Stores what the line's values become in the pairs of lines: places 2 j and 2 j + 1 stand in invocations kLines
/// apart, of which the first stores Z(k) = A + i B and the second Z(-k) = conj A + i conj B. Where k is its own mirror,
/// A and B are real, and the first stores both.
void storePacked(uint64_t positive, uint64_t negative, bool used, bool selfMirrored) {
    bool second = isSecond();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        vec2 own = v[e];
        vec2 other = neighbours(e);
        if (used && !(second && selfMirrored) && firstBelow(e, kPlacesStored)) {
            uint64_t address = (second ? negative : positive) + 16ul * (firstBase(e) / 2u);
            vec2 packed = second         ? vec2(other.x + own.y, own.x - other.y)
                          : selfMirrored ? vec2(own.x, other.x)
                                         : vec2(own.x - other.y, own.y + other.x);
            Complex(address + 8ul * firstOffset(e)).value = packed;
        }
    }
}

#endif

void main() {
    uint index = gl_WorkGroupID.x * kLines + firstLine();
    BloomBin bin = BloomBin(BLOOM_NO_BIN, BLOOM_NO_BIN);
    if (index < push.binCount) {
        bin = AT(BloomBin, push.bins, index);
    }
    bool used = bin.position != BLOOM_NO_BIN;
    uint64_t plane = push.spectrum + 8ul * gl_WorkGroupID.y * push.planeStride;
    uint64_t positive = plane + 8ul * bloomPositionOffset(kPairStride, bin.position);
    uint64_t negative = plane + 8ul * bloomPositionOffset(kPairStride, bin.mirror);
    clearValues();
    loadPacked(positive, negative, used);
    forwardTransform(push.twiddles);
    useKernel();
#if !STORE_KERNEL
    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();
    storePacked(positive, negative, used, bin.position == bin.mirror);
#endif
}
