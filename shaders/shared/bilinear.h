// Bilinear sampling by hand, where there is no sampler: of values in memory, reached by their cells' indices.
#ifndef AUREOLE_SHARED_BILINEAR_H
#define AUREOLE_SHARED_BILINEAR_H

#include "shared/gray_scott.h"

SHARED_BEGIN

/// The two cells about a place along an axis.
struct BilinearTaps {
    uint low;
    uint high;
    float weight; ///< of `high`
};

/// `place` in cells: the middle of cell i is at i + 0.5. It may lie outside by a few cells; borders as of
/// grayScottPlace.
SHARED_INLINE BilinearTaps bilinearTaps(float place, uint size, uint border) {
    float from = floor(place - 0.5f);
    BilinearTaps taps;
    taps.low = grayScottPlace(int(from), size, border);
    taps.high = grayScottPlace(int(from) + 1, size, border);
    taps.weight = place - 0.5f - from;
    return taps;
}

/// The place, in cells of the plane, of the middle of a target's cell.
SHARED_INLINE float bilinearPlace(uint cell, uint size, uint targetSize) {
    return (float(cell) + 0.5f) * (float(size) / float(targetSize));
}

/// Of the values at (low, low), (high, low), (low, high), (high, high), along x and y.
SHARED_INLINE vec2 bilinearMix(vec2 ll, vec2 hl, vec2 lh, vec2 hh, float x, float y) {
    return mix(mix(ll, hl, x), mix(lh, hh, x), y);
}

SHARED_END
#endif
