// The sheet rule: which voxels a ray goes on through, and which side of a surface a ray arrives on.
//
// With smooth normals a voxel stands for the piece of surface in it. A ray goes from the front of a wall to its back
// only where it meets one of its triangles against the triangle's normal. So a ray that is on the front side of what is
// in a voxel, and leaves every triangle of it, does not meet it: it goes on. Stairs therefore neither shade themselves,
// however low the light, nor stick out of outlines. What it takes is
//   - the side that the ray is on. A face of a voxel that the voxel's surface does not touch lies on one side of the
//     surface whole, so the face by which a ray enters from an empty voxel tells the side exactly, which the ray's
//     direction does not. Between two voxels of one surface the side is what it was before. So a ray carries the sheet
//     that it last went through a voxel of, and a hit keeps it for the cell in front of the hit face, where rays from
//     there start;
//   - that the ray leaves every triangle: its sine over the mean normal exceeds the spread of the normals. Where two
//     sheets meet in an edge the voxel has both of their normals, on one side of the surface, and the ray leaves both.
//     Where it leaves the mean only, the face by which it comes out of the sheet tells (sheet_ahead.h).
//
// Near its start a ray may know more. It ignores the voxels of the sheet that it starts from, those whose normals face
// the same way and that rise less than two voxels over the tangent plane, where nothing tells that it is on their other
// side; and of these, where the surface only bulges towards the ray's side, it need not leave every triangle: what
// bulges away behind the tangent plane, be it an edge, is not met by what starts over it.
//
// Light must not leak. A path that starts in front of all walls stays there if
//   - no ray goes below the geometric tangent plane, however shading normals are bent;
//   - a ray goes on through what it leaves only, or comes out of in front;
//   - voxels of which this is not known, in which more than two sheets meet, or two that do not end at each other (a
//     gap, or one wall through another), have the crease flag, which counts every triangle that touches. They are
//     cubes with the normals of their faces, and nothing ignores them.
//
// Bodies that face the same way to within some 35 degrees, such as a ball on a thin floor and that floor's underside,
// are taken for one sheet where they are closer than two voxels, as cubes, or a tenth of a voxel, as planes (two where
// a plane is not met from outside: where a ray starts between both of a thick one).
#ifndef AUREOLE_SHARED_SHEET_H
#define AUREOLE_SHARED_SHEET_H

#include "shared/octree/attributes.h"
#include "shared/octree/traversal.h"

SHARED_BEGIN

#define SHEET_DISTANCE 8.0f   ///< voxels along the ray
#define SHEET_HEIGHT 2.0f     ///< voxels over the tangent plane, to the voxel's centre
#define SHEET_MISFIT 0.1f     ///< voxels from the ray's start to a plane of its own sheet that it meets
#define SHEET_FACING 0.8f     ///< least cosine between the normals
#define SHEET_CONTINUES 0.3f  ///< least cosine between normals of neighbouring voxels, however the surface bends
#define SHEET_LEAVING 0.0025f ///< least sine of the ray over a flat surface: what packing does to normals, and more

// A sheet as seen by a path: the packed geometric normal of a voxel, the side of it that the path is on, and a bit that
// tells it from NO_SHEET.
#define NO_SHEET 0u
#define SHEET_REVERSED (1u << 24) ///< the path is on the side that the normal points away from
#define SHEET_DOUBLE (1u << 25)   ///< the voxel holds both sides of a thin wall; the attributes' own bit
#define SHEET_VALID (1u << 26)
#define SHEET_EDGE (1u << 27) ///< the voxel that the ray went through last is an edge: another sheet is in it too
#define SHEET_LOST (1u << 27) ///< alone: the ray went through a voxel's surface, and what of that is next is not known

/// The point of a surface that rays leave from.
struct VoxelPoint {
    vec3 position;
    uvec3 voxel;
    uint face;
    vec3 normal;     ///< shading normal, on the side that the path arrived on
    vec3 side;       ///< geometric normal on that side: no ray leaves below it
    vec3 pane;       ///< where it may be one of a pane (voxelPaneNormal)
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

/// The sheet of a voxel, as sheetFacing has it, that the path is on the side `side` of.
SHARED_INLINE uint makeSheet(VoxelSurface surface, vec3 side) {
    return (surface.sheet & (0xFFFFFFu | SHEET_DOUBLE)) | SHEET_VALID | (surface.crease != 0u ? SHEET_EDGE : 0u) |
           (dot(surface.geometricNormal, side) < 0.0f ? SHEET_REVERSED : 0u);
}

/// Whether a voxel may hold the same surface as `sheet`, by the sides that their normals are on: those of a surface are
/// on one side throughout, but where both sides of a thin wall are in a voxel, its normal may be on either.
SHARED_INLINE uint continuesSheet(uint sheet, vec3 side, VoxelSurface surface) {
    uint turned = dot(surface.geometricNormal, side) < 0.0f ? 1u : 0u;
    uint reversed = (sheet & (SHEET_REVERSED | SHEET_DOUBLE)) == SHEET_REVERSED ? 1u : 0u;
    return surface.doubleSided != 0u || turned == reversed ? 1u : 0u;
}

/// Whether it is known which sheets are in a voxel.
SHARED_INLINE uint hasSheets(VoxelSurface surface) {
    return surface.crease == 0u || isEdge(surface) != 0u ? 1u : 0u;
}

/// Of an edge, the sheet that faces `towards` most, or away from it, as if it were the voxel's: its normal is the
/// geometric one, that of the other sheet `normal`. Other voxels as they are.
SHARED_INLINE VoxelSurface sheetFacing(VoxelSurface surface, vec3 towards) {
    VoxelSurface sheet = surface;
    if (isEdge(surface) != 0u) {
        if (abs(dot(surface.normal, towards)) > abs(dot(surface.geometricNormal, towards))) {
            sheet.geometricNormal = surface.normal;
            sheet.normal = surface.geometricNormal;
            sheet.sheet = packNormal(surface.normal);
        }
    }
    return sheet;
}

/// The sine of the ray over a voxel's surface, as sheetFacing has it, on the side that `side` is on: the least of those
/// over its sheets.
SHARED_INLINE float sheetSine(VoxelSurface surface, vec3 side, vec3 direction) {
    float sine = dot(surface.geometricNormal, direction);
    float other = surface.crease != 0u ? dot(surface.normal, direction) : sine;
    return dot(surface.geometricNormal, side) < 0.0f ? min(-sine, -other) : min(sine, other);
}

// Whether a ray leaves what is in a voxel: not, or as far as is known not; all of it; in the mean, which may do
// (sheet_ahead.h).
#define LEAVES_NOT 0u
#define LEAVES_ALL 1u
#define LEAVES_MEAN 2u

/// How a ray with that sine over the mean normal leaves what is in a voxel, where normals differ from that by `spread`.
SHARED_INLINE uint leavesBySine(VoxelSurface surface, float sine, float spread) {
    if (sine > SHEET_LEAVING + spread) {
        return LEAVES_ALL;
    }
    return sine > SHEET_LEAVING && (surface.crease | surface.doubleSided) == 0u ? LEAVES_MEAN : LEAVES_NOT;
}

/// Whether a voxel at `offset` (of its centre, in voxels) from the ray's start belongs to `sheet`, not NO_SHEET, and
/// how the ray leaves what is in it.
SHARED_INLINE uint leavesSheet(uint sheet, vec3 side, vec3 offset, vec3 direction, VoxelSurface surface) {
    float facing = dot(surface.geometricNormal, side);
    // Where it bulges towards the path, what the ray leaves in the mean it leaves everywhere, and behind a sheet's edge
    // is nothing that it could meet over that sheet.
    uint hollow = (facing < 0.0f ? surface.hollow >> 1u : surface.hollow) & 1u;
    float sine = hollow != 0u ? sheetSine(surface, side, direction)
                              : dot(surface.geometricNormal, direction) * (facing < 0.0f ? -1.0f : 1.0f);
    return continuesSheet(sheet, side, surface) != 0u && abs(facing) > SHEET_FACING && dot(offset, side) < SHEET_HEIGHT
               ? leavesBySine(surface, sine, (hollow | surface.crease) != 0u ? surface.spread : 0.0f)
               : LEAVES_NOT;
}

/// Whether the same surface runs through a voxel, as sheetFacing has it, and the one of the sheet `before` that the ray
/// comes from, so that it is on the same side of both.
SHARED_INLINE uint runsOn(VoxelSurface surface, uint before) {
    vec3 side = sheetSide(before);
    return before != NO_SHEET && abs(dot(surface.geometricNormal, side)) > SHEET_CONTINUES &&
                   continuesSheet(before, side, surface) != 0u
               ? 1u
               : 0u;
}

/// The geometric normal of a hit voxel that is no edge on the side that the ray arrives on, or 0 where that cannot be
/// told. `before` is the sheet of the voxel that the ray comes from, NO_SHEET where that is empty.
SHARED_INLINE vec3 arrivalSide(VoxelSurface surface, uint before, uint face, vec3 direction) {
    vec3 n = surface.geometricNormal;
    if (runsOn(surface, before) != 0u) { // the ray has not crossed it
        return dot(n, sheetSide(before)) < 0.0f ? -n : n;
    }
    if ((before & SHEET_EDGE) != 0u) {
        return vec3(0.0f); // it may be that of the edge's other sheet
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

/// Of an edge that a ray comes to by `face` from an empty voxel, the sheet that it meets if any, as sheetFacing has it,
/// and `side`, its normal on the side that the ray arrives on, or 0 where that cannot be told. As above, the face is on
/// one side of the surface whole: in front of the edge, seen from where this bulges, unless both sheets face away,
/// since a straight way from the edge to that face goes behind both then.
SHARED_INLINE VoxelSurface edgeMet(VoxelSurface surface, uint face, vec3 direction, OUT(vec3, side)) {
    vec3 towards = face == FACE_INSIDE ? -direction : faceNormal(face);
    float bulge = (surface.hollow & 1u) != 0u ? -1.0f : 1.0f;
    float own = dot(surface.geometricNormal, towards) * bulge;
    float other = dot(surface.normal, towards) * bulge;
    float front = max(own, other);
    float turn = front > 0.0f ? bulge : -bulge;
    // On the other side both face it.
    uint isOwn = front > 0.0f ? (own >= other ? 1u : 0u) : (own <= other ? 1u : 0u);
    VoxelSurface sheet = sheetFacing(surface, isOwn != 0u ? surface.geometricNormal : surface.normal);
    side = abs(front) > surface.spread + SHEET_LEAVING ? sheet.geometricNormal * turn : vec3(0.0f);
    return sheet;
}

/// The sheet of a voxel that a ray comes to by `face` from one of the sheet `before`, as sheetFacing has it, and `side`
/// as above.
SHARED_INLINE VoxelSurface sheetMet(VoxelSurface surface, uint before, uint face, vec3 direction, OUT(vec3, side)) {
    if (isEdge(surface) == 0u) {
        side = arrivalSide(surface, before, face, direction);
        return surface;
    }
    if (before == NO_SHEET) {
        return edgeMet(surface, face, direction, side);
    }
    VoxelSurface sheet = sheetFacing(surface, sheetSide(before));
    vec3 n = sheet.geometricNormal;
    side = runsOn(sheet, before) == 0u ? vec3(0.0f) : dot(n, sheetSide(before)) < 0.0f ? -n : n;
    return sheet;
}

/// Whether a voxel at `offset` from where a ray leaves `sheet`, or NO_SHEET, belongs to that, and how the ray leaves
/// it. Where `arrival` is not 0, the ray is on that side of the voxel's sheet `met`, and the sides have to agree.
SHARED_INLINE uint ignoresSheet(uint sheet, vec3 offset, vec3 direction, VoxelSurface surface, VoxelSurface met,
                                vec3 arrival, OUT(uint, left)) {
    left = NO_SHEET;
    uint leaves = LEAVES_NOT;
    if (sheet != NO_SHEET) {
        vec3 side = sheetSide(sheet);
        VoxelSurface own = sheetFacing(surface, side);
        float turn = dot(own.geometricNormal, side) * dot(met.geometricNormal, arrival);
        leaves = turn >= 0.0f ? leavesSheet(sheet, side, offset, direction, own) : LEAVES_NOT;
        left = makeSheet(own, side);
    }
    return leaves;
}

/// The sheet of a voxel that a ray comes to by `face`, from one of the sheet `before`, where the ray leaves what is in
/// it and so goes on, else NO_SHEET; `leaves` tells how. `distance` is that from the ray's start at `from`, `point` the
/// voxel's centre or where the surface within it is met; `tells` is 0 where these two do not tell the side that the ray
/// is on.
SHARED_INLINE uint ignoredSheet(VoxelPoint from, vec3 direction, float voxelSize, float distance, vec3 point,
                                VoxelSurface surface, uint before, uint face, uint tells, OUT(uint, leaves)) {
    leaves = LEAVES_NOT;
    if (hasSheets(surface) == 0u) {
        return NO_SHEET;
    }
    VoxelSurface met = surface;
    vec3 side = vec3(0.0f);
    if (face != FACE_INSIDE && tells != 0u) {
        met = sheetMet(surface, before, face, direction, side);
        if (before == NO_SHEET && abs(dot(met.geometricNormal, faceNormal(face))) <= surface.spread + SHEET_LEAVING) {
            side = vec3(0.0f); // which the direction told
        }
    }
    uint left = NO_SHEET;
    if (distance < SHEET_DISTANCE * voxelSize) {
        vec3 offset = (point - from.position) / voxelSize;
        vec3 told = before == NO_SHEET ? side : vec3(0.0f);
        uint ahead;
        leaves = ignoresSheet(from.sheet, offset, direction, surface, met, told, left);
        uint leavesAhead =
            leaves != LEAVES_ALL ? ignoresSheet(from.sheetAhead, offset, direction, surface, met, told, ahead) : 0u;
        if (leavesAhead == LEAVES_ALL || leaves == LEAVES_NOT) {
            leaves = leavesAhead;
            left = ahead;
        }
    }
    if (leaves != LEAVES_ALL && dot(side, side) > 0.0f && surface.doubleSided == 0u) {
        uint leavesMet = leavesBySine(surface, sheetSine(met, side, direction), surface.spread);
        if (leavesMet == LEAVES_ALL || leaves == LEAVES_NOT) {
            leaves = leavesMet;
            left = makeSheet(met, side);
        }
    }
    return leaves != LEAVES_NOT ? left : NO_SHEET;
}

SHARED_END
#endif
