// Surfaces of many voxels, added up by their areas: what the attributes of inner levels are made of. Opposing sheets do
// not cancel: the smaller side counts towards the larger one. Of several materials the one is kept that has more than
// half of the area; where none has, one that survives a vote in which they cancel each other (Boyer and Moore,
// "MJRTY", 1991), which needs no room for all of them.
#ifndef AUREOLE_SHARED_AREA_SUM_H
#define AUREOLE_SHARED_AREA_SUM_H

#include "shared/voxelize/average.h"

SHARED_BEGIN

struct AreaSum {
    double weight; ///< 0 where there is no surface
    dvec3 albedo;
    dvec3 emission;
    double roughness;
    double metalness;
    dvec3 normal;
    double facing; ///< weight on the side of `normal` minus that on the other
    double lead;   ///< of the material over the others
    uint material;
    uint padding;
};

/// A surface of some area above 0. `normal` is the surface's, of an edge the mean of both sheets' (edgeMean).
SHARED_INLINE AreaSum areaSumOf(VoxelSurface surface, vec3 normal, vec3 emission, uint material, double area) {
    AreaSum one;
    one.weight = area;
    one.albedo = area * dvec3(surface.albedo);
    one.emission = area * dvec3(emission);
    one.roughness = area * double(surface.roughness);
    one.metalness = area * double(surface.metalness);
    one.normal = area * dvec3(normal);
    one.facing = area;
    one.lead = area;
    one.material = material;
    one.padding = 0u;
    return one;
}

/// The normal that a surface has in the mean.
SHARED_INLINE vec3 meanNormal(VoxelSurface surface) {
    return isEdge(surface) != 0u ? plainNormalize(surface.geometricNormal + surface.normal) : surface.normal;
}

SHARED_INLINE void addAreaSum(INOUT(AreaSum, sum), AreaSum other) {
    // None is fused with the products that it adds.
    PRECISE dvec3 albedo = sum.albedo + other.albedo;
    PRECISE dvec3 emission = sum.emission + other.emission;
    PRECISE double roughness = sum.roughness + other.roughness;
    PRECISE double metalness = sum.metalness + other.metalness;
    sum.weight += other.weight;
    sum.albedo = albedo;
    sum.emission = emission;
    sum.roughness = roughness;
    sum.metalness = metalness;
    double cosine = wideDot(sum.normal, other.normal); // times both lengths, which are seldom needed
    bool opposes = cosine < WIDE(0.0) && cosine < SURFACE_OPPOSING * wideLength(sum.normal) * wideLength(other.normal);
    PRECISE dvec3 normal = sum.normal + (opposes ? -other.normal : other.normal);
    sum.normal = normal;
    sum.facing += opposes ? -other.facing : other.facing;
    sum.lead = sum.material == other.material ? sum.lead + other.lead : sum.lead - other.lead;
    if (sum.lead < WIDE(0.0)) {
        sum.material = other.material;
        sum.lead = -sum.lead;
    }
}

/// The average as attributes of a voxel of an inner level, without its material; those of an inside voxel where there
/// is no surface. A crease where normals differ as they do at one in a voxel.
SHARED_INLINE VoxelAttributes averageOfSum(AreaSum sum) {
    if (sum.weight <= WIDE(0.0)) {
        VoxelAttributes inside;
        inside.albedo = 0u;
        inside.shading = 0u;
        inside.sheet = 1u << 24u;
        return inside;
    }
    double size = wideLength(sum.normal);
    VoxelSurface surface = noSurface();
    surface.normal = size > WIDE_RATIO(1.0, 1000.0) * sum.weight
                         ? vec3(sum.normal / (sum.facing < WIDE(0.0) ? -size : size))
                         : vec3(0.0f, 1.0f, 0.0f);
    surface.albedo = vec3(sum.albedo / sum.weight);
    surface.geometricNormal = surface.normal;
    surface.roughness = float(sum.roughness / sum.weight);
    surface.metalness = float(sum.metalness / sum.weight);
    surface.crease = size < SURFACE_CREASE * sum.weight ? 1u : 0u;
    surface.doubleSided = abs(sum.facing) < (WIDE(1.0) - WIDE_RATIO(1.0, 1000000000.0)) * sum.weight ? 1u : 0u;
    // The mean length is the mean cosine; which side bends how is not known here.
    double cosine = min(size / sum.weight, WIDE(1.0));
    PRECISE double sine = WIDE(1.0) - cosine * cosine;
    surface.spread = float(sqrt(sine));
    surface.hollow = surface.spread > SPREAD_FLAT ? 3u : 0u;
    return packAttributes(surface);
}

/// Bits 52 to 62 of a double above 0, its exponent: x = m 2^exponent with m in [1/2, 1).
SHARED_INLINE int wideExponent(double x) {
#ifdef __cplusplus
    return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52U) - 1022;
#else
    return int(unpackDouble2x32(x).y >> 20u) - 1022;
#endif
}

/// 2^exponent, of exponents that normal numbers have.
SHARED_INLINE double widePower(int exponent) {
#ifdef __cplusplus
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
#else
    return packDouble2x32(uvec2(0u, uint(exponent + 1023) << 20u));
#endif
}

#define RADIANCE_BITS 9 ///< of a component of a packed radiance, beside the exponent that all have
#define RADIANCE_BIAS 15
#define RADIANCE_LARGEST 31

SHARED_INLINE uint packRadianceComponent(double value, int exponent) {
    double steps = floor(value * widePower(RADIANCE_BITS - exponent) + WIDE(0.5));
    return uint(clamp(steps, WIDE(0.0), double((1 << RADIANCE_BITS) - 1)));
}

/// A radiance in 32 bits: 9 for each component and 5 for their common exponent, as VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 has
/// it.
SHARED_INLINE uint packRadiance(dvec3 radiance) {
    double largest = max(radiance.x, max(radiance.y, radiance.z));
    if (!(largest > WIDE(0.0))) {
        return 0u;
    }
    int exponent = clamp(wideExponent(largest), -RADIANCE_BIAS, RADIANCE_LARGEST - RADIANCE_BIAS);
    return packRadianceComponent(radiance.x, exponent) | (packRadianceComponent(radiance.y, exponent) << 9u) |
           (packRadianceComponent(radiance.z, exponent) << 18u) | (uint(exponent + RADIANCE_BIAS) << 27u);
}

/// The mean radiance of a sum, over the whole surface, packed.
SHARED_INLINE uint radianceOfSum(AreaSum sum) {
    return sum.weight > WIDE(0.0) ? packRadiance(sum.emission / sum.weight) : 0u;
}

SHARED_END
#endif
