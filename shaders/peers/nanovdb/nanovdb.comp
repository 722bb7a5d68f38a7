#version 460
#include "shared/lang.h"

// Traces rays through a grid of NanoVDB's with what its portable header has: read accessor and HDDA, to the first
// active voxel. Host side: src/bench/traverse/peers/nanovdb.

#include "peers/peer_trace.glsl"

// GRID_TYPE is one of PNANOVDB_GRID_TYPE_.
#define PNANOVDB_GLSL
#define PNANOVDB_BUF_CUSTOM
#define pnanovdb_buf_t uint64_t
#define pnanovdb_grid_type_t uint
#define PNANOVDB_GRID_TYPE_GET(type, name) pnanovdb_grid_type_constants[type].name

uint pnanovdb_buf_read_uint32(pnanovdb_buf_t grid, uint offset) {
    return AT(uint, grid, offset >> 2u);
}
uvec2 pnanovdb_buf_read_uint64(pnanovdb_buf_t grid, uint offset) {
    return AT(uvec2, grid, offset >> 3u);
}

#include <nanovdb/PNanoVDB.h>

pnanovdb_readaccessor_t accessorOf(uint64_t grid) {
    pnanovdb_grid_handle_t handle;
    handle.address = pnanovdb_address_null();
    pnanovdb_readaccessor_t accessor;
    pnanovdb_readaccessor_init(accessor, pnanovdb_tree_get_root(grid, pnanovdb_grid_get_tree(grid, handle)));
    return accessor;
}

// The point where a ray starts, in voxels. Mirrored axes are turned back, and what was the lower side of the cell that
// it starts in must not become that of the next one.
vec3 startInVoxels(RayRecord ray, float side) {
    uint axes = rayMirrorAxes(ray);
    vec3 start = mirrorPoint(uintBitsToFloat(rayStart(ray)), axes);
    vec3 ulp = uintBitsToFloat(uvec3(0x34000000u));
    start -= mix(vec3(0.0), ulp, notEqual(uvec3(axes) & uvec3(1u, 2u, 4u), uvec3(0u)));
    return side * (start - 1.0);
}

// As pnanovdb_hdda_update, but for the voxel `at` that the ray is known to be in. The library's finds that again by its
// place, which on a face is as often that before, and then steps out of it by a millionth of the distance.
void enterCell(inout pnanovdb_hdda_t hdda, vec3 place, vec3 inverse, ivec3 at, int size) {
    if (hdda.dim != size) {
        hdda.dim = size;
        hdda.voxel = at & ~(size - 1);
        ivec3 ahead = hdda.voxel + mix(ivec3(0), ivec3(size), greaterThan(hdda.step, ivec3(0)));
        hdda.next = hdda.tmin + (vec3(ahead) - place) * inverse;
    }
}

HitRecord hitAt(ivec3 at, float distance) {
    VoxelHit hit;
    hit.voxel = uvec3(at);
    hit.face = FACE_INSIDE; // the HDDA does not tell
    hit.leaf = 0u;
    hit.bit = 0u;
    hit.distance = distance;
    return packHit(hit);
}

HitRecord traceRay(RayRecord ray) {
    float side = float(1u << (2u * push.levels));
    uint axes = rayMirrorAxes(ray);
    vec3 origin = startInVoxels(ray, side);
    vec3 direction = mix(rayMagnitudes(ray), -rayMagnitudes(ray), notEqual(uvec3(axes) & uvec3(1u, 2u, 4u), uvec3(0u)));
    vec3 inverse = vec3(1.0) / direction;

    pnanovdb_readaccessor_t accessor = accessorOf(push.data);
    ivec3 low = pnanovdb_root_get_bbox_min(push.data, accessor.root);
    ivec3 high = pnanovdb_root_get_bbox_max(push.data, accessor.root);
    float first = 0.0;
    float last = side * push.reach;
    if (!pnanovdb_hdda_ray_clip(vec3(low), vec3(high + 1), origin, first, direction, last) || first >= last) {
        return packMiss();
    }
    vec3 place = pnanovdb_hdda_ray_start(origin, first, direction);
    ivec3 at = clamp(pnanovdb_hdda_pos_to_ijk(place), low, high);
    int size = int(pnanovdb_readaccessor_get_dim(GRID_TYPE, push.data, accessor, at));
    pnanovdb_hdda_t hdda;
    pnanovdb_hdda_init(hdda, origin, first, direction, last, size);
    hdda.dim = 0; // so that the cell is that of the voxel within the bounds
    enterCell(hdda, place, inverse, at, size);
    while (true) {
        if (size == 1 && pnanovdb_readaccessor_is_active(GRID_TYPE, push.data, accessor, at)) {
            return hitAt(at, hdda.tmin / side);
        }
        if (!pnanovdb_hdda_step(hdda)) {
            return packMiss();
        }
        place = pnanovdb_hdda_ray_start(origin, hdda.tmin, direction);
        at = clamp(pnanovdb_hdda_pos_to_ijk(place), hdda.voxel, hdda.voxel + hdda.dim - 1);
        size = int(pnanovdb_readaccessor_get_dim(GRID_TYPE, push.data, accessor, at));
        enterCell(hdda, place, inverse, at, size);
    }
    return packMiss();
}
