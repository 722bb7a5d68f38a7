// The sheet rule: which voxels a ray from a surface ignores, and which side of a surface a ray arrives on.
//
// Stairs must not shade themselves. With smooth normals a ray that leaves a surface therefore ignores voxels of the
// same sheet: those near its start whose geometric normal faces the same way, whose centre lies less than two voxels
// over the tangent plane, and whose whole surface the ray leaves. A stair rises by up to sqrt(3) voxels over its
// valleys and a ray at elevation e clears it only after sqrt(3)/sin(e) voxels, so the rule reaches further along the
// ray than across it: 32 voxels keep all but (sqrt(3)/32)^2 = 0.3 % of cosine-weighted rays free on a plane of any
// tilt.
//
// Light must not leak either. A ray goes from the front of a wall to its back only where it meets one of its triangles
// against the triangle's normal, so a path that starts in front of all walls stays there if
//   - no ray goes below the geometric tangent plane, however shading normals are bent;
//   - a voxel is ignored only by rays that leave every triangle in it: the ray's sine over the mean normal exceeds the
//     spread of the normals, unless the surface only bulges towards the ray's side;
//   - voxels in which sheets of different directions meet, a gap or an acute corner among them (the crease flag, which
//     counts every triangle that touches), are cubes with the normals of their faces, which nothing ignores;
//   - the path never mistakes the side that it is on. A face of a voxel that the voxel's surface does not touch lies on
//     one side of the surface whole, so the face by which a ray enters from an empty voxel, or from one of another
//     wall, tells the side exactly, which the ray's direction does not: a ray may hit a stair of a wall that it moves
//     away from. Between two voxels of one surface the side is what it was before. So a ray carries the sheet that it
//     last ignored a voxel of, and a hit keeps it for the cell in front of the hit face, where rays from there start.
#ifndef AUREOLE_SHARED_SHEET_H
#define AUREOLE_SHARED_SHEET_H

#include "shared/attributes.h"
#include "shared/traversal.h"

SHARED_BEGIN

#define SHEET_DISTANCE 32.0f  ///< voxels along the ray
#define SHEET_HEIGHT 2.0f     ///< voxels over the tangent plane, to the voxel's centre
#define SHEET_FACING 0.8f     ///< least cosine between the normals
#define SHEET_CONTINUES 0.3f  ///< the same between neighbouring voxels, however the surface bends
#define SHEET_LEAVING 0.0025f ///< least sine of the ray over a flat surface: what packing does to normals, and more

// A sheet as seen by a path: the packed geometric normal of a voxel, the side of it that the path is on, and a bit that
// tells it from NO_SHEET.
#define NO_SHEET 0u
#define SHEET_REVERSED (1u << 24) ///< the path is on the side that the normal points away from
#define SHEET_DOUBLE (1u << 25)   ///< the voxel holds both sides of a thin wall; the attributes' own bit
#define SHEET_VALID (1u << 26)

/// The point of a surface that rays leave from.
struct VoxelPoint {
    vec3 position;
    uvec3 voxel;
    uint face;
    vec3 normal;     ///< shading normal, on the side that the path arrived on
    vec3 side;       ///< geometric normal on that side: no ray leaves below it
    uint sheet;      ///< of the voxel; NO_SHEET where the sheet rule does not apply
    uint sheetAhead; ///< of the cell in front of the hit face, where the path came through it; NO_SHEET: it is empty
};

/// The lowest corner of a voxel.
SHARED_INLINE vec3 voxelCorner(uvec3 voxel, float voxelSize) {
    return vec3(1.0f + float(voxel.x) * voxelSize, 1.0f + float(voxel.y) * voxelSize,
                1.0f + float(voxel.z) * voxelSize);
}

/// The normal of a sheet on the side that the path is on.
SHARED_INLINE vec3 sheetSide(uint sheet) {
    vec3 n = unpackNormal(sheet & 0xFFFFFFu);
    return (sheet & SHEET_REVERSED) != 0u ? -n : n;
}

/// The sheet of a voxel that the path is on the side `side` of.
SHARED_INLINE uint makeSheet(VoxelSurface surface, vec3 side) {
    return (surface.sheet & (0xFFFFFFu | SHEET_DOUBLE)) | SHEET_VALID |
           (dot(surface.geometricNormal, side) < 0.0f ? SHEET_REVERSED : 0u);
}

/// Whether a voxel may hold the same surface as `sheet`, by the sides that their normals are on: those of a surface are
/// on one side throughout, but where both sides of a thin wall are in a voxel, its normal may be on either.
SHARED_INLINE uint continuesSheet(uint sheet, vec3 side, VoxelSurface surface) {
    uint turned = dot(surface.geometricNormal, side) < 0.0f ? 1u : 0u;
    uint reversed = (sheet & (SHEET_REVERSED | SHEET_DOUBLE)) == SHEET_REVERSED ? 1u : 0u;
    return surface.doubleSided != 0u || turned == reversed ? 1u : 0u;
}

/// Whether a voxel at `offset` (of its centre, in voxels) from the ray's start belongs to `sheet`, not NO_SHEET, and
/// the ray leaves all that is in it.
SHARED_INLINE uint leavesSheet(uint sheet, vec3 side, vec3 offset, vec3 direction, VoxelSurface surface) {
    float facing = dot(surface.geometricNormal, side);
    float leaving = dot(surface.geometricNormal, direction) * (facing < 0.0f ? -1.0f : 1.0f);
    // Where it bulges towards the path, what the ray leaves in the mean it leaves everywhere.
    uint hollow = (facing < 0.0f ? surface.hollow >> 1u : surface.hollow) & 1u;
    return continuesSheet(sheet, side, surface) != 0u && abs(facing) > SHEET_FACING &&
                   leaving > SHEET_LEAVING + (hollow != 0u ? surface.spread : 0.0f) && dot(offset, side) < SHEET_HEIGHT
               ? 1u
               : 0u;
}

/// Whether a voxel at `offset` is low enough over the tangent planes for a ray from there to ignore it, whatever is in
/// it: a test that needs no attributes.
SHARED_INLINE uint sheetReaches(VoxelPoint from, vec3 offset) {
    uint own = from.sheet != NO_SHEET && dot(offset, from.side) < SHEET_HEIGHT ? 1u : 0u;
    uint ahead = from.sheetAhead != NO_SHEET && dot(offset, sheetSide(from.sheetAhead)) < SHEET_HEIGHT ? 1u : 0u;
    return own | ahead;
}

/// The sheet of the hit voxel where the ray ignores it, by the rule at the top of this file, else NO_SHEET. `point` is
/// the voxel's centre, or where the surface within it is met.
SHARED_INLINE uint ignoredSheet(VoxelPoint from, vec3 direction, float voxelSize, float distance, vec3 point,
                                VoxelSurface surface) {
    if ((from.sheet | from.sheetAhead) == NO_SHEET || surface.crease != 0u || distance >= SHEET_DISTANCE * voxelSize) {
        return NO_SHEET;
    }
    vec3 offset = (point - from.position) / voxelSize;
    if (from.sheet != NO_SHEET && leavesSheet(from.sheet, from.side, offset, direction, surface) != 0u) {
        return makeSheet(surface, from.side);
    }
    if (from.sheetAhead != NO_SHEET) {
        vec3 side = sheetSide(from.sheetAhead);
        if (leavesSheet(from.sheetAhead, side, offset, direction, surface) != 0u) {
            return makeSheet(surface, side);
        }
    }
    return NO_SHEET;
}

/// The geometric normal of a hit voxel on the side that the ray arrives on, or 0 where that cannot be told. `before` is
/// the sheet of the voxel that the ray comes from, NO_SHEET where that is empty.
SHARED_INLINE vec3 arrivalSide(VoxelSurface surface, uint before, uint face, vec3 direction) {
    vec3 n = surface.geometricNormal;
    if (before != NO_SHEET) {
        vec3 side = sheetSide(before);
        float facing = dot(n, side);
        if (abs(facing) > SHEET_CONTINUES && continuesSheet(before, side, surface) != 0u) {
            // The same surface runs through both voxels, and the ray has not crossed it.
            return facing < 0.0f ? -n : n;
        }
    }
    float against = -dot(n, direction);
    if (face == FACE_INSIDE) {
        return against < 0.0f ? -n : n;
    }
    // The surface does not touch the face that the ray came through, so that all of this face is on one side of it,
    // whichever way the ray goes. Only what bends within the voxel may do so along the face, and then the direction has
    // to agree.
    float facing = dot(n, faceNormal(face));
    if (abs(facing) <= SHEET_LEAVING) {
        facing = against;
    } else if (abs(facing) <= surface.spread + SHEET_LEAVING && facing * against < 0.0f) {
        return vec3(0.0f);
    }
    return facing < 0.0f ? -n : n;
}

SHARED_END
#endif
