// Depths for tiles of a picture, seen through a pinhole or a lens, before which none of their rays can meet anything:
// coarse cells of the octree are drawn as boxes into a picture of tiles, which keeps the nearest. Rays then start
// there. Through a lens a point is seen within its circle of confusion, by which its box is widened. Beam optimisation
// (Laine and Karras, "Efficient Sparse Voxel Octrees", 2010) finds such depths by casting; drawing them takes one
// thread a cell and no step through the tree.
#ifndef AUREOLE_SHARED_COARSE_DEPTH_H
#define AUREOLE_SHARED_COARSE_DEPTH_H

#include "shared/octree/traversal.h"
#include "shared/path/camera.h"
#include "shared/path/pixel_tiles.h"

SHARED_BEGIN

/// A coarse tile is so many tiles of pixels wide and high: 8x8 pixels.
#define COARSE_TILE_COLUMNS 1u
#define COARSE_TILE_ROWS 2u

/// The depth of tiles that nothing is drawn to: the bits of infinity.
#define COARSE_NOTHING 0x7F800000u
/// The first word holds for all tiles; those of the tiles follow, row by row.
#define COARSE_FIRST_TILE 1u

/// A cube of 2^shift voxels a side that holds something solid: x | y << 16 of its lowest voxel; z | shift << 16.
struct CoarseCell {
    uvec2 words;
};
SHARED_ARRAY(CoarseCell, 8)

/// One dispatch of coarse_depth.comp.
struct CoarseDepthPush {
    uint64_t camera; ///< CameraParams, in grid units, of a perspective
    uint64_t cells;  ///< CoarseCell
    uint64_t depths; ///< uint: bits of distances in grid units, coarseWords of them
    uint count;      ///< cells
    float voxel;     ///< side of one, in grid units
    float margin;    ///< how far rays may leave their pixel's square, in pixels
    uint padding;
};

SHARED_INLINE uvec2 coarseTiles(uvec2 size) {
    uvec2 tiles = pathTiles(size);
    return uvec2((tiles.x + COARSE_TILE_COLUMNS - 1u) / COARSE_TILE_COLUMNS,
                 (tiles.y + COARSE_TILE_ROWS - 1u) / COARSE_TILE_ROWS);
}

SHARED_INLINE uint coarseWords(uvec2 size) {
    uvec2 tiles = coarseTiles(size);
    return COARSE_FIRST_TILE + tiles.x * tiles.y;
}

/// The word of the coarse tile that a tile of pixels, by its number, is in; `across` tiles of pixels are in a row.
SHARED_INLINE uint coarseWord(uint tile, uint across) {
    uint row = tile / across;
    uint column = tile - row * across;
    uint columns = (across + COARSE_TILE_COLUMNS - 1u) / COARSE_TILE_COLUMNS;
    return COARSE_FIRST_TILE + (row / COARSE_TILE_ROWS) * columns + column / COARSE_TILE_COLUMNS;
}

/// The word of the coarse tile that a pixel of a picture of that size is in.
SHARED_INLINE uint coarseWordOfPixel(uvec2 size, uvec2 pixel) {
    uint row = pixel.y / (PATH_TILE_HEIGHT * COARSE_TILE_ROWS);
    uint column = pixel.x / (PATH_TILE_WIDTH * COARSE_TILE_COLUMNS);
    return COARSE_FIRST_TILE + row * coarseTiles(size).x + column;
}

SHARED_INLINE vec3 coarseLow(CoarseCell cell, float voxel) {
    return vec3(1.0f + float(cell.words.x & 0xFFFFu) * voxel, 1.0f + float(cell.words.x >> 16u) * voxel,
                1.0f + float(cell.words.y & 0xFFFFu) * voxel);
}

SHARED_INLINE float coarseSide(CoarseCell cell, float voxel) {
    return float(1u << (cell.words.y >> 16u)) * voxel;
}

/// The distance from a point to the nearest of a box.
SHARED_INLINE float distanceToBox(vec3 point, vec3 low, vec3 high) {
    return length(max(max(low - point, point - high), vec3(0.0f)));
}

/// Where a box is seen.
struct CoarseBounds {
    uint kind; ///< COARSE_
    uvec2 first;
    uvec2 last; ///< coarse tiles, included
};

#define COARSE_NOWHERE 0u
#define COARSE_TILES 1u      ///< in the tiles from `first` to `last`
#define COARSE_EVERYWHERE 2u ///< about the eye itself, or blurred over so many tiles that drawing them takes too long

/// The most tiles that a box is drawn to.
#define COARSE_MOST_TILES 1024u

/// What a point of the grid, seen from somewhere, is moved by at most: the roundings of rays and of what is reckoned
/// here, as a part of its distance (2^-19, of which 2^-20 can be shown) and of the grid (2 ulps).
SHARED_INLINE float coarseRounding(float distance) {
    float part = 1.9073486e-6f; // 2^-19
    return part * (0.125f + distance);
}

/// The coarse tile about a place in a picture of that size, in pixels; of one outside, the nearest.
SHARED_INLINE uvec2 coarseTileAt(vec2 size, vec2 place) {
    vec2 inside = clamp(place, vec2(0.0f), size - vec2(1.0f));
    return uvec2(uint(inside.x) / (PATH_TILE_WIDTH * COARSE_TILE_COLUMNS),
                 uint(inside.y) / (PATH_TILE_HEIGHT * COARSE_TILE_ROWS));
}

/// What tells where a camera sees a point: the depth of one is its dot product with `forward`, its place across that
/// with `right` and with `up`, over its depth, in halves of the picture.
struct CoarseView {
    vec3 eye;
    vec3 right;
    vec3 up;
    vec3 forward;
    vec2 size;          ///< of the picture, in pixels
    vec2 blur;          ///< from another point of the lens, what is in focus is seen at the same place, all else beside
    float inverseFocus; ///< it; 0, both, without a lens
};

SHARED_INLINE CoarseView coarseView(uint64_t camera) {
    CoarseView view;
    view.eye = AT(CameraParams, camera, 0).position;
    view.right = AT(CameraParams, camera, 0).right;
    view.up = AT(CameraParams, camera, 0).up;
    view.forward = AT(CameraParams, camera, 0).forward;
    uvec2 pixels = uvec2(AT(CameraParams, camera, 0).size.x, AT(CameraParams, camera, 0).size.y);
    view.size = vec2(float(pixels.x), float(pixels.y));
    view.right = view.right / dot(view.right, view.right);
    view.up = view.up / dot(view.up, view.up);
    float lens = AT(CameraParams, camera, 0).apertureRadius;
    view.blur = lens * vec2(length(view.right), length(view.up));
    view.inverseFocus = lens > 0.0f ? 1.0f / AT(CameraParams, camera, 0).focusDistance : 0.0f;
    return view;
}

/// Where the corners of a box are seen.
struct CoarseCorners {
    float nearest; ///< this and the next: depths
    float farthest;
    vec2 least; ///< this and the next: places across
    vec2 most;
    vec2 outside; ///< beyond the planes through the eye and the picture's edges, where above 0
};

/// `edge` is where the picture's edges are, with a margin.
SHARED_INLINE CoarseCorners coarseCorners(CoarseView view, vec3 low, float side, vec2 edge) {
    CoarseCorners seen;
    seen.nearest = 1e30f;
    seen.farthest = -1e30f;
    seen.least = vec2(1e30f);
    seen.most = vec2(-1e30f);
    vec2 leastBeyond = vec2(1e30f); // of the picture's right and top edges
    vec2 leastBefore = vec2(1e30f); // and its left and bottom ones
    for (uint i = 0u; i < 8u; i++) {
        vec3 corner = low + side * vec3(float(i & 1u), float((i >> 1u) & 1u), float(i >> 2u)) - view.eye;
        float depth = dot(corner, view.forward);
        vec2 across = vec2(dot(corner, view.right), dot(corner, view.up));
        seen.nearest = min(seen.nearest, depth);
        seen.farthest = max(seen.farthest, depth);
        vec2 reach = edge * depth + view.blur * abs(1.0f - depth * view.inverseFocus);
        leastBeyond = min(leastBeyond, across - reach);
        leastBefore = min(leastBefore, vec2(0.0f) - across - reach);
        vec2 place = across / depth;
        seen.least = min(seen.least, place);
        seen.most = max(seen.most, place);
    }
    seen.outside = max(leastBeyond, leastBefore);
    return seen;
}

/// The coarse tiles with a ray to a box: all of them, and perhaps some more.
SHARED_INLINE CoarseBounds coarseBounds(uint64_t camera, vec3 low, float side, float margin) {
    CoarseView view = coarseView(camera);
    CoarseCorners seen = coarseCorners(view, low, side, vec2(1.0f) + 2.0f * vec2(margin) / view.size);
    float rounding = coarseRounding(length(max(abs(low - view.eye), abs(low + vec3(side) - view.eye))));
    vec2 roundings = rounding * vec2(1.0f + length(view.right), 1.0f + length(view.up)); // across, of points in view
    CoarseBounds bounds;
    bounds.kind = COARSE_TILES;
    bounds.first = uvec2(0u);
    bounds.last = uvec2(0u);
    vec2 outside = seen.outside - roundings;
    if (seen.farthest < -rounding || max(outside.x, outside.y) > 0.0f) {
        bounds.kind = COARSE_NOWHERE;
        return bounds;
    }
    if (seen.nearest <= rounding) {
        bounds.kind = COARSE_EVERYWHERE;
        return bounds;
    }
    // Rows run downwards.
    float confusion = max(abs(1.0f / seen.nearest - view.inverseFocus), abs(1.0f / seen.farthest - view.inverseFocus));
    vec2 around = vec2(margin) + 0.5f * view.size * (roundings / seen.nearest + view.blur * confusion);
    vec2 topLeft = vec2(0.5f + 0.5f * seen.least.x, 0.5f - 0.5f * seen.most.y) * view.size;
    vec2 bottomRight = vec2(0.5f + 0.5f * seen.most.x, 0.5f - 0.5f * seen.least.y) * view.size;
    bounds.first = coarseTileAt(view.size, topLeft - around);
    bounds.last = coarseTileAt(view.size, bottomRight + around);
    uvec2 tiles = bounds.last - bounds.first + uvec2(1u);
    if (AT(CameraParams, camera, 0).apertureRadius > 0.0f && tiles.x * tiles.y > COARSE_MOST_TILES) {
        bounds.kind = COARSE_EVERYWHERE;
    }
    return bounds;
}

/// Takes a ray that was just started to where `depth`, a distance from the eye, lets it start; it comes through a lens
/// of radius `lens` about the eye. Returns TRAVERSAL_MISS where that is outside the grid. What it hits is the same, but
/// where it goes through an edge: the points before are empty, and so is that one, by more than the roundings.
SHARED_INLINE uint coarseStart(INOUT(Traversal, state), vec3 eye, float lens, float depth) {
    float rounding = 3.8146973e-6f; // 2^-18
    float travelled = length(state.origin - mirrorPoint(eye, state.mirrorAxes));
    // Each of both distances, that of the start and that of the depth, is told from the eye, up to `lens` beside.
    float ahead = depth - travelled - 2.0f * lens - rounding * (1.0f + depth);
    if (!(ahead > 0.0f)) {
        return TRAVERSAL_RUNNING;
    }
    PRECISE vec3 passed = state.direction * ahead;
    PRECISE vec3 point = state.origin + passed;
    if (max(point.x, max(point.y, point.z)) >= 2.0f) {
        return TRAVERSAL_MISS;
    }
    state.position = floatBitsToUint(point);
    return TRAVERSAL_RUNNING;
}

SHARED_END
#endif
