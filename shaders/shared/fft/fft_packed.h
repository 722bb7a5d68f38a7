// Real lines packed in complex ones, and the packed half of their spectra.
//
// Two real lines a and b of an even length N are transformed as the one complex line a + i b: Z(k) = A(k) + i B(k).
// Real lines have A(-k) = conj A(k), so that Z(k) and Z(-k) give both spectra. Of each, N/2 complex values are kept:
// the frequencies 0 to N/2 - 1, and in the value of frequency 0 the real parts of two, DC and Nyquist (N/2): re = DC,
// im = Nyquist, which have no others.
//
// In natural order frequency k stands at place k. In slot order it stands at its slot in the whole spectrum, fftSlot,
// which is below N/2 where k is: the last radix of real lines is even, and slots come in as many runs. DC and Nyquist,
// whose own slot is N/2, stand at place 0 in both orders.
//
// In two dimensions the rows come first, and so column 0 of the half spectrum packs two columns of real values: DC(y) +
// i Nyquist(y). Transformed along y it is one more packed pair: P(v) = D(v) + i E(v), from which fftFirstOfPair and
// fftSecondOfPair, given P(v) and P(-v), tell the two spectra apart: D of the frequencies (0, v), E of (w/2, v).
#ifndef AUREOLE_SHARED_FFT_PACKED_H
#define AUREOLE_SHARED_FFT_PACKED_H

#include "shared/fft/fft_index.h"

SHARED_BEGIN

/// The place of a frequency in the packed half spectrum of a line of that length, in slot order. DC and Nyquist: 0.
SHARED_INLINE uint fftPackedSlot(FftRadices radices, uint length, uint frequency) {
    return 2u * frequency == length ? 0u : fftSlot(radices, length, frequency);
}

/// The frequency at a place of the packed half spectrum, in slot order; at place 0 that is DC, beside Nyquist. The
/// inverse of fftPackedSlot for frequencies below length / 2.
SHARED_INLINE uint fftPackedFrequency(FftRadices radices, uint length, uint place) {
    return fftFrequency(radices, length, place);
}

/// A(k) from Z(k) and Z(-k).
SHARED_INLINE vec2 fftFirstOfPair(vec2 z, vec2 mirrored) {
    return vec2(0.5f * (z.x + mirrored.x), 0.5f * (z.y - mirrored.y));
}
/// B(k) from Z(k) and Z(-k).
SHARED_INLINE vec2 fftSecondOfPair(vec2 z, vec2 mirrored) {
    return vec2(0.5f * (z.y + mirrored.y), 0.5f * (mirrored.x - z.x));
}

/// Z(k) from A(k) and B(k).
SHARED_INLINE vec2 fftPair(vec2 first, vec2 second) {
    return vec2(first.x - second.y, first.y + second.x);
}
/// Z(-k) from A(k) and B(k).
SHARED_INLINE vec2 fftMirroredPair(vec2 first, vec2 second) {
    return vec2(first.x + second.y, second.x - first.y);
}

SHARED_END
#endif
