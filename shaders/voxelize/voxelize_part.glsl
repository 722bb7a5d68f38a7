// The part of a triangle in a voxel, and the sample that it gives: the arithmetic of voxel/build/clip.h,
// voxel/surface/triangle_sampler.h and scene/surface.cpp, in their order. One polygon is at hand at a time.
#ifndef AUREOLE_VOXELIZE_PART_GLSL
#define AUREOLE_VOXELIZE_PART_GLSL

#include "voxelize/voxelize.glsl"

#include "shared/voxelize/edges.h"
#include "shared/voxelize/plane_merge.h"

/// A triangle cut by up to six planes has at most nine corners.
#define PART_MOST 12u

// The polygon stands in one half of the array, the one that it is cut from in the other.
dvec3 partPoints[2u * PART_MOST];
uint partBase;
uint partCount;

dvec3 partPoint(uint i) {
    return partPoints[partBase + i];
}

double along(dvec3 v, uint axis) {
    return axis == 0u ? v.x : (axis == 1u ? v.y : v.z);
}

double insideBound(dvec3 point, uint axis, bool upTo, double bound) {
    return upTo ? bound - along(point, axis) : along(point, axis) - bound;
}

/// Cuts the polygon at hand, which has a corner, by a plane.
void clipToHalfSpace(uint axis, bool upTo, double bound) {
    uint target = PART_MOST - partBase;
    uint count = 0u;
    dvec3 from = partPoint(0u);
    double fromInside = insideBound(from, axis, upTo, bound);
    double firstInside = fromInside;
    for (uint i = 0u; i < partCount; ++i) {
        bool last = i + 1u == partCount;
        dvec3 to = partPoint(last ? 0u : i + 1u);
        double toInside = last ? firstInside : insideBound(to, axis, upTo, bound);
        if (fromInside >= WIDE(0.0) && count < PART_MOST) {
            partPoints[target + count] = from;
            ++count;
        }
        bool leaves = fromInside > WIDE(0.0) && toInside < WIDE(0.0);
        bool enters = fromInside < WIDE(0.0) && toInside > WIDE(0.0);
        if ((leaves || enters) && count < PART_MOST) {
            precise double share = fromInside / (fromInside - toInside);
            precise dvec3 cut = from + (to - from) * share;
            partPoints[target + count] =
                dvec3(axis == 0u ? bound : cut.x, axis == 1u ? bound : cut.y, axis == 2u ? bound : cut.z);
            ++count;
        }
        from = to;
        fromInside = toInside;
    }
    partBase = target;
    partCount = count;
}

/// Cuts the polygon at hand to what lies from `low` to one more.
void clipToSlab(uint axis, double low) {
    double high = low + WIDE(1.0);
    double lowest = high;
    double highest = low;
    for (uint i = 0u; i < partCount; ++i) {
        double place = along(partPoint(i), axis);
        lowest = min(lowest, place);
        highest = max(highest, place);
    }
    for (uint side = 0u; side < 2u; ++side) { // a loop, as compilers write out what is called twice
        bool upTo = side == 1u;
        if (upTo ? highest > high : lowest < low) {
            clipToHalfSpace(axis, upTo, upTo ? high : low);
        }
    }
}

/// Makes the part of a triangle in a voxel of a block the polygon at hand. Where rounding leaves nothing, it is empty.
void takePart(VoxelTriangle triangle, ivec3 block, uvec3 cell) {
    partBase = 0u;
    partCount = 3u;
    partPoints[0] = cornerFrom(triangle.first, block);
    partPoints[1] = cornerFrom(triangle.second, block);
    partPoints[2] = cornerFrom(triangle.third, block);
    for (uint slab = 0u; slab < 3u; ++slab) {
        uint axis = 2u - slab;
        clipToSlab(axis, along(dvec3(cell), axis));
    }
}

/// Of two vectors, along the axes other than `axis`.
double crossAlong(uint axis, dvec3 p, dvec3 q) {
    uint a = axis == 2u ? 0u : axis + 1u;
    uint b = axis == 0u ? 2u : axis - 1u;
    precise double result = along(p, a) * along(q, b) - along(p, b) * along(q, a);
    return result;
}

/// The middle of the polygon at hand, which has a corner, and its area.
dvec3 partMiddle(VoxelTriangle triangle, out double area) {
    precise double sum = WIDE(0.0);
    precise dvec3 moment = dvec3(WIDE(0.0));
    dvec3 a = partPoint(0u);
    dvec3 b = partPoint(1u);
    for (uint i = 2u; i < partCount; ++i) {
        dvec3 c = partPoint(i);
        precise dvec3 ab = b - a;
        precise dvec3 ac = c - a;
        precise double piece = abs(crossAlong(triangle.axis, ab, ac)) * triangle.areaScale;
        precise dvec3 both = ab + c - a;
        sum = sum + piece;
        moment = moment + piece * both;
        b = c;
    }
    area = sum;
    precise dvec3 middle = a;
    if (sum > WIDE(0.0)) {
        precise double share = WIDE(3.0) * sum;
        middle = a + moment / share;
    }
    return middle;
}

/// The second and third barycentric coordinate of a point, moved into the triangle.
vec2 barycentricOf(VoxelTriangle triangle, ivec3 block, dvec3 point) {
    if (triangle.twiceProjected == WIDE(0.0)) {
        return vec2(dvec2(WIDE(1.0) / WIDE(3.0)));
    }
    dvec3 first = cornerFrom(triangle.first, block);
    precise dvec3 edge1 = cornerFrom(triangle.second, block) - first;
    precise dvec3 edge2 = cornerFrom(triangle.third, block) - first;
    precise dvec3 p = point - first;
    precise dvec2 weights =
        max(dvec2(crossAlong(triangle.axis, p, edge2), crossAlong(triangle.axis, edge1, p)) / triangle.twiceProjected,
            dvec2(WIDE(0.0)));
    double sum = weights.x + weights.y;
    return vec2(sum > WIDE(1.0) ? weights / sum : weights);
}

/// The point of a triangle beside another one, along its main axis, or on its border where that misses it; the other
/// one where the triangle has no area.
dvec3 pointBeside(VoxelTriangle triangle, ivec3 block, dvec3 point) {
    if (triangle.twiceProjected == WIDE(0.0)) {
        return point;
    }
    dvec2 weights = dvec2(barycentricOf(triangle, block, point));
    dvec3 first = cornerFrom(triangle.first, block);
    precise dvec3 edge1 = cornerFrom(triangle.second, block) - first;
    precise dvec3 edge2 = cornerFrom(triangle.third, block) - first;
    precise dvec3 beside = first + weights.x * edge1 + weights.y * edge2;
    return beside;
}

vec3 instanceNormal(VoxelMeshInstance instance, vec3 normal) {
    precise dvec3 turned = instance.cofactorX * double(normal.x) + instance.cofactorY * double(normal.y) +
                           instance.cofactorZ * double(normal.z);
    double size = wideLength(turned);
    return size > WIDE(0.0) ? vec3(turned / size) : normal;
}

vec3 normalAt(VoxelTriangle triangle, VoxelMeshInstance instance, vec2 uv) {
    if (instance.hasNormals == 0u) {
        return triangle.firstNormal;
    }
    precise vec3 weight = vec3(1.0f - uv.x - uv.y, uv.x, uv.y);
    precise vec3 normal =
        triangle.firstNormal * weight.x + triangle.secondNormal * weight.y + triangle.thirdNormal * weight.z;
    if (!(plainDot(normal, normal) > 1e-12f)) {
        return triangle.geometricNormal; // opposite ones cancel
    }
    dvec3 wide = dvec3(normal);
    return instanceNormal(instance, vec3(wide / sqrt(wideDot(wide, wide))));
}

/// What of a sample takes long to find.
struct PartFound {
    double area;
    vec3 position; ///< in voxels from the block's corner
    vec3 normal;
};

/// Makes the part of a triangle in a voxel the polygon at hand, and finds its middle.
PartFound findPart(VoxelTriangle triangle, ivec3 block, uint bit) {
    uvec3 cell = bitCell(bit);
    takePart(triangle, block, cell);
    PartFound found;
    found.area = WIDE(0.0);
    dvec3 position =
        partCount == 0u ? pointBeside(triangle, block, dvec3(cell) + WIDE(0.5)) : partMiddle(triangle, found.area);
    VoxelMeshInstance instance = AT(VoxelMeshInstance, WORK(instances), triangle.instance);
    found.normal = normalAt(triangle, instance, barycentricOf(triangle, block, position));
    found.position = vec3(position);
    return found;
}

/// The sample of a triangle in a voxel.
SurfaceSample sampleOf(VoxelTriangle triangle, PartFound found, uint bit) {
    VoxelMeshInstance instance = AT(VoxelMeshInstance, WORK(instances), triangle.instance);
    VoxelConstants constants = AT(VoxelConstants, WORK(constants), instance.material);
    SurfaceSample part;
    part.point.normal = found.normal;
    part.point.geometricNormal = plainDot(triangle.geometricNormal, part.point.normal) < 0.0f
                                     ? -triangle.geometricNormal
                                     : triangle.geometricNormal;
    part.point.albedo = constants.albedo;
    part.point.roughness = constants.roughness;
    part.point.metalness = constants.metalness;
    part.point.emission = constants.emission;
    part.point.material = instance.material;
    part.point.opaque = 1u;
    part.bit = bit;
    part.exactEmission = 1u;
    part.hasArea = triangle.twiceProjected != WIDE(0.0) ? 1u : 0u;
    part.weight = found.area + SURFACE_GRAZE_WEIGHT;
    part.position = found.position;
    part.plane = plainDot(triangle.plane, part.point.geometricNormal) < 0.0f ? -triangle.plane : triangle.plane;
    return part;
}

/// The samples of a block from one on, fragment by fragment. All are gone through in one loop: in a loop for the bits
/// of each fragment, the invocations of a subgroup would wait for each other at every fragment, and take together far
/// more iterations than any of them has samples.
struct SamplesLeft {
    uint64_t mask; ///< of the fragment at hand; a fragment without voxels has no sample
    uint fragment;
    uint end;
};

SamplesLeft samplesOf(uint first, uint end) {
    SamplesLeft left;
    left.mask = first < end ? wholeMask(AT(VoxelFragment, WORK(fragments), first).mask) : uint64_t(0);
    left.fragment = first;
    left.end = end;
    return left;
}

void nextSample(inout SamplesLeft left) {
    left.mask &= left.mask - uint64_t(1);
    if (left.mask == uint64_t(0) && ++left.fragment < left.end) {
        left.mask = wholeMask(AT(VoxelFragment, WORK(fragments), left.fragment).mask);
    }
}

/// Where the polygon at hand is empty, makes its triangle that.
void takeTriangleForNone(VoxelTriangle triangle, ivec3 block) {
    if (partCount == 0u) {
        partBase = 0u;
        partCount = 3u;
        partPoints[0] = cornerFrom(triangle.first, block);
        partPoints[1] = cornerFrom(triangle.second, block);
        partPoints[2] = cornerFrom(triangle.third, block);
    }
}

/// Adds the corners of the polygon at hand, or of its triangle where that is empty.
void addCorners(inout EdgeFinder finder, VoxelTriangle triangle, ivec3 block, uint bit) {
    takeTriangleForNone(triangle, block);
    dvec3 low = dvec3(bitCell(bit));
    for (uint i = 0u; i < partCount; ++i) {
        addEdgeCorner(finder, partPoint(i), partPoint(i) - low, triangle.plane);
    }
}

/// Adds the heights of those corners over a cell's middle, which counts from where `low`, the block's corner, does.
void addHeights(inout SlabHeights heights, VoxelTriangle triangle, ivec3 block, dvec3 low, dvec3 across, dvec3 middle) {
    takeTriangleForNone(triangle, block);
    for (uint i = 0u; i < partCount; ++i) {
        precise dvec3 corner = partPoint(i) + low;
        precise dvec3 apart = corner - middle;
        addHeight(heights, wideDot(across, apart));
    }
}

#endif
