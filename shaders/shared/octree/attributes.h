// Packing of a voxel's surface into 12 bytes.
//
//   albedo   3 x 10 bits in steps of 1/1000, linear: every value with at most three decimals is exact, error at most
//            1/2000; the low 2 bits of metalness
//   shading  normal 2 x 9 bits relative to the geometric normal (error at most 0.12 degrees within 10 degrees of it,
//   0.5
//            anywhere), roughness 5 bits (1/62), number of the material 7 bits (see octreePaletteIndex), the high 2
//            bits of metalness (1/30); of an edge, the normal of its other sheet, octahedral (0.7 degrees)
//   sheet    octahedral geometric normal 2 x 12 bits (0.07 degrees), the bits of crease (1), doubleSided (1) and hollow
//            (2), then the spread in 4 bits, rounded up to (i / 15)^2 (0 up to 0.001)
//
// Octahedral mapping: Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", JCGT 2014.
// The shading normal lies on the geometric normal's side and mostly near it. So it is mapped to a square by that
// survey's hemispherical variant about the geometric normal, and the square's coordinates are stored by their roots,
// which makes steps small in the middle.
#ifndef AUREOLE_SHARED_ATTRIBUTES_H
#define AUREOLE_SHARED_ATTRIBUTES_H

#include "shared/normal_frame.h"
#include "shared/octree/octree.h"

SHARED_BEGIN

#define ATTRIBUTE_MATERIAL_SHIFT 23 ///< in `shading`
#define ATTRIBUTE_MAX_MATERIAL 127u ///< the largest number
#define SPREAD_FLAT 0.001f          ///< sines up to this are stored as 0

/// A voxel's surface, unpacked. Components of albedo, roughness and metalness are in [0, 1]; the normal has unit
/// length.
struct VoxelSurface {
    vec3 albedo;
    vec3 normal; ///< for shading; of an edge (isEdge), that of its other sheet
    float roughness;
    float metalness;
    uint material;        ///< number of the entry in the palette of the voxel's run; 0 is the octree's entry 0
    vec3 geometricNormal; ///< of the triangles themselves, on the side of `normal`, which is for shading
    uint crease;          ///< 1 where sheets of different directions meet in the voxel
    uint doubleSided;     ///< 1 where both sides of a thin wall are in the voxel
    uint hollow;          ///< bit 0: seen from geometricNormal's side, the surface bends inwards; bit 1: from the other
    float spread;         ///< sine of the widest angle between geometricNormal and a triangle in the voxel
    uint sheet;           ///< geometricNormal and what follows it as packed; packAttributes does not read it
};

/// Whether two sheets meet in the voxel, and no more, of which `geometricNormal` and `normal` are those of the
/// triangles themselves, on one side of the surface. Of other creases nothing is known: they count as hollow from both
/// sides.
SHARED_INLINE uint isEdge(VoxelSurface surface) {
    return surface.crease != 0u && surface.hollow != 3u ? 1u : 0u;
}

SHARED_INLINE uint quantise(float value, float steps) {
    return uint(clamp(value, 0.0f, 1.0f) * steps + 0.5f);
}

SHARED_INLINE uint packAlbedo(vec3 albedo) {
    return quantise(albedo.x, 1000.0f) | (quantise(albedo.y, 1000.0f) << 10u) | (quantise(albedo.z, 1000.0f) << 20u);
}

SHARED_INLINE vec3 unpackAlbedo(uint bits) {
    return vec3(float(bits & 1023u) / 1000.0f, float((bits >> 10u) & 1023u) / 1000.0f,
                float((bits >> 20u) & 1023u) / 1000.0f);
}

/// The octahedral mapping of unit vectors to [-1, 1]^2 and back.
SHARED_INLINE vec2 octahedral(vec3 n) {
    float s = 1.0f / (abs(n.x) + abs(n.y) + abs(n.z));
    vec2 p = vec2(n.x * s, n.y * s);
    if (n.z < 0.0f) {
        p = vec2((1.0f - abs(n.y * s)) * (n.x < 0.0f ? -1.0f : 1.0f),
                 (1.0f - abs(n.x * s)) * (n.y < 0.0f ? -1.0f : 1.0f));
    }
    return p;
}

SHARED_INLINE vec3 fromOctahedral(float x, float y) {
    float z = 1.0f - abs(x) - abs(y);
    float fold = max(-z, 0.0f);
    return normalize(vec3(x + (x < 0.0f ? fold : -fold), y + (y < 0.0f ? fold : -fold), z));
}

/// 24 bits for a unit vector. Codes 0 to 4094 stand for -1 to 1, so that the axes are exact.
SHARED_INLINE uint packNormal(vec3 n) {
    vec2 p = octahedral(n);
    return quantise(p.x * 0.5f + 0.5f, 4094.0f) | (quantise(p.y * 0.5f + 0.5f, 4094.0f) << 12u);
}

SHARED_INLINE vec3 unpackNormal(uint bits) {
    vec3 n = fromOctahedral(float(bits & 4095u) / 2047.0f - 1.0f, float((bits >> 12u) & 4095u) / 2047.0f - 1.0f);
    // The frame of the shading normal depends on the sign of z, which rounding must not choose where z is 0.
    int fromMiddle = abs(int(bits & 4095u) - 2047) + abs(int((bits >> 12u) & 4095u) - 2047);
    return fromMiddle == 2047 ? vec3(n.x, n.y, 0.0f) : n;
}

/// 18 bits for a unit vector, in the same way.
SHARED_INLINE uint packOtherNormal(vec3 n) {
    vec2 p = octahedral(n);
    return quantise(p.x * 0.5f + 0.5f, 510.0f) | (quantise(p.y * 0.5f + 0.5f, 510.0f) << 9u);
}

SHARED_INLINE vec3 unpackOtherNormal(uint bits) {
    return fromOctahedral(float(bits & 511u) / 255.0f - 1.0f, float((bits >> 9u) & 511u) / 255.0f - 1.0f);
}

/// 9 bits for a number from -1 to 1, finest about 0, which is exact.
SHARED_INLINE uint packRoot(float x) {
    uint root = floatBitsToUint(sqrt(abs(x))) | (floatBitsToUint(x) & 0x80000000u); // signs are random: no branch
    return quantise(uintBitsToFloat(root) * 0.5f + 0.5f, 510.0f);
}

SHARED_INLINE float unpackRoot(uint bits) {
    float root = float(bits) / 255.0f - 1.0f;
    return root * abs(root);
}

/// 18 bits for a unit vector on the side of another; `geometric` is that one as unpacked.
SHARED_INLINE uint packShadingNormal(vec3 n, vec3 geometric) {
    vec3 tangent;
    vec3 bitangent;
    normalFrame(geometric, tangent, bitangent);
    float x = dot(n, tangent);
    float y = dot(n, bitangent);
    float s = 1.0f / max(abs(x) + abs(y) + max(dot(n, geometric), 0.0f), 1e-20f);
    return packRoot((x + y) * s) | (packRoot((x - y) * s) << 9u);
}

SHARED_INLINE vec3 unpackShadingNormal(uint bits, vec3 geometric) {
    vec3 tangent;
    vec3 bitangent;
    normalFrame(geometric, tangent, bitangent);
    float u = unpackRoot(bits & 511u);
    float v = unpackRoot((bits >> 9u) & 511u);
    float x = (u + v) * 0.5f;
    float y = (u - v) * 0.5f;
    return normalize(tangent * x + bitangent * y + geometric * max(1.0f - abs(x) - abs(y), 0.0f));
}

/// 4 bits, never less than the sine but for SPREAD_FLAT: what rounding makes of a flat surface stays flat.
SHARED_INLINE uint packSpread(float sine) {
    return sine <= SPREAD_FLAT ? 0u : uint(clamp(sqrt(sine) * 15.0f + 0.999f, 1.0f, 15.0f));
}

SHARED_INLINE VoxelAttributes packAttributes(VoxelSurface surface) {
    VoxelAttributes packed;
    uint metalness = quantise(surface.metalness, 15.0f);
    packed.albedo = packAlbedo(surface.albedo) | ((metalness & 3u) << 30u);
    packed.sheet = packNormal(surface.geometricNormal) | (surface.crease << 24u) | (surface.doubleSided << 25u) |
                   (surface.hollow << 26u) | (packSpread(surface.spread) << 28u);
    uint normal = isEdge(surface) != 0u ? packOtherNormal(surface.normal)
                                        : packShadingNormal(surface.normal, unpackNormal(packed.sheet & 0xFFFFFFu));
    packed.shading = normal | (quantise(surface.roughness, 31.0f) << 18u) |
                     (surface.material << ATTRIBUTE_MATERIAL_SHIFT) | ((metalness >> 2u) << 30u);
    return packed;
}

/// What stands in for a surface where there is none.
SHARED_INLINE VoxelSurface noSurface() {
    VoxelSurface surface;
    surface.albedo = vec3(0.0f);
    surface.normal = vec3(0.0f);
    surface.roughness = 0.0f;
    surface.metalness = 0.0f;
    surface.material = 0u;
    surface.geometricNormal = vec3(0.0f);
    surface.crease = 0u;
    surface.doubleSided = 0u;
    surface.hollow = 0u;
    surface.spread = 0.0f;
    surface.sheet = 0u;
    return surface;
}

SHARED_INLINE VoxelSurface unpackAttributes(VoxelAttributes packed) {
    VoxelSurface surface;
    surface.albedo = unpackAlbedo(packed.albedo);
    surface.geometricNormal = unpackNormal(packed.sheet & 0xFFFFFFu);
    surface.roughness = float((packed.shading >> 18u) & 31u) / 31.0f;
    surface.metalness = float((packed.albedo >> 30u) | ((packed.shading >> 30u) << 2u)) / 15.0f;
    surface.material = (packed.shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL;
    surface.crease = (packed.sheet >> 24u) & 1u;
    surface.sheet = packed.sheet;
    surface.doubleSided = (packed.sheet >> 25u) & 1u;
    surface.hollow = (packed.sheet >> 26u) & 3u;
    float root = float(packed.sheet >> 28u) / 15.0f;
    surface.spread = root * root;
    surface.normal = isEdge(surface) != 0u ? unpackOtherNormal(packed.shading)
                                           : unpackShadingNormal(packed.shading, surface.geometricNormal);
    return surface;
}

SHARED_END
#endif
