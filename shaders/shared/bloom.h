// Push constants of the bloom shaders, and the layouts of their buffers.
//
// The spectrum between the passes is one plane per colour, [slot of the frequency k along the first axis][pair],
// the lines filled up to whole runs of 64 bytes. A pair is two neighbouring lines, a and b, transformed as a + i b:
// Z(k) = A(k) + i B(k), so that A(k) = (Z(k) + conj Z(-k)) / 2 and B(k) = -i (Z(k) - conj Z(-k)) / 2. Whoever takes
// both k and -k, as the second pass does, need not have them unpacked: DC and Nyquist are no exceptions.
//
// The kernel's spectrum, scaled by one over the period, holds floor(length / 2) + 1 bins per colour: complex lines of
// the second axis' length, a run for each leg of the last stage, or real ones where the kernel is symmetric about its
// centre.
#ifndef AUREOLE_SHARED_BLOOM_H
#define AUREOLE_SHARED_BLOOM_H

#include "shared/fft_index.h"

SHARED_BEGIN

/// The first pass reads pixels and writes the spectrum; the third reads the spectrum and writes pixels.
struct BloomAxisPush {
    uint64_t red;
    uint64_t green;
    uint64_t blue;
    uint64_t spectrum;
    uint64_t twiddles;
    uint lines;       ///< pixels along the second axis
    uint rowStride;   ///< floats
    uint planeStride; ///< complex values from colour to colour
    uint shift;       ///< kernels only: the pixel that stands at the origin
};

/// The second pass multiplies the spectrum, in place; or, for kernels, stores their spectrum.
struct BloomMultiplyPush {
    uint64_t spectrum;
    uint64_t kernel;
    uint64_t twiddles;
    FftRadices firstRadices; ///< of the first axis, for the slots of its frequencies
    uint firstLength;
    uint planeStride;
    uint shift;  ///< kernels only
    float keep;  ///< the kernel's share, one less the sharpening; for kernels, a quarter of the scale of what is stored
    float delta; ///< half the share of the Dirac delta, scaled by one over the period
};

/// The bins of a colour's spectrum: the frequencies k along the first axis that are not mirrors of others.
SHARED_INLINE uint bloomBins(uint firstLength) {
    return firstLength / 2u + 1u;
}

SHARED_END
#endif
