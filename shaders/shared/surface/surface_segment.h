// A ray's way through a voxel that holds a piece of a surface: what the kinds of surfaces are asked with.
#ifndef AUREOLE_SHARED_SURFACE_SEGMENT_H
#define AUREOLE_SHARED_SURFACE_SEGMENT_H

#include "shared/lang.h"

SHARED_BEGIN

// The side that a ray is on, by the bits of a sheet (sheet.h), which paths carry.
#define SIDE_UNKNOWN 0u
#define SIDE_FRONT (1u << 26)               ///< outside of a field, in front of a plane
#define SIDE_OF_OPAQUE 1u                   ///< beside one of these: of the field of opaque solids alone
#define SIDE_BACK ((1u << 26) | (1u << 24)) ///< inside, behind

/// From where a ray enters a voxel, or starts in it, to where it leaves it, in the grid's own orientation. A position
/// on a face that several voxels share has the same coordinates along the face in all of them.
struct SurfaceSegment {
    vec3 enter;      ///< components from 0 to 1, exact
    vec3 leave;      ///< components from 0 to 1, exact
    vec3 direction;  ///< of the ray
    uint startsHere; ///< 1 where the ray starts in this voxel with a side: on its surface
};

SHARED_END
#endif
