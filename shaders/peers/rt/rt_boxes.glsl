// What the shaders of rays through boxes of bricks share: each box is that of the voxels of a brick of BRICK_SIDE^3, 4
// or
// 8. Rays run in voxels. Host side: src/bench/traverse/peers/rt.

#extension GL_EXT_ray_tracing : require

#include "shared/lang.h"

#include "shared/octree/octree.h"
#include "shared/stream/peer_push.h"

// What a ray hit first.
struct RayEnd {
    uvec3 voxel;
    float distance; // in voxels; negative of a miss
};

layout(push_constant, scalar) uniform Push {
    PeerTracePush push;
};
