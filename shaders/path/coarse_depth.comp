#version 460
#include "shared/lang.h"

// Draws coarse cells into a picture of tiles: the distance of the nearest stays.
#define RNG_SAMPLER(rng) SAMPLER_INDEPENDENT

uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#include "shared/octree/coarse_depth.h"

layout(local_size_x = 256) in;
#include "gpu/dispatch.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Depths {
    uint at[];
};

layout(push_constant, scalar) uniform Push {
    CoarseDepthPush push;
};

void draw(uint word, uint depth) {
    // Most cells are hidden by others: a look first spares their atomic.
    if (Depths(push.depths).at[word] > depth) {
        atomicMin(Depths(push.depths).at[word], depth);
    }
}

void main() {
    uint i = invocationIndex();
    if (i >= push.count) {
        return;
    }
    CoarseCell cell = AT(CoarseCell, push.cells, i);
    vec3 low = coarseLow(cell, push.voxel);
    float side = coarseSide(cell, push.voxel);
    CoarseBounds bounds = coarseBounds(push.camera, low, side, push.margin);
    if (bounds.kind == COARSE_NOWHERE) {
        return;
    }
    uint depth = floatBitsToUint(distanceToBox(AT(CameraParams, push.camera, 0).position, low, low + vec3(side)));
    if (bounds.kind == COARSE_EVERYWHERE) {
        draw(0u, depth);
        return;
    }
    uint columns =
        coarseTiles(uvec2(AT(CameraParams, push.camera, 0).size.x, AT(CameraParams, push.camera, 0).size.y)).x;
    for (uint y = bounds.first.y; y <= bounds.last.y; ++y) {
        for (uint x = bounds.first.x; x <= bounds.last.x; ++x) {
            draw(COARSE_FIRST_TILE + y * columns + x, depth);
        }
    }
}
