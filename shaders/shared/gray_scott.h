// The Gray-Scott model of reaction and diffusion (Pearson, "Complex Patterns in a Simple System", Science 261, 1993),
// by explicit Euler steps:
//
//   du/dt = Du Lu - u v^2 + F (1 - u)        dv/dt = Dv Lv + u v^2 - (F + k) v
//
// A cell holds (1 - u, v): both fade to zero where nothing happens, which stays exactly zero, and half floats are
// finest there. L is the 9-point Laplacian, 1 4 1 / 4 -20 4 / 1 4 1 over 6 h^2, whose error is isotropic to fourth
// order (Patra and Karttunen, "Stencils with isotropic discretization error for differential operators", 2006). Since
// it is (1 4 1) x (1 4 1) less 36 in the middle, it takes sums along rows and then along columns.
#ifndef AUREOLE_SHARED_GRAY_SCOTT_H
#define AUREOLE_SHARED_GRAY_SCOTT_H

#include "shared/lang.h"

SHARED_BEGIN

#ifdef __cplusplus
using glm::fma;
#endif

#define GRAY_SCOTT_PERIODIC 0u
#define GRAY_SCOTT_CLAMPED 1u

/// Cells are 8 bytes (vec2) or 4 (two halves); rows start at multiples of `pitch` cells, itself a multiple of 4.
struct GrayScottPush {
    uint64_t source;
    uint64_t target;
    uint64_t rates; ///< varying rates: for each cell, in the same rows, the step times F and times F + k
    uint64_t times; ///< rates over time: for each step, the step times F and times F + k, beside those of the cell
    vec2 keep;      ///< 1 - 36 spread, less the step times (F, F + k) where the rates do not vary over the plane
    vec2 spread;    ///< step * D / (6 h^2), of u and of v
    float step;
    uint width;
    uint height;
    uint pitch;
    uint steps;     ///< of this dispatch
    uint firstStep; ///< of all that are taken, the first of this dispatch
    uint lastTime;  ///< the last of `times`, which stays from then on
};

/// Moves what a plane shows: each cell takes what is found at its offset, in cells.
struct GrayScottWarpPush {
    uint64_t source;
    uint64_t target;
    uint64_t offsets; ///< vec2, in the same rows
    uint width;
    uint height;
    uint pitch;
    uint padding;
};

/// Samples a plane at the middles of a target's cells, spread evenly over it.
struct GrayScottSamplePush {
    uint64_t source;
    uint64_t target; ///< vec2, row by row
    uint width;
    uint height;
    uint pitch;
    uint targetWidth;
    uint targetHeight;
    uint padding;
};

/// The cell that stands at place `i`, which may lie outside by no more than a tile. A picture with clamped borders is
/// its own reflection beyond them: to a stencil of 3 x 3 that is the nearest cell, and it stays so step after step.
SHARED_INLINE uint grayScottPlace(int i, uint size, uint border) {
    if (i >= 0 && uint(i) < size) {
        return uint(i);
    }
    uint period = border == GRAY_SCOTT_CLAMPED ? 2u * size : size;
    uint place = uint(i + int(period) * 1024) % period;
    return place < size ? place : period - 1u - place;
}

/// The factor 1 4 1 of the stencil, along one axis.
SHARED_INLINE vec2 grayScottSum(vec2 before, vec2 here, vec2 after) {
    return fma(vec2(4.0f), here, before + after);
}

/// A cell after a step. `block` is grayScottSum along both axes. Fused operations by name: what is rounded does not
/// depend on what a compiler contracts, so all tilings give the same bits.
SHARED_INLINE vec2 grayScottStep(vec2 cell, vec2 block, vec2 keep, vec2 spread, float step) {
    float square = cell.y * cell.y;
    float reaction = step * fma(-cell.x, square, square);
    return fma(spread, block, fma(keep, cell, vec2(reaction)));
}

/// The longest stable step. The Laplacian's symbol, ((4 + 2 cos a)(4 + 2 cos b) - 36) / (6 h^2), is least for a
/// checkerboard, -16 / (3 h^2), so by von Neumann's criterion step * (16 D / (3 h^2) + decay) is to be at most 2.
/// Beside F, u decays by v^2, for which 1/4 stands: v exceeds 1/2 only while a seed burns out.
/// `diffusion` is the larger one; `feed` and `kill` the largest where they vary.
SHARED_INLINE float grayScottLongestStep(float diffusion, float cellSize, float feed, float kill) {
    return 2.0f / (16.0f * diffusion / (3.0f * cellSize * cellSize) + feed + max(kill, 0.25f));
}

/// The smallest cells for which a step is stable; 0 where no cells are small enough to matter, below 0 where the step
/// is too long for any.
SHARED_INLINE float grayScottSmallestCell(float diffusion, float step, float feed, float kill) {
    float left = 2.0f / step - feed - max(kill, 0.25f);
    return left > 0.0f ? sqrt(16.0f * diffusion / (3.0f * left)) : -1.0f;
}

SHARED_END
#endif
