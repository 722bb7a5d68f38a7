// Push constants of the bloom shaders, and the layouts of their buffers.
//
// The spectrum between the passes is one plane per colour, [position / 2][pair][position % 2] of complex values, the
// positions (shared/fft/fft_index.h) of the frequencies k along the first axis, the pairs filled up to whole runs of
// 128 bytes: what the first pass writes of two positions and two pairs is one run of 32 bytes. A pair is two
// neighbouring lines, a and b, transformed as a + i b: Z(k) = A(k) + i B(k), so that A(k) = (Z(k) + conj Z(-k)) / 2 and
// B(k) = -i (Z(k) - conj Z(-k)) / 2. Whoever takes both k and -k, as the second pass does, need not have them unpacked:
// DC and Nyquist are no exceptions.
//
// The second pass works on bins, a bin being the positions of k and of -k; a table lists them such that neighbouring
// bins have neighbouring positions. The kernel's spectrum, scaled by one over the period, has for each colour and bin a
// line of the second axis' length, in slot order; complex, or real where the kernel is symmetric about its centre.
//
// A resampled kernel's spectrum is compact: it has periods of the kernel's own, and for each colour and frequency from
// 0 to Nyquist along the first axis a row of the frequencies along the second, both in natural order and unscaled;
// complex or real. Values between its frequencies are weighted sums (taps) of neighbouring ones, along either axis.
#ifndef AUREOLE_SHARED_BLOOM_H
#define AUREOLE_SHARED_BLOOM_H

#include "shared/lang.h"

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

/// The positions of k and -k along the first axis; BLOOM_NO_BIN twice in a bin that only fills the table up.
struct BloomBin {
    uint position;
    uint mirror;
};
SHARED_ARRAY(BloomBin, 8)
#define BLOOM_NO_BIN 0xFFFFFFFFu

/// A row of a compact spectrum that a bin is interpolated from: twice its number, and one more where the row is that of
/// the opposite frequency.
struct BloomRowTap {
    uint row;
    float weight;
};
SHARED_ARRAY(BloomRowTap, 8)

/// The second pass multiplies the spectrum, in place; or, for kernels, stores their spectrum.
struct BloomMultiplyPush {
    uint64_t spectrum;
    uint64_t kernel;
    uint64_t twiddles;
    uint64_t bins;    ///< BloomBin
    uint64_t rowTaps; ///< resampled kernels only: the BloomRowTaps of each bin
    /// Resampled kernels only. For each slot of a line the number of the first frequency that it is interpolated from,
    /// in an array, then the weights of the first, of the second..., an array each.
    uint64_t slotTaps;
    uint binCount;
    uint planeStride;
    uint shift; ///< kernels only
    /// The kernel's share, one less the sharpening, times half the scale for resampled ones; for kernels, half the
    /// scale of what is stored.
    float keep;
    float delta; ///< half the share of the Dirac delta, scaled by one over the period
};

/// The pixel that stands at a place of a mirror-padded line of `period` places: the image's `pixels`, then what the far
/// edge mirrors, up to the place `farEnd`, and in the end what the near edge mirrors. Edge pixels repeat, and a
/// reflection longer than the image is reflected again.
SHARED_INLINE uint bloomMirrored(uint place, uint period, uint pixels, uint farEnd) {
    uint cycle = 2u * pixels;
    uint at = place < farEnd ? place % cycle : (cycle - (period - place) % cycle) % cycle;
    return at < pixels ? at : cycle - 1u - at;
}

/// Where the values of a position begin in a plane of the spectrum, in complex values; those of pair p stand 2 p
/// further.
SHARED_INLINE uint bloomPositionOffset(uint pairStride, uint position) {
    return (position / 2u) * (2u * pairStride) + position % 2u;
}

SHARED_END
#endif
