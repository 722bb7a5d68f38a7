// Voxels that a ray goes on through: those whose surface it passes by, those of its own sheet, and glass.
#ifndef AUREOLE_SHARED_VOXEL_PASSING_H
#define AUREOLE_SHARED_VOXEL_PASSING_H

#include "shared/surface/sheet_ahead.h"
#include "shared/surface/voxel_surface.h"

SHARED_BEGIN

/// Takes the ray past the voxel that it is at.
SHARED_INLINE uint voxelSkip(uint64_t params, INOUT(VoxelPath, state)) {
    uint status = traversalSkip(VOXEL_OCTREE(params), state.ray);
    state.passedAt = traversalDistance(state.ray);
    return status;
}

/// Of a voxel with opaque surface the field is that of opaque solids alone (SIDE_OF_OPAQUE), else 0: that of all.
SHARED_INLINE uint voxelFieldKind(uint64_t params, uint64_t attributes) {
    uint material = voxelMaterial(params, voxelSurfaceAt(params, attributes)).material;
    uint model = voxelTraits(params, material).model;
    return model == MODEL_DIELECTRIC || model == MODEL_THIN_GLASS ? 0u : SIDE_OF_OPAQUE;
}

/// The side of the field of a kind that a ray is on which comes with `side`. Rays are outside of what is opaque;
/// whether they are in glass, they may have lost sight of where that meets something opaque.
SHARED_INLINE uint fieldSideOf(uint side, uint kind) {
    if (side == SIDE_UNKNOWN || (side & SIDE_OF_OPAQUE) == kind) {
        return side == SIDE_UNKNOWN ? side : side & ~SIDE_OF_OPAQUE;
    }
    return kind != 0u ? SIDE_FRONT : SIDE_UNKNOWN;
}

/// Whether the ray meets the surface within the voxel that it is in; `normal` as surfaceMet has it. Where it does not,
/// the side that it passes by on is kept.
SHARED_INLINE uint voxelMeets(uint64_t params, INOUT(VoxelPath, state), uint64_t attributes, OUT(vec3, normal)) {
    uint64_t view = VOXEL_OCTREE(params);
    if (OCTREE_ENCODING(view) == OCTREE_FIELD) {
        uint kind = HAS_TRANSMISSION ? voxelFieldKind(params, attributes) : 0u;
        uint side = fieldSideOf(state.passedSheet, kind);
        uint met = surfaceMet(view, state.ray, attributes, side, normal);
        state.passedSheet = side | kind;
        return met;
    }
    // A ray from one of a slab's planes leaves the slab. Between the planes, the sheet rule judges.
    uint onPlane =
        state.ray.axis == TRAVERSAL_NO_AXIS && state.passedSheet != NO_SHEET && state.from.face == FACE_INSIDE ? 1u
                                                                                                               : 0u;
    uint side = onPlane != 0u ? SIDE_FRONT : SIDE_UNKNOWN;
    if (surfaceMet(view, state.ray, attributes, side, normal) != 0u) {
        return 1u;
    }
    state.passedSheet = (octreeAttributes(view, attributes).sheet & (0xFFFFFFu | SHEET_DOUBLE)) | side;
    return 0u;
}

/// Whether a ray that went through a surface of glass, or came back from one, meets another glass that touches it
/// there. (Into empty space rays start without an axis.)
SHARED_INLINE uint voxelTouches(VoxelPath state, VoxelHit hit) {
    return HAS_MODEL(MODEL_TWO_DIELECTRICS) && hit.distance == 0.0f && hit.face != FACE_INSIDE &&
                   state.from.face != FACE_INSIDE && state.from.sheetAhead == NO_SHEET
               ? 1u
               : 0u;
}

/// The sheet of the voxel that the ray is at where it ignores it, else NO_SHEET. `normal` is that of a surface within
/// the voxel that the ray meets, or 0: such surfaces of neighbours do not quite meet, so that they do not tell the
/// side.
SHARED_INLINE uint voxelIgnored(uint64_t params, VoxelPath state, VoxelHit hit, VoxelSurface surface, vec3 normal) {
    uint64_t view = VOXEL_OCTREE(params);
    if (AT(VoxelParams, params, 0).smoothNormals == 0u || OCTREE_ENCODING(view) == OCTREE_FIELD ||
        voxelTouches(state, hit) != 0u) {
        return NO_SHEET;
    }
    float voxelSize = AT(VoxelParams, params, 0).voxelSize;
    vec3 point = OCTREE_ENCODING(view) == OCTREE_PLANES ? traversalPosition(state.ray)
                                                        : voxelCorner(hit.voxel, voxelSize) + vec3(0.5f * voxelSize);
    // Planes of one sheet end a little apart. What starts higher over the plane that it meets comes from elsewhere,
    // such as the underside of a ball on a thin floor, which faces as the floor's own underside does.
    if (dot(state.from.position - point, normal) > SHEET_MISFIT * voxelSize) {
        return NO_SHEET;
    }
    uint before = voxelBefore(state, hit);
    uint tells = 0u;
    if (dot(normal, normal) == 0.0f && before != SHEET_LOST) {
        tells = before != NO_SHEET ? 1u : voxelFaceTellsSide(params, state, hit, surface);
    }
    uint leaves;
    uint sheet = ignoredSheet(state.from, traversalRayDirection(state.ray), voxelSize, hit.distance, point, surface,
                              before, hit.face, tells, leaves);
    return sheetPassed(view, state.ray, surface, sheet, leaves);
}

/// Makes the voxel that the ray went out of last what it hits, from inside.
SHARED_INLINE void voxelLeaveBehind(uint64_t params, VoxelPath state, INOUT(VoxelHit, hit)) {
    hit.voxel = voxelBehind(VOXEL_OCTREE(params), state.ray);
    hit.face = faceBehind(state.ray);
    hit.distance = traversalDistance(state.ray);
}

/// Whether the ray comes out of the glass that it is in where it meets this voxel, of another glass: `hit` and
/// `surface` are then those of the voxel behind. From there it starts again towards this one. Inside of a mesh, voxels
/// do not know which glass they are of, so that a ray could not come back there: it goes into the other glass at once.
SHARED_INLINE uint voxelLeavesForOther(uint64_t params, VoxelPath state, INOUT(VoxelHit, hit),
                                       INOUT(VoxelSurface, surface)) {
    uint64_t view = VOXEL_OCTREE(params);
    if (SURFACE_WITHIN(view) || state.rayMedium == MEDIUM_NONE || state.ray.axis == TRAVERSAL_NO_AXIS ||
        voxelTraits(params, state.rayMedium - 1u).model != MODEL_DIELECTRIC ||
        voxelTraits(params, voxelMaterial(params, surface).material).model != MODEL_DIELECTRIC) {
        return 0u;
    }
    uint shift;
    uint64_t behind = octreeCellAttributes(view, voxelBehind(view, state.ray), shift);
    if (behind == OCTREE_NO_ATTRIBUTES) {
        return 0u;
    }
    voxelLeaveBehind(params, state, hit);
    surface = voxelSurfaceAt(params, behind);
    return 1u;
}

/// Whether a ray that comes out of a solid by the face of its last voxel, `hit`, goes on in it by the sheet in that: it
/// is in a notch between two voxels.
SHARED_INLINE uint voxelInNotch(uint64_t params, VoxelPath state, VoxelHit hit, VoxelSurface surface) {
    if (AT(VoxelParams, params, 0).smoothNormals == 0u) {
        return 0u;
    }
    float voxelSize = AT(VoxelParams, params, 0).voxelSize;
    vec3 direction = traversalRayDirection(state.ray);
    vec3 centre = voxelCorner(hit.voxel, voxelSize) + vec3(0.5f * voxelSize);
    // As a ray that came in by that face would be outside.
    vec3 outside;
    VoxelSurface met = sheetMet(surface, NO_SHEET, hit.face, -direction, outside);
    uint leaves;
    ignoredSheet(state.from, direction, voxelSize, hit.distance, centre, surface, NO_SHEET, FACE_INSIDE, 0u, leaves);
    uint known = hasSheets(surface) != 0u && dot(outside, outside) > 0.0f ? 1u : 0u;
    return leaves == LEAVES_ALL || (known != 0u && sheetSine(met, outside, -direction) > SHEET_LEAVING + surface.spread)
               ? 1u
               : 0u;
}

/// Takes a ray through a voxel, or a full node, of the solid or the pane that it is within. TRAVERSAL_HIT where it
/// leaves the solid: `hit` is then its last voxel, and the ray is on the face that it leaves by. Else the status of the
/// traversal, which goes on.
SHARED_INLINE uint voxelPassWithin(uint64_t params, INOUT(VoxelPath, state), INOUT(VoxelHit, hit),
                                   VoxelSurface surface) {
    uint64_t view = VOXEL_OCTREE(params);
    uint status = voxelSkip(params, state);
    state.passedSheet = NO_SHEET;
    if (status == TRAVERSAL_RUNNING && octreeSolid(view, traversalVoxel(view, state.ray)) != 0u) {
        return status;
    }
    if (voxelTraits(params, state.rayMedium - 1u).model != MODEL_DIELECTRIC) {
        return status; // a pane may be hollow
    }
    voxelLeaveBehind(params, state, hit);
    uint notch = voxelInNotch(params, state, hit, surface);
    return status == TRAVERSAL_RUNNING && notch != 0u ? TRAVERSAL_RUNNING : TRAVERSAL_HIT;
}

/// Whether what is in a voxel, met with `normal` (surfaceMet) or 0, runs along the pane that the ray came through: what
/// stands at an angle to that is another pane, however close. Where it has no sheet it is taken to.
SHARED_INLINE uint voxelAlongPane(VoxelPath state, VoxelSurface surface, vec3 normal) {
    vec3 pane = state.from.pane;
    vec3 met = dot(normal, normal) > 0.0f ? normal
               : hasSheets(surface) != 0u ? sheetFacing(surface, pane).geometricNormal
                                          : pane;
    return abs(dot(met, pane)) > SHEET_FACING ? 1u : 0u;
}

/// Whether the ray, in a pane, is still so close behind the surface that it came through that what it meets is of the
/// same pane; else it is behind the pane.
SHARED_INLINE uint voxelOfPane(uint64_t params, INOUT(VoxelPath, state), VoxelSurface surface, vec3 normal) {
    vec3 offset = (traversalPosition(state.ray) - state.from.position) / AT(VoxelParams, params, 0).voxelSize;
    if (abs(dot(offset, state.from.pane)) < PANE_DEPTH && voxelAlongPane(state, surface, normal) != 0u) {
        return 1u;
    }
    state.rayMedium = MEDIUM_NONE;
    return 0u;
}

/// Whether a voxel is of the glass that the ray is in, as a whole: no plane fits into it, at an edge of the solid.
SHARED_INLINE uint voxelWholeGlass(uint64_t params, VoxelPath state, uint64_t attributes, uint material) {
    uint64_t view = VOXEL_OCTREE(params);
    if (!HAS_MODEL(MODEL_DIELECTRIC) || OCTREE_ENCODING(view) != OCTREE_PLANES || state.rayMedium != material + 1u ||
        voxelTraits(params, material).model != MODEL_DIELECTRIC) {
        return 0u;
    }
    return slabIsWhole(octreeSlab(view, attributes));
}

/// Whether a surface within a voxel is passed: a voxel that the ray met as a whole and starts in, to its other side, or
/// that is all of the glass that the ray is in, or the rest of the pane that it goes through. The ray
/// then goes on.
SHARED_INLINE uint voxelPassesSurface(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
                                      vec3 normal, uint64_t attributes, uint material) {
    if (OCTREE_ENCODING(VOXEL_OCTREE(params)) == OCTREE_PLANES && state.crossed != 0u && state.from.sheet == NO_SHEET &&
        hit.face == FACE_INSIDE && hit.voxel == state.from.voxel) {
        return 1u;
    }
    if (voxelWholeGlass(params, state, attributes, material) != 0u) {
        return 1u;
    }
    bool inPane = HAS_MODEL(MODEL_THIN_GLASS) && state.rayMedium == material + 1u &&
                  voxelTraits(params, material).model == MODEL_THIN_GLASS;
    return inPane ? voxelOfPane(params, state, surface, normal) : 0u;
}

/// Whether the ray goes through the voxel that it is at, whose surface it meets.
SHARED_INLINE uint voxelPasses(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
                               vec3 normal, uint64_t attributes) {
    uint64_t view = VOXEL_OCTREE(params);
    if (!SURFACE_WITHIN(view) && attributes == OCTREE_NO_ATTRIBUTES) {
        return state.rayMedium != MEDIUM_NONE ? 1u : 0u;
    }
    uint material = voxelMaterial(params, surface).material;
    if (SURFACE_WITHIN(view)) {
        return voxelPassesSurface(params, state, hit, surface, normal, attributes, material);
    }
    if (state.rayMedium != material + 1u) {
        return 0u;
    }
    // A run of voxels is one pane, whichever way the ray goes in it; behind a gap, what is close.
    if (HAS_MODEL(MODEL_THIN_GLASS) && hit.distance > state.passedAt &&
        voxelTraits(params, material).model == MODEL_THIN_GLASS) {
        return voxelOfPane(params, state, surface, normal);
    }
    return 1u;
}

/// Whether a ray in glass comes out of it where it has come out of a voxel that is glass as a whole. Of the next
/// voxel's plane it is on the one or the other side; where that has none, an edge's faces look away from the solid, all
/// on the side of their mean normal.
SHARED_INLINE uint voxelEndsGlass(uint64_t params, VoxelPath state, VoxelSurface surface) {
    uint64_t view = VOXEL_OCTREE(params);
    uint shift;
    uint64_t ahead = octreeCellAttributes(view, traversalVoxel(view, state.ray), shift);
    if (ahead != OCTREE_NO_ATTRIBUTES) {
        VoxelSurface next = voxelSurfaceAt(params, ahead);
        if (voxelMaterial(params, next).material + 1u == state.rayMedium) {
            SurfaceSlab slab = octreeSlab(view, ahead);
            if (slabIsWhole(slab) != 0u) {
                return 0u;
            }
            shift += 23u - 2u * AT(OctreeView, view, 0).levels;
            SlabPlanes planes = unpackSlab(slab);
            float height = slabPointHeight(
                planes.normal, surfacePoint(state.ray, state.ray.position, traversalCellLow(state.ray, shift), shift));
            float outside =
                dot(next.geometricNormal, planes.normal) < 0.0f ? planes.low - height : height - planes.high;
            return outside > 0.0f ? 1u : 0u;
        }
    }
    return dot(surface.geometricNormal, faceNormal(faceBehind(state.ray))) > 0.0f ? 1u : 0u;
}

/// Goes past the surface within a voxel that was met. TRAVERSAL_HIT where that ends the glass that the ray is in, as
/// voxelPassWithin has it.
SHARED_INLINE uint voxelCrossSurface(uint64_t params, INOUT(VoxelPath, state), INOUT(VoxelHit, hit),
                                     VoxelSurface surface, uint64_t attributes) {
    uint64_t view = VOXEL_OCTREE(params);
    if (OCTREE_ENCODING(view) == OCTREE_FIELD) {
        state.passedSheet = state.passedSheet ^ SHEET_REVERSED;
        state.ray.axis = TRAVERSAL_NO_AXIS; // starts again from there
        state.rayMedium = MEDIUM_NONE;      // a pane has no third surface
        return TRAVERSAL_RUNNING;
    }
    uint status = voxelSkip(params, state);
    state.passedSheet = SHEET_LOST;
    if (voxelWholeGlass(params, state, attributes, voxelMaterial(params, surface).material) != 0u &&
        (status == TRAVERSAL_MISS || voxelEndsGlass(params, state, surface) != 0u)) {
        voxelLeaveBehind(params, state, hit);
        status = TRAVERSAL_HIT;
    }
    return status;
}

/// Whether the ray gets to the surface of the voxel that it is at: TRAVERSAL_HIT, with the voxel's attributes, and
/// `normal` as surfaceMet has it. TRAVERSAL_MISS where it has gone `reach`, to a light, before; else the status of the
/// traversal, which goes on past the voxel.
SHARED_INLINE uint voxelReached(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, float reach,
                                OUT(uint64_t, attributes), INOUT(vec3, normal)) {
    uint64_t view = VOXEL_OCTREE(params);
    uint status = TRAVERSAL_HIT;
    attributes = OCTREE_NO_ATTRIBUTES;
    if (hit.distance >= reach) {
        status = TRAVERSAL_MISS;
    } else {
        attributes = hitAttributeIndex(view, hit);
        if (SURFACE_WITHIN(view)) {
            if (voxelMeets(params, state, attributes, normal) == 0u) {
                status = voxelSkip(params, state);
            } else if (surfaceDistance(state.ray) >= reach) {
                status = TRAVERSAL_MISS;
            }
        }
    }
    return status;
}

/// Tells a ray that starts in a solid at the camera what it is in, by the first voxel that knows: those at the solid's
/// surface do. A solid that is no glass ends the ray there.
SHARED_INLINE void voxelFindMedium(uint64_t params, INOUT(VoxelPath, state), VoxelSurface surface,
                                   uint64_t attributes) {
    if (state.rayMedium == MEDIUM_UNKNOWN && attributes != OCTREE_NO_ATTRIBUTES) {
        uint material = voxelMaterial(params, surface).material;
        state.rayMedium = voxelTraits(params, material).model == MODEL_DIELECTRIC ? material + 1u : MEDIUM_NONE;
    }
}

/// Whether the surface that the ray got to ends it: TRAVERSAL_HIT, where `leaving` is 1 if it leaves a solid there, by
/// `hit` as voxelPassWithin has it. Else as voxelReached.
SHARED_INLINE uint voxelStops(uint64_t params, INOUT(VoxelPath, state), INOUT(VoxelHit, hit),
                              INOUT(VoxelSurface, surface), uint64_t attributes, vec3 normal, float reach,
                              INOUT(uint, leaving)) {
    uint status = TRAVERSAL_HIT;
    uint passes = 0u;
    if (HAS_MODEL(MODEL_DIELECTRIC)) {
        voxelFindMedium(params, state, surface, attributes);
    }
    if (HAS_TRANSMISSION && state.rayMedium + state.crossed != 0u) {
        passes = voxelPasses(params, state, hit, surface, normal, attributes);
    }
    if (HAS_TRANSMISSION && passes != 0u) {
        if (SURFACE_WITHIN(VOXEL_OCTREE(params))) {
            status = voxelCrossSurface(params, state, hit, surface, attributes);
        } else {
            status = voxelPassWithin(params, state, hit, surface);
        }
        leaving = status == TRAVERSAL_HIT ? 1u : 0u;
        if (leaving != 0u && hit.distance >= reach) {
            status = TRAVERSAL_MISS; // the light is in the solid
        }
    } else if (HAS_MODEL(MODEL_TWO_DIELECTRICS) && voxelLeavesForOther(params, state, hit, surface) != 0u) {
        leaving = 1u;
    } else {
        uint sheet = voxelIgnored(params, state, hit, surface, normal);
        if (sheet != NO_SHEET) {
            status = voxelSkip(params, state);
            state.passedSheet = sheet;
        }
    }
    return status;
}

SHARED_END
#endif
