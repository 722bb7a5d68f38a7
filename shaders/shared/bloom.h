// Push constants of the bloom shaders, and the layouts of their buffers.
//
// The spectrum between the passes is one plane per colour, [bin along the first axis][line], `lineStride` complex
// values from bin to bin. Bin 0 keeps two real lines, DC as the real part and Nyquist as the imaginary part.
//
// The kernel's spectrum, scaled by one over the period, has bins + 1 lines of the second axis' length per colour:
// lines 1 to bins - 1 hold the spectrum of their bin in BLOOM order (bloomKernelIndex); for bin 0, lines 0 and `bins`
// hold half the sum and half the difference of the spectra at DC and Nyquist, frequencies 0 to length / 2 - 1 in
// natural order, with the real values at frequencies 0 and length / 2 packed in the first one.
#ifndef AUREOLE_SHARED_BLOOM_H
#define AUREOLE_SHARED_BLOOM_H

#include "shared/fft_index.h"

SHARED_BEGIN

/// The first pass reads pixels and writes the spectrum; the third reads the spectrum and writes pixels. Strides of
/// pixels in floats.
struct BloomAxisPush {
    uint64_t red;
    uint64_t green;
    uint64_t blue;
    uint64_t spectrum;
    uint64_t twiddles;
    uint pixels;              ///< along the first axis
    uint lines;               ///< pixels along the second axis
    uint pixelStride;         ///< between pixels along the first axis
    uint lineStride;          ///< between pixels along the second axis
    uint spectrumLineStride;  ///< complex values, even
    uint spectrumPlaneStride; ///< complex values, even
    uint shift;               ///< kernels only: the pixel that stands at the origin
};

/// The second pass multiplies the spectrum, in place; or, for kernels, stores their spectrum.
struct BloomMultiplyPush {
    uint64_t spectrum;
    uint64_t kernel;
    uint64_t twiddles;
    uint bins;
    uint lines; ///< values of a line that are not padding
    uint spectrumLineStride;
    uint spectrumPlaneStride;
    uint shift;  ///< kernels only
    float keep;  ///< the kernel's share: one less the sharpening; for kernels, the scale of what is stored
    float delta; ///< the share of the Dirac delta, scaled by one over the period
};

/// Where the value of a slot stands in a line of the kernel's spectrum: as the invocations of the last stage read it.
SHARED_INLINE uint bloomKernelIndex(uint length, uint lastRadix, uint slot) {
    return (slot % lastRadix) * (length / lastRadix) + slot / lastRadix;
}

SHARED_END
#endif
