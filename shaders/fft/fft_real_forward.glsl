// Real lines to the packed halves of their spectra (shared/fft/fft_packed.h), two lines packed in one complex line.
// Host side: src/fft/axis_pass.cpp.

#include "fft/fft_workgroup.glsl"

#include "fft/fft_memory.glsl"

#include "fft/fft_deal.glsl"

#include "fft/fft_pairs.glsl"

#include "shared/fft/fft_packed.h"

/// The spectra of both lines from that of the pair.
void separate() {
    [[unroll]] for (uint j = 0u; j < LANE_BINS; ++j) {
        if (binUsed(j)) {
            vec2 z = push.scale * v[binElement(j)];
            vec2 mirrored = push.scale * v[mirrorElement(j)];
            bool packsNyquist = binPlace(j) == 0u;
            v[binElement(j)] = packsNyquist ? vec2(z.x, mirrored.x) : fftFirstOfPair(z, mirrored);
            v[mirrorElement(j)] = packsNyquist ? vec2(z.y, mirrored.y) : fftSecondOfPair(z, mirrored);
        }
    }
}

/// The value of the first or the second line at a bin.
vec2 lineValue(uint j, uint which) {
    return which == 0u ? v[binElement(j)] : v[mirrorElement(j)];
}

/// Stores the spectrum of line `which` of the pair.
void storeLine(uint line, uint which) {
    float halfScale = 1.0f;
    if (kTargetHalf != 0u) {
        float largest = 0.0f;
        [[unroll]] for (uint j = 0u; j < LANE_BINS; ++j) {
            largest = binUsed(j) ? max(largest, largestPart(lineValue(j, which))) : largest;
        }
        halfScale = scaleOfLine(line, largest, kLastLinesFastest);
    }
    uint64_t target = targetLine(line, targetBytes());
    [[unroll]] for (uint j = 0u; j < LANE_BINS; ++j) {
        if (binUsed(j) && line < push.count) {
            storeComplex(target, binPlace(j), lineValue(j, which), halfScale);
        }
    }
}

void main() {
    uint line = 2u * (gl_WorkGroupID.x * kLines + firstLine()); // dealt alike in the first stage and the last
    clearValues();
    Reals first = Reals(sourceLine(line, 4u));
    Reals second = Reals(sourceLine(line + 1u, 4u));
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (firstUsed(e) && line < push.count) {
            v[e].x = first.at[firstPlace(e) * push.sourceStride];
        }
        if (firstUsed(e) && line + 1u < push.count) {
            v[e].y = second.at[firstPlace(e) * push.sourceStride];
        }
    }
    // In place, every value of the workgroup is read before any is written.
    memoryBarrierBuffer();
    barrier();
    forwardTransform(push.twiddles);
    slotsToBins();
    separate();
    storeLine(line, 0u);
    storeLine(line + 1u, 1u);
}
