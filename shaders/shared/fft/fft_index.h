// Where the values of a transform lie: positions inside a line, and the stored order of the frequencies.
//
// A line of N = r0 r1 ... values (unused radices are 1) is transformed by decimation in frequency: stage s splits each
// block of `span` values, span = N / (r0 ... r(s-1)), into radix interleaved ones, in place. Nothing is reordered, so
// the frequency k = j0 + r0 (j1 + r1 (j2 + ...)) ends at the *position* with the digits reversed: j0 N/r0 +
// j1 N/(r0 r1) + ... The inverse decimates in time, from those positions back to the natural order.
//
// The butterflies of the last stage, of radix r, each leave r neighbouring positions. Neighbouring invocations hold
// neighbouring butterflies, so memory takes them leg by leg: the *slot* of a frequency is leg N/r + butterfly, where
// its position is butterfly r + leg. The leg is the frequency's leading digit: slots come in r runs of N/r, the runs in
// natural order, inside a run the other digits reversed. DC is in slot 0, Nyquist in fftNyquistSlot.
#ifndef AUREOLE_SHARED_FFT_INDEX_H
#define AUREOLE_SHARED_FFT_INDEX_H

#include "shared/lang.h"

SHARED_BEGIN

#define FFT_MAX_STAGES 6u

/// The radices in stage order; each from 2 to 16, then ones.
struct FftRadices {
    uint r0;
    uint r1;
    uint r2;
    uint r3;
    uint r4;
    uint r5;
};

SHARED_INLINE uint fftRadix(FftRadices radices, uint stage) {
    return stage == 0u   ? radices.r0
           : stage == 1u ? radices.r1
           : stage == 2u ? radices.r2
           : stage == 3u ? radices.r3
           : stage == 4u ? radices.r4
                         : radices.r5;
}

/// The length of the blocks that a stage splits; `stage` may be FFT_MAX_STAGES.
SHARED_INLINE uint fftSpan(FftRadices radices, uint length, uint stage) {
    uint span = length;
    span /= stage > 0u ? radices.r0 : 1u;
    span /= stage > 1u ? radices.r1 : 1u;
    span /= stage > 2u ? radices.r2 : 1u;
    span /= stage > 3u ? radices.r3 : 1u;
    span /= stage > 4u ? radices.r4 : 1u;
    span /= stage > 5u ? radices.r5 : 1u;
    return span;
}

/// The position of input (and output) `leg` of a butterfly; butterflies are numbered from 0 to length / radix - 1.
SHARED_INLINE uint fftPosition(uint span, uint radix, uint butterfly, uint leg) {
    uint stride = span / radix;
    return (butterfly / stride) * span + butterfly % stride + leg * stride;
}

/// Rows of a stage's twiddle factors: those of legs 1, 4, 8 and 12, as far as the radix goes; a shader multiplies the
/// others together from two or three of them.
SHARED_INLINE uint fftTwiddleRows(uint radix) {
    return 1u + (radix - 1u) / 4u;
}

/// The leg that a row of twiddle factors belongs to.
SHARED_INLINE uint fftTwiddleLeg(uint row) {
    return row == 0u ? 1u : 4u * row;
}

/// The position at which the transform leaves the frequency (0 to length - 1).
SHARED_INLINE uint fftFrequencyPosition(FftRadices radices, uint length, uint frequency) {
    uint rest = frequency;
    uint span = length / radices.r0;
    uint position = (rest % radices.r0) * span;
    rest /= radices.r0;
    span /= radices.r1;
    position += (rest % radices.r1) * span;
    rest /= radices.r1;
    span /= radices.r2;
    position += (rest % radices.r2) * span;
    rest /= radices.r2;
    span /= radices.r3;
    position += (rest % radices.r3) * span;
    rest /= radices.r3;
    span /= radices.r4;
    position += (rest % radices.r4) * span;
    rest /= radices.r4;
    return position + rest;
}

/// The frequency at the position; the inverse of fftFrequencyPosition.
SHARED_INLINE uint fftPositionFrequency(FftRadices radices, uint length, uint position) {
    uint rest = position;
    uint span = length / radices.r0;
    uint frequency = rest / span;
    uint weight = radices.r0;
    rest %= span;
    span /= radices.r1;
    frequency += (rest / span) * weight;
    weight *= radices.r1;
    rest %= span;
    span /= radices.r2;
    frequency += (rest / span) * weight;
    weight *= radices.r2;
    rest %= span;
    span /= radices.r3;
    frequency += (rest / span) * weight;
    weight *= radices.r3;
    rest %= span;
    span /= radices.r4;
    frequency += (rest / span) * weight;
    weight *= radices.r4;
    return frequency + (rest % span) * weight;
}

/// The radix of the last stage.
SHARED_INLINE uint fftLastRadix(FftRadices radices) {
    return radices.r5 > 1u   ? radices.r5
           : radices.r4 > 1u ? radices.r4
           : radices.r3 > 1u ? radices.r3
           : radices.r2 > 1u ? radices.r2
           : radices.r1 > 1u ? radices.r1
                             : radices.r0;
}

/// The slot of a leg of a butterfly of the last stage.
SHARED_INLINE uint fftLegSlot(uint lastRadix, uint length, uint butterfly, uint leg) {
    return butterfly + leg * (length / lastRadix);
}

/// The slot in which the frequency (0 to length - 1) is stored.
SHARED_INLINE uint fftSlot(FftRadices radices, uint length, uint frequency) {
    uint radix = fftLastRadix(radices);
    uint position = fftFrequencyPosition(radices, length, frequency);
    return fftLegSlot(radix, length, position / radix, position % radix);
}

/// The frequency stored in the slot; the inverse of fftSlot.
SHARED_INLINE uint fftFrequency(FftRadices radices, uint length, uint slot) {
    uint radix = fftLastRadix(radices);
    uint butterflies = length / radix;
    return fftPositionFrequency(radices, length, (slot % butterflies) * radix + slot / butterflies);
}

/// The slot of DC.
SHARED_INLINE uint fftDcSlot() {
    return 0u;
}

/// The slot of Nyquist, the frequency length / 2 of an even length.
SHARED_INLINE uint fftNyquistSlot(FftRadices radices, uint length) {
    return fftSlot(radices, length, length / 2u);
}

/// The frequency -k modulo the length. DC is its own mirror, and so is Nyquist, length / 2.
SHARED_INLINE uint fftMirror(uint length, uint frequency) {
    return frequency == 0u ? 0u : length - frequency;
}

/// The slot of the mirrored frequency.
SHARED_INLINE uint fftMirrorSlot(FftRadices radices, uint length, uint slot) {
    return fftSlot(radices, length, fftMirror(length, fftFrequency(radices, length, slot)));
}

SHARED_END
#endif
