// Where the values of a transform lie: positions inside a line, and the order of the frequencies.
//
// A line of N = r0 r1 ... values (unused radices are 1) is transformed by decimation in frequency: stage s splits each
// block of `span` values, span = N / (r0 ... r(s-1)), into radix interleaved ones, in place. Nothing is reordered, so
// the frequency k = j0 + r0 (j1 + r1 (j2 + ...)) ends in the slot with the digits reversed: j0 N/r0 + j1 N/(r0 r1) +
// ... The inverse decimates in time, from those slots back to the natural order.
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

/// The slot in which the frequency (0 to length - 1) is kept.
SHARED_INLINE uint fftSlot(FftRadices radices, uint length, uint frequency) {
    uint rest = frequency;
    uint span = length / radices.r0;
    uint slot = (rest % radices.r0) * span;
    rest /= radices.r0;
    span /= radices.r1;
    slot += (rest % radices.r1) * span;
    rest /= radices.r1;
    span /= radices.r2;
    slot += (rest % radices.r2) * span;
    rest /= radices.r2;
    span /= radices.r3;
    slot += (rest % radices.r3) * span;
    rest /= radices.r3;
    span /= radices.r4;
    slot += (rest % radices.r4) * span;
    rest /= radices.r4;
    return slot + rest;
}

/// The frequency kept in the slot; the inverse of fftSlot.
SHARED_INLINE uint fftFrequency(FftRadices radices, uint length, uint slot) {
    uint rest = slot;
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
