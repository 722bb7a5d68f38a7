// Packing of a voxel's surface into 16 bytes.
//
//   albedo             R 11 bits, G 11 bits in steps of 1/2000, B 10 bits in steps of 1/1000, linear: every value
//                      with at most three decimals is exact; error at most 1/4000 and 1/2000
//   normalRoughness    octahedral normal 2 x 12 bits (error at most 0.07 degrees), roughness 8 bits (1/510)
//   metalnessEmission  metalness 8 bits (1/510), index into the octree's palette of radiances 24 bits (exact)
//   sheet              octahedral geometric normal 2 x 12 bits, the bits of crease (1), doubleSided (1) and hollow (2),
//                      then the spread in 4 bits, rounded up to (i / 15)^2 (0 up to 0.001)
//
// Octahedral mapping: Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", JCGT 2014.
#ifndef AUREOLE_SHARED_ATTRIBUTES_H
#define AUREOLE_SHARED_ATTRIBUTES_H

#include "shared/octree.h"

SHARED_BEGIN

#define ATTRIBUTE_MAX_EMISSIONS (1u << 24)
#define SPREAD_FLAT 0.001f ///< sines up to this are stored as 0

/// A voxel's surface, unpacked. Components of albedo, roughness and metalness are in [0, 1]; the normal has unit
/// length.
struct VoxelSurface {
    vec3 albedo;
    vec3 normal;
    float roughness;
    float metalness;
    uint emission;        ///< index into the palette of radiances; 0 is black
    vec3 geometricNormal; ///< of the triangles themselves, on the side of `normal`, which is for shading
    uint crease;          ///< 1 where sheets of different directions meet in the voxel
    uint doubleSided;     ///< 1 where both sides of a thin wall are in the voxel
    uint hollow;          ///< bit 0: seen from geometricNormal's side, the surface bends inwards; bit 1: from the other
    float spread;         ///< sine of the widest angle between geometricNormal and a triangle in the voxel
    uint sheet;           ///< geometricNormal and what follows it as packed; packAttributes does not read it
};

SHARED_INLINE uint quantise(float value, float steps) {
    return uint(clamp(value, 0.0f, 1.0f) * steps + 0.5f);
}

SHARED_INLINE uint packAlbedo(vec3 albedo) {
    return quantise(albedo.x, 2000.0f) | (quantise(albedo.y, 2000.0f) << 11u) | (quantise(albedo.z, 1000.0f) << 22u);
}

SHARED_INLINE vec3 unpackAlbedo(uint bits) {
    return vec3(float(bits & 2047u) / 2000.0f, float((bits >> 11u) & 2047u) / 2000.0f, float(bits >> 22u) / 1000.0f);
}

/// 24 bits for a unit vector. Codes 0 to 4094 stand for -1 to 1, so that the axes are exact.
SHARED_INLINE uint packNormal(vec3 n) {
    float s = 1.0f / (abs(n.x) + abs(n.y) + abs(n.z));
    vec2 p = vec2(n.x * s, n.y * s);
    if (n.z < 0.0f) {
        p = vec2((1.0f - abs(n.y * s)) * (n.x < 0.0f ? -1.0f : 1.0f),
                 (1.0f - abs(n.x * s)) * (n.y < 0.0f ? -1.0f : 1.0f));
    }
    return quantise(p.x * 0.5f + 0.5f, 4094.0f) | (quantise(p.y * 0.5f + 0.5f, 4094.0f) << 12u);
}

SHARED_INLINE vec3 unpackNormal(uint bits) {
    float x = float(bits & 4095u) / 2047.0f - 1.0f;
    float y = float((bits >> 12u) & 4095u) / 2047.0f - 1.0f;
    float z = 1.0f - abs(x) - abs(y);
    float fold = max(-z, 0.0f);
    return normalize(vec3(x + (x < 0.0f ? fold : -fold), y + (y < 0.0f ? fold : -fold), z));
}

/// 4 bits, never less than the sine but for SPREAD_FLAT: what rounding makes of a flat surface stays flat.
SHARED_INLINE uint packSpread(float sine) {
    return sine <= SPREAD_FLAT ? 0u : uint(clamp(floor(sqrt(sine) * 15.0f + 0.999f), 1.0f, 15.0f));
}

SHARED_INLINE VoxelAttributes packAttributes(VoxelSurface surface) {
    VoxelAttributes packed;
    packed.albedo = packAlbedo(surface.albedo);
    packed.normalRoughness = packNormal(surface.normal) | (quantise(surface.roughness, 255.0f) << 24u);
    packed.metalnessEmission = quantise(surface.metalness, 255.0f) | (surface.emission << 8u);
    packed.sheet = packNormal(surface.geometricNormal) | (surface.crease << 24u) | (surface.doubleSided << 25u) |
                   (surface.hollow << 26u) | (packSpread(surface.spread) << 28u);
    return packed;
}

SHARED_INLINE VoxelSurface unpackAttributes(VoxelAttributes packed) {
    VoxelSurface surface;
    surface.albedo = unpackAlbedo(packed.albedo);
    surface.normal = unpackNormal(packed.normalRoughness & 0xFFFFFFu);
    surface.roughness = float(packed.normalRoughness >> 24u) / 255.0f;
    surface.metalness = float(packed.metalnessEmission & 255u) / 255.0f;
    surface.emission = packed.metalnessEmission >> 8u;
    surface.geometricNormal = unpackNormal(packed.sheet & 0xFFFFFFu);
    surface.crease = (packed.sheet >> 24u) & 1u;
    surface.sheet = packed.sheet;
    surface.doubleSided = (packed.sheet >> 25u) & 1u;
    surface.hollow = (packed.sheet >> 26u) & 3u;
    float root = float(packed.sheet >> 28u) / 15.0f;
    surface.spread = root * root;
    return surface;
}

SHARED_END
#endif
