#version 460
#include "shared/lang.h"

// Makes the rays of a camera through the centres of its pixels, in tiles of 8 x 4, row by row within a tile and tile by
// tile. Tiles that stick out of the picture have fewer rays: the others are none.

#include "stream_records.glsl"

layout(push_constant, scalar) uniform Push {
    StreamCameraPush push;
};

const uvec2 kTile = uvec2(8u, 4u);

void main() {
    uint i = streamIndex();
    if (i >= push.count) {
        return;
    }
    uvec2 size = AT(CameraParams, push.camera, 0).size;
    uint tilesAcross = (size.x + kTile.x - 1u) / kTile.x;
    uint tile = i / (kTile.x * kTile.y);
    uint within = i % (kTile.x * kTile.y);
    uvec2 pixel = uvec2(tile % tilesAcross, tile / tilesAcross) * kTile + uvec2(within % kTile.x, within / kTile.x);
    RayRecord ray = noRay(STREAM_NO_PIXEL);
    if (pixel.x < size.x && pixel.y < size.y) {
        CameraRay seen = sampleCamera(push.camera, pixel, vec2(0.5), vec2(0.5));
        ray = rayFromCamera(push.octree, seen, push.boxLow, push.boxHigh, pixel.y * size.x + pixel.x);
    }
    storeRay(push.target, i, ray);
}
