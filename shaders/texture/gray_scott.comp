// Several steps of the Gray-Scott model at once. A workgroup loads a tile with a halo as wide as the steps are many;
// what is known shrinks by a cell a step. Each invocation keeps a block of 4 x ROWS cells in registers and passes those
// at its edges on through workgroup memory. Temporal blocking: Nguyen et al., "3.5-D Blocking Optimization for Stencil
// Computations on Modern CPUs and GPUs" (SC 2010). Host side: src/texture/gray_scott_solver.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/gray_scott.h"
#include "shared/specialization.h"

layout(local_size_x_id = SPEC_GRAY_SCOTT_LANES_X, local_size_y_id = SPEC_GRAY_SCOTT_LANES_Y) in;
layout(constant_id = SPEC_GRAY_SCOTT_LANES_X) const uint kLanesX = 16u;
layout(constant_id = SPEC_GRAY_SCOTT_LANES_Y) const uint kLanesY = 8u;
layout(constant_id = SPEC_GRAY_SCOTT_HALO) const uint kHalo = 1u;
layout(constant_id = SPEC_GRAY_SCOTT_HALVES) const uint kHalves = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_VARYING) const uint kVarying = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_BORDER) const uint kBorder = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_TIMED) const uint kTimed = 0u;

const uint kColumns = 4u; // of a block: a row is loaded at once
const uint kLanes = kLanesX * kLanesY;
const uint kHaloX = (kHalo + 3u) / 4u * 4u; // whole blocks
// What an invocation passes on: its left column, its right one, and what is between them of its first and last row.
const uint kRight = ROWS;
const uint kTop = 2u * ROWS;
const uint kBottom = kTop + 2u;
const uint kPassed = kBottom + 2u;

layout(push_constant, scalar) uniform Push {
    GrayScottPush push;
};

#include "texture/gray_scott_memory.glsl"
#include "texture/gray_scott_time.glsl"

shared vec2 passed[kPassed * kLanes];

vec2 cells[ROWS * 4];
uint starts[ROWS]; // the cells at which the rows of the plane begin that the block lies in

void loadHalves(uint row, uint first) {
    uvec4 four = HalfCells(push.source + 4ul * first).values;
    [[unroll]] for (uint c = 0u; c < 4u; ++c) {
        cells[4u * row + c] = unpackHalf2x16(four[c]);
    }
}

void loadFloats(uint row, uint first) {
    FloatCells from = FloatCells(push.source + 8ul * first);
    vec4 a = from.values[0];
    vec4 b = from.values[1];
    cells[4u * row] = vec2(a.x, a.y);
    cells[4u * row + 1u] = vec2(a.z, a.w);
    cells[4u * row + 2u] = vec2(b.x, b.y);
    cells[4u * row + 3u] = vec2(b.z, b.w);
}

void loadBlock(ivec2 corner, uvec4 columns) {
    [[unroll]] for (uint row = 0u; row < ROWS; ++row) {
        starts[row] = grayScottPlace(corner.y + int(row), push.height, kBorder) * push.pitch;
    }
    // A loop for each case: glslc unrolls none with branches inside, and then cells would not be registers.
    if (corner.x < 0 || uint(corner.x) + kColumns > push.width) {
        [[unroll]] for (uint i = 0u; i < 4u * ROWS; ++i) {
            cells[i] = loadCell(push.source, starts[i / 4u] + columns[i % 4u]);
        }
    } else if (kHalves != 0u) {
        [[unroll]] for (uint row = 0u; row < ROWS; ++row) {
            loadHalves(row, starts[row] + columns.x);
        }
    } else {
        [[unroll]] for (uint row = 0u; row < ROWS; ++row) {
            loadFloats(row, starts[row] + columns.x);
        }
    }
}

/// Stores what of the block lies within the tile's middle and the picture; the padding of its rows may be overwritten.
void storeBlock(ivec2 corner) {
    uvec2 inTile = gl_LocalInvocationID.xy * uvec2(kColumns, ROWS);
    if (inTile.x < kHaloX || inTile.x >= kColumns * kLanesX - kHaloX || uint(corner.x) >= push.width) {
        return;
    }
    [[unroll]] for (uint row = 0u; row < ROWS; ++row) {
        uint y = uint(corner.y + int(row));
        uint tileY = inTile.y + row;
        if (tileY >= kHalo && tileY < ROWS * kLanesY - kHalo && y < push.height) {
            uint first = y * push.pitch + uint(corner.x);
            vec2 a = cells[4u * row];
            vec2 b = cells[4u * row + 1u];
            vec2 c = cells[4u * row + 2u];
            vec2 d = cells[4u * row + 3u];
            if (kHalves != 0u) {
                HalfCells(push.target + 4ul * first).values =
                    uvec4(packHalf2x16(a), packHalf2x16(b), packHalf2x16(c), packHalf2x16(d));
            } else {
                FloatCells to = FloatCells(push.target + 8ul * first);
                to.values[0] = vec4(a, b);
                to.values[1] = vec4(c, d);
            }
        }
    }
}

void pass(uint lane) {
    [[unroll]] for (uint row = 0u; row < ROWS; ++row) {
        passed[row * kLanes + lane] = cells[4u * row];
        passed[(kRight + row) * kLanes + lane] = cells[4u * row + 3u];
    }
    [[unroll]] for (uint c = 0u; c < 2u; ++c) {
        passed[(kTop + c) * kLanes + lane] = cells[1u + c];
        passed[(kBottom + c) * kLanes + lane] = cells[4u * (ROWS - 1u) + 1u + c];
    }
}

vec2 sums[3 * 4]; // along x: of the row above, the row and the row below

void sumRow(uint at, vec2 left, vec2 a, vec2 b, vec2 c, vec2 d, vec2 right) {
    sums[4u * at] = grayScottSum(left, a, b);
    sums[4u * at + 1u] = grayScottSum(a, b, c);
    sums[4u * at + 2u] = grayScottSum(b, c, d);
    sums[4u * at + 3u] = grayScottSum(c, d, right);
}

/// Of a row of the invocation's own.
void sumOwnRow(uint at, uint row, uint left, uint right) {
    sumRow(at, passed[(kRight + row) * kLanes + left], cells[4u * row], cells[4u * row + 1u], cells[4u * row + 2u],
           cells[4u * row + 3u], passed[row * kLanes + right]);
}

/// Of the last row of the lanes above, or the first of those below: `own` lies between its neighbours.
void sumOtherRow(uint at, uint row, uint inner, uint left, uint own, uint right) {
    sumRow(at, passed[(kRight + row) * kLanes + left], passed[row * kLanes + own], passed[inner * kLanes + own],
           passed[(inner + 1u) * kLanes + own], passed[(kRight + row) * kLanes + own], passed[row * kLanes + right]);
}

void main() {
    ivec2 tile = ivec2(gl_WorkGroupID.xy * uvec2(kColumns * kLanesX - 2u * kHaloX, ROWS * kLanesY - 2u * kHalo));
    ivec2 corner = tile - ivec2(kHaloX, kHalo) + ivec2(gl_LocalInvocationID.xy * uvec2(kColumns, ROWS));
    uvec4 columns;
    [[unroll]] for (uint c = 0u; c < 4u; ++c) {
        columns[c] = grayScottPlace(corner.x + int(c), push.width, kBorder);
    }
    loadBlock(corner, columns);

    // Lanes at the tile's border take themselves for the neighbours that they lack: what comes of it stays in the halo.
    uint lane = gl_LocalInvocationIndex;
    uint toLeft = gl_LocalInvocationID.x > 0u ? 1u : 0u;
    uint toRight = gl_LocalInvocationID.x + 1u < kLanesX ? 1u : 0u;
    uint above = lane - (gl_LocalInvocationID.y > 0u ? kLanesX : 0u);
    uint below = lane + (gl_LocalInvocationID.y + 1u < kLanesY ? kLanesX : 0u);
    for (uint step = 0u; step < push.steps; ++step) {
        if (step > 0u) {
            barrier(); // the others have read what was passed on before
        }
        pass(lane);
        barrier();
        vec2 keepNow = keepAt(push.firstStep + step);
        sumOtherRow(0u, ROWS - 1u, kBottom, above - toLeft, above, above + toRight);
        sumOwnRow(1u, 0u, lane - toLeft, lane + toRight);
        [[unroll]] for (uint row = 0u; row < ROWS; ++row) {
            if (row + 1u < ROWS) {
                sumOwnRow(2u, row + 1u, lane - toLeft, lane + toRight);
            } else {
                sumOtherRow(2u, 0u, kTop, below - toLeft, below, below + toRight);
            }
            [[unroll]] for (uint c = 0u; c < 4u; ++c) {
                vec2 keep =
                    kVarying != 0u ? keepNow - FloatCell(push.rates + 8ul * (starts[row] + columns[c])).value : keepNow;
                cells[4u * row + c] =
                    grayScottStep(cells[4u * row + c], grayScottSum(sums[c], sums[4u + c], sums[8u + c]), keep,
                                  push.spread, push.step);
                sums[c] = sums[4u + c];
                sums[4u + c] = sums[8u + c];
            }
        }
    }
    storeBlock(corner);
}
