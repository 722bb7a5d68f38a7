// Second pass of the bloom: the transform along the second axis, the product with the kernel's spectrum and the
// transform back, in place. The padding is neither read nor written. With STORE_KERNEL, the spectrum is a kernel's: it
// is transformed and stored for the above. Host side: src/bloom/filter.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "fft_workgroup.glsl"
#include "shared/bloom.h"

layout(push_constant, scalar) uniform Push {
    BloomMultiplyPush push;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Complexes {
    vec2 at[];
};

Complexes kernelLine(uint bin) {
    uint64_t line = uint64_t(gl_WorkGroupID.y) * (push.bins + 1u) + bin;
    return Complexes(push.kernel + 8ul * kLength * line);
}

#if STORE_KERNEL

void useValue(uint element, uint slot, Complexes line) {
    line.at[bloomKernelIndex(kLength, kLastRadix, slot)] = push.keep * v[element];
}

void usePackedBin() {
    Complexes sums = kernelLine(0u);
    Complexes differences = kernelLine(push.bins);
    [[unroll]] for (uint i = 0u; i < ELEMENTS / 2u; ++i) {
        uint frequency = binOf(i);
        if (frequency < kLength / 2u) {
            vec2 p = v[2u * i];
            vec2 q = v[2u * i + 1u];
            vec2 dc = 0.5f * (p + complexConjugate(q));
            vec2 nyquist = timesMinusI(0.5f * (p - complexConjugate(q)));
            if (frequency == 0u) { // here q is the value at the second axis' Nyquist frequency
                dc = vec2(p.x, q.x);
                nyquist = vec2(p.y, q.y);
            }
            sums.at[frequency] = 0.5f * push.keep * (dc + nyquist);
            differences.at[frequency] = 0.5f * push.keep * (dc - nyquist);
        }
    }
}

#else

void useValue(uint element, uint slot, Complexes line) {
    vec2 factor = line.at[bloomKernelIndex(kLength, kLastRadix, slot)];
    v[element] = complexMultiply(v[element], push.keep * factor + vec2(push.delta, 0.0f));
}

/// Bin 0 holds X + i Y, the transforms of the real lines at DC and Nyquist along the first axis. With the half sum U
/// and half difference W of their kernels, X K + i Y L = P U + conj(P mirrored) W.
void usePackedBin() {
    Complexes sums = kernelLine(0u);
    Complexes differences = kernelLine(push.bins);
    [[unroll]] for (uint i = 0u; i < ELEMENTS / 2u; ++i) {
        uint frequency = binOf(i);
        if (frequency < kLength / 2u) {
            vec2 p = v[2u * i];
            vec2 q = v[2u * i + 1u];
            vec2 u = push.keep * sums.at[frequency] + vec2(push.delta, frequency == 0u ? push.delta : 0.0f);
            vec2 w = push.keep * differences.at[frequency];
            if (frequency == 0u) {
                v[0] = p * u.x + complexConjugate(p) * w.x;
                v[1] = q * u.y + complexConjugate(q) * w.y;
            } else {
                v[2u * i] = complexMultiply(p, u) + complexMultiply(complexConjugate(q), w);
                v[2u * i + 1u] =
                    complexMultiply(q, complexConjugate(u)) + complexMultiply(complexConjugate(p), complexConjugate(w));
            }
        }
    }
}

#endif

/// The workgroup of bin 0, whose values come in pairs of mirrored frequencies.
void useFirstBins() {
    exchangeLastStageToBins();
    if (binLine() == 0u) {
        usePackedBin();
    } else if (binLine() < push.bins) {
        Complexes line = kernelLine(binLine());
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            uint slot = binSlot(e);
            if (slot != kNoSlot) {
                useValue(e, slot, line);
            }
        }
    }
    exchangeBinsToLastStage();
}

void useBins(uint bin) {
    Complexes line = kernelLine(bin);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint slot = stageSlot(kLastRadix, 1u, e);
        if (slot != kNoSlot && bin < push.bins) {
            useValue(e, slot, line);
        }
    }
}

void main() {
    uint bin = gl_WorkGroupID.x * kLines + stageLine();
    Complexes line = Complexes(push.spectrum + 8ul * (uint64_t(gl_WorkGroupID.y) * push.spectrumPlaneStride +
                                                      uint64_t(bin) * push.spectrumLineStride));
    clearValues();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint place = stageSlot(kRadix0, kStride0, e);
#if STORE_KERNEL
        if (place != kNoSlot) {
            place += push.shift;
            place -= place >= kLength ? kLength : 0u;
        }
#endif
        if (place < push.lines && bin < push.bins) {
            v[e] = line.at[place];
        }
    }

    forwardTransform(push.twiddles);
    if (gl_WorkGroupID.x == 0u) {
        useFirstBins();
    } else {
        useBins(bin);
    }
#if !STORE_KERNEL
    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        uint place = stageSlot(kRadix0, kStride0, e);
        if (place < push.lines && bin < push.bins) {
            line.at[place] = v[e];
        }
    }
#endif
}
