// Packed halves of spectra (shared/fft/fft_packed.h) to the real lines, two lines packed in one complex line. Host
// side: src/fft/axis_pass.cpp.

#include "fft/fft_workgroup.glsl"

#include "fft/fft_memory.glsl"

#include "fft/fft_deal.glsl"

#include "fft/fft_pairs.glsl"

#include "shared/fft/fft_packed.h"

/// Loads the spectrum of line `which` of the pair.
void loadLine(uint line, uint which) {
    uint64_t source = sourceLine(line, sourceBytes());
    [[unroll]] for (uint j = 0u; j < LANE_BINS; ++j) {
        if (binUsed(j) && line < push.count) {
            v[which == 0u ? binElement(j) : mirrorElement(j)] = loadComplex(source, binPlace(j), kBins);
        }
    }
}

/// The spectrum of the pair from those of both lines.
void join() {
    [[unroll]] for (uint j = 0u; j < LANE_BINS; ++j) {
        if (binUsed(j)) {
            vec2 first = v[binElement(j)];
            vec2 second = v[mirrorElement(j)];
            bool packsNyquist = binPlace(j) == 0u;
            v[binElement(j)] = packsNyquist ? vec2(first.x, second.x) : fftPair(first, second);
            v[mirrorElement(j)] = packsNyquist ? vec2(first.y, second.y) : fftMirroredPair(first, second);
        }
    }
}

void main() {
    uint line = 2u * (gl_WorkGroupID.x * kLines + firstLine()); // dealt alike in the first stage and the last
    clearValues();
    loadLine(line, 0u);
    loadLine(line + 1u, 1u);
    // In place, every value of the workgroup is read before any is written.
    memoryBarrierBuffer();
    barrier();
    join();
    binsToSlots();
    exchangeParts();
    backwardTransform(push.twiddles);
    exchangeParts();
    Reals first = Reals(targetLine(line, 4u));
    Reals second = Reals(targetLine(line + 1u, 4u));
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (firstUsed(e) && line < push.count) {
            first.at[firstPlace(e) * push.targetStride] = push.scale * v[e].x;
        }
        if (firstUsed(e) && line + 1u < push.count) {
            second.at[firstPlace(e) * push.targetStride] = push.scale * v[e].y;
        }
    }
}
