// Surfaces in a voxel, from which its attributes are made.
#ifndef AUREOLE_SHARED_SURFACE_SAMPLE_H
#define AUREOLE_SHARED_SURFACE_SAMPLE_H

#include "shared/voxelize/wide.h"

SHARED_BEGIN

/// What a material is at one point of a triangle, textures applied.
struct SurfacePoint {
    vec3 albedo;
    vec3 normal; ///< world space, unit length: interpolated and normal-mapped, on the side the vertex normals face
    vec3 geometricNormal; ///< of the triangle, unit length, on the side of `normal`
    float roughness;
    float metalness;
    vec3 emission;
    uint material; ///< index into Scene::materials
    uint opaque;   ///< 0 where alpha testing cuts the surface away (Blend counts as a mask at one half)
};

/// A surface somewhere in a voxel.
struct SurfaceSample {
    double weight; ///< area in squares of the voxel's side, above 0
    uint bit;
    uint exactEmission; ///< 1: the emission is a material's constant
    uint hasArea;       ///< 0 for a triangle without area, whose geometric normal says nothing
    SurfacePoint point;
    vec3 position; ///< in voxels from the block's corner
    vec3 plane;    ///< normal, on the side of the point's, of the plane that positions of the triangle lie in: that of
                   ///< its snapped corners. 0 where these have no area
};

/// Every sample weighs a little more than its area: a triangle that only grazes a voxel, or has no area, still counts
/// where nothing else does.
#define SURFACE_GRAZE_WEIGHT WIDE_RATIO(1.0, 1000000000.0)

SHARED_END
#endif
