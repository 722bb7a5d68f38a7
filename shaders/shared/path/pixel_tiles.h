// The order in which work on pixels is handed out.
#ifndef AUREOLE_SHARED_PIXEL_TILES_H
#define AUREOLE_SHARED_PIXEL_TILES_H

#include "shared/lang.h"

SHARED_BEGIN

/// Pixels are walked in tiles, so that neighbouring lanes trace neighbouring pixels.
#define PATH_TILE_WIDTH 8u
#define PATH_TILE_HEIGHT 4u
#define PATH_TILE_PIXELS (PATH_TILE_WIDTH * PATH_TILE_HEIGHT)

/// Tiles of the crop along x and y, the last ones partly outside it.
SHARED_INLINE uvec2 pathTiles(uvec2 size) {
    return uvec2((size.x + PATH_TILE_WIDTH - 1u) / PATH_TILE_WIDTH,
                 (size.y + PATH_TILE_HEIGHT - 1u) / PATH_TILE_HEIGHT);
}

/// The pixel of the item `within` a batch, relative to the crop of that size; it may lie outside.
SHARED_INLINE uvec2 pathItemPixel(uvec2 size, uint64_t tiles, uint within) {
    uint tile = within / PATH_TILE_PIXELS;
    uint inTile = within % PATH_TILE_PIXELS;
    if (tiles != uint64_t(0)) {
        tile = AT(uint, tiles, tile);
    }
    uint tilesX = pathTiles(size).x;
    return uvec2((tile % tilesX) * PATH_TILE_WIDTH + inTile % PATH_TILE_WIDTH,
                 (tile / tilesX) * PATH_TILE_HEIGHT + inTile / PATH_TILE_WIDTH);
}

SHARED_END
#endif
