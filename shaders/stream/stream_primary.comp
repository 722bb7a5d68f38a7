#version 460
#include "shared/lang.h"

// Makes the rays of a camera through the centres of its pixels, tile by tile as the path tracer does. Tiles that stick
// out of the picture have fewer rays: the others are none.

#include "shared/path/pixel_tiles.h"
#include "stream/stream_records.glsl"

layout(push_constant, scalar) uniform Push {
    StreamCameraPush push;
};

void main() {
    uint i = invocationIndex();
    if (i >= push.count) {
        return;
    }
    // By components, as sampleCamera reads it: lavapipe (Mesa 22.3) takes the second of a vector read before as a whole
    // for its first.
    uvec2 size = uvec2(AT(CameraParams, push.camera, 0).size.x, AT(CameraParams, push.camera, 0).size.y);
    uvec2 pixel = pathItemPixel(size, uint64_t(0), i);
    RayRecord ray = noRay(STREAM_NO_PIXEL);
    if (pixel.x < size.x && pixel.y < size.y) {
        CameraRay seen = sampleCamera(push.camera, pixel, vec2(0.5), vec2(0.5));
        ray = rayFromCamera(push.octree, seen, push.boxLow, push.boxHigh, pixel.y * size.x + pixel.x);
    }
    storeRay(push.target, i, ray);
}
