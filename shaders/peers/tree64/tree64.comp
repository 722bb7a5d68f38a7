#version 460
#include "shared/lang.h"

// Traces rays through a tree of 64-wide nodes as it is commonly done: from the root, with a stack, past one empty cell
// or an empty block of 2x2x2 of them at a time. Coordinates are those of Laine and Karras (2010), in [1, 2) and
// mirrored so that rays run upwards. Host side: src/bench/traverse/peers/tree64.

#include "peers/peer_trace.glsl"

#include "shared/specialization.h"

layout(constant_id = SPEC_TRACE_OCTREE_LEVELS) const uint kLevels = 6u;

const uint kRootShift = 21u; // a cell of the node is 2^shift ulps wide

// In workgroup memory, as who publishes such trees has it.
shared uint stack[OCTREE_MAX_LEVELS][gl_WorkGroupSize.x];
#define STACK(shift) stack[((shift) >> 1u) - 4u][gl_LocalInvocationIndex]

uint cellOf(uvec3 position, uint shift, uint mirrored) {
    return cellBit(position.x >> shift, position.y >> shift, position.z >> shift) ^ mirrored;
}

HitRecord hitAt(RayRecord ray, uvec3 position, uint axis, float distance) {
    uint last = (1u << (2u * kLevels)) - 1u;
    uvec3 cell = (position >> (23u - 2u * kLevels)) & last;
    uint axes = rayMirrorAxes(ray);
    VoxelHit hit;
    hit.voxel = uvec3((axes & 1u) != 0u ? last - cell.x : cell.x, (axes & 2u) != 0u ? last - cell.y : cell.y,
                      (axes & 4u) != 0u ? last - cell.z : cell.z);
    hit.face = axis == TRAVERSAL_NO_AXIS ? FACE_INSIDE : 2u * axis + ((axes >> axis) & 1u);
    hit.leaf = 0u;
    hit.bit = 0u;
    hit.distance = distance;
    return packHit(hit);
}

HitRecord traceRay(RayRecord ray) {
    vec3 origin = uintBitsToFloat(rayStart(ray));
    vec3 direction = rayMagnitudes(ray);
    vec3 inverse = vec3(1.0) / direction;
    uint mirrored = mirroredBits(rayMirrorAxes(ray));
    uint leafShift = 23u - 2u * kLevels;

    uvec3 position = rayStart(ray);
    uint axis = rayAxis(ray);
    float distance = 0.0;
    uint shift = kRootShift;
    uint index = 0u;
    OctreeNode node = AT(OctreeNode, push.data, index);
    uvec2 mask = uvec2(node.maskLow, node.maskHigh);
    while (true) {
        uint bit = cellOf(position, shift, mirrored);
        while (maskHasBit(mask, bit) != 0u) {
            if (shift == leafShift || node.flags != 0u) {
                return distance > push.reach ? packMiss() : hitAt(ray, position, axis, distance);
            }
            STACK(shift) = index;
            index = node.firstChild + maskRank(mask, bit);
            shift -= 2u;
            if (shift == leafShift) {
                mask = AT(uvec2, push.leaves, index);
            } else {
                node = AT(OctreeNode, push.data, index);
                mask = uvec2(node.maskLow, node.maskHigh);
            }
            bit = cellOf(position, shift, mirrored);
        }

        // To the nearest far plane of the empty cell, or block.
        uint wide = shift + (maskBlock(mask, bit) == 0u ? 1u : 0u);
        uint size = 1u << wide;
        uvec3 low = position & ~(size - 1u);
        vec3 far = (uintBitsToFloat(low + size) - origin) * inverse;
        distance = min(far.x, min(far.y, far.z));
        axis = far.x == distance ? 0u : far.y == distance ? 1u : 2u;
        uvec3 inside = clamp(floatBitsToUint(origin + direction * distance), low, low + (size - 1u));
        uvec3 next = uvec3(axis == 0u ? low.x + size : inside.x, axis == 1u ? low.y + size : inside.y,
                           axis == 2u ? low.z + size : inside.z);
        uint crossed = axis == 0u ? next.x ^ position.x : axis == 1u ? next.y ^ position.y : next.z ^ position.z;
        uint highest = highestBit(crossed);
        position = next;
        if (highest > kRootShift + 1u || distance > push.reach) {
            return packMiss();
        }
        if (highest > shift + 1u) {
            shift = (highest - 1u) | 1u;
            index = STACK(shift);
            node = AT(OctreeNode, push.data, index);
            mask = uvec2(node.maskLow, node.maskHigh);
        }
    }
    return packMiss();
}
