#version 460
#include "shared/lang.h"

// Makes a ray from where each of others hit, by cosine about the face's normal or towards a light. Where a ray hit
// nothing, or faces away from the light, there is none; it keeps its place.

#include "stream/stream_records.glsl"

layout(push_constant, scalar) uniform Push {
    StreamScatterPush push;
};

vec3 directionFrom(vec3 normal, uint pixel) {
    if (push.kind == STREAM_SCATTER_LIGHT) {
        return push.light;
    }
    Rng rng;
    rng.seed = push.seed;
    rng.pixel = pixel;
    rng.index = push.bounce;
    rng.dimension = 0u;
    vec4 u = rngNext(rng);
    return fromLocal(normal, sampleCosineHemisphere(u.xy));
}

void main() {
    uint i = invocationIndex();
    if (i >= push.count) {
        return;
    }
    RayRecord from = AT(RayRecord, push.source, i);
    RayRecord ray = noRay(rayPixel(from));
    if (isRay(from) != 0u) { // else it has no hit either
        HitRecord hit = AT(HitRecord, push.hits, i);
        vec3 normal = faceNormal(hitFace(hit));
        vec3 direction = directionFrom(normal, rayPixel(from));
        if (dot(normal, direction) > 0.0) {
            ray = rayFromHit(push.octree, from, hit, direction);
        }
    }
    storeRay(push.target, i, ray);
}
