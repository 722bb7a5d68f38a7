// What a path sees of a voxel that it stands at: the point, the side, the normals and the material. The shading normal
// goes into the hit.
#ifndef AUREOLE_SHARED_VOXEL_SURFACE_H
#define AUREOLE_SHARED_VOXEL_SURFACE_H

#include "shared/surface/voxel_state.h"

SHARED_BEGIN

/// Least sine over the geometric normal at which a path arrives at a surface.
#define SIDE_LEAST_SINE 0.005f

/// What a voxel's attributes say, the material as the index of its entry in the palette.
SHARED_INLINE VoxelSurface voxelSurfaceAt(uint64_t params, uint64_t attributes) {
    uint64_t view = VOXEL_OCTREE(params);
    VoxelSurface surface = unpackAttributes(octreeAttributes(view, attributes));
    surface.material = octreePaletteIndex(view, attributes, surface.material);
    return surface;
}

/// Whether the face of a cell of planes that a ray comes through from an empty voxel tells the side that it is on. A
/// voxel's surface does not touch that face. Of a merged cell's face this is only known of the part that is the empty
/// voxel's, so that the slab has to pass from this part into the cell before it has crossed the voxel.
SHARED_INLINE uint voxelFaceTellsSide(uint64_t params, VoxelPath state, VoxelHit hit, VoxelSurface surface) {
    uint64_t view = VOXEL_OCTREE(params);
    if (OCTREE_ENCODING(view) != OCTREE_PLANES) {
        return 1u;
    }
    uint larger = traversalHitShift(view, state.ray) + 2u * AT(OctreeView, view, 0).levels - 23u;
    if (larger == 0u) {
        return 1u;
    }
    SlabPlanes planes = unpackSlab(octreeSlab(view, hitAttributeIndex(view, hit)));
    float thickness = (planes.high - planes.low) / length(planes.normal) * float(1u << larger); // in voxels
    return abs(dot(surface.geometricNormal, faceNormal(hit.face))) > max(thickness, 0.7f) ? 1u : 0u;
}

/// The sheet of the voxel that a ray comes to `hit` from, NO_SHEET where that is empty; or SHEET_LOST.
SHARED_INLINE uint voxelBefore(VoxelPath state, VoxelHit hit) {
    return hit.distance == state.passedAt ? state.passedSheet : NO_SHEET;
}

/// The side of a surface that a path arrives on along `direction`, turned as little as puts the path above it: by no
/// more than normals in the voxel differ, since what a path leaves it passes.
SHARED_INLINE vec3 sideAgainst(vec3 side, vec3 direction) {
    float below = dot(side, direction) + SIDE_LEAST_SINE;
    return below > 0.0f ? normalize(side - direction * below) : side;
}

/// The sheet of a voxel that a path stands on, as sheetMet has it; of an edge the other one where the path leaves that.
SHARED_INLINE VoxelSurface sheetStoodOn(VoxelSurface surface, uint before, uint face, vec3 direction, OUT(vec3, side)) {
    VoxelSurface sheet = sheetMet(surface, before, face, direction, side);
    if (sheet.crease != 0u && dot(side, direction) > 0.0f) {
        vec3 turned = dot(sheet.geometricNormal, side) < 0.0f ? -sheet.normal : sheet.normal;
        if (dot(turned, direction) < 0.0f) {
            side = turned;
            sheet = sheetFacing(surface, sheet.normal);
        }
    }
    return sheet;
}

/// Puts the path on the sheet of a voxel, on its side `side`.
SHARED_INLINE void voxelStandOn(uint64_t params, INOUT(VoxelPath, state), VoxelSurface sheet, vec3 side) {
    vec3 normal = sheet.crease != 0u ? sheet.geometricNormal : sheet.normal;
    state.from.sheet = makeSheet(sheet, side) & ~SHEET_EDGE;
    state.from.side = SURFACE_WITHIN(VOXEL_OCTREE(params)) ? side : sideAgainst(side, traversalRayDirection(state.ray));
    state.hit.surface.normal = dot(sheet.geometricNormal, side) < 0.0f ? -normal : normal;
}

/// Puts `from` where the ray is, on the surface of a voxel as a whole.
SHARED_INLINE void voxelStand(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
                              vec3 faceOut) {
    uint before = voxelBefore(state, hit);
    before = before == SHEET_LOST ? NO_SHEET : before;
    vec3 direction = traversalRayDirection(state.ray);
    state.from.voxel = hit.voxel;
    state.from.face = hit.face;
    state.hit.surface.normal = faceOut;
    state.from.side = faceOut;
    state.from.sheet = NO_SHEET;
    state.from.sheetAhead = hit.face == FACE_INSIDE ? NO_SHEET : before & ~SHEET_EDGE;
    if (AT(VoxelParams, params, 0).smoothNormals != 0u && hasSheets(surface) != 0u &&
        (before != NO_SHEET || voxelFaceTellsSide(params, state, hit, surface) != 0u)) {
        vec3 side;
        VoxelSurface sheet = sheetStoodOn(surface, before, hit.face, direction, side);
        if (dot(side, side) > 0.0f) {
            voxelStandOn(params, state, sheet, side);
        }
    }
}

/// Puts `from` where the ray leaves a solid by the face `hit.face` of its last voxel.
SHARED_INLINE void voxelStandLeaving(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface) {
    vec3 direction = traversalRayDirection(state.ray);
    state.from.voxel = hit.voxel;
    state.from.face = hit.face;
    state.from.side = -faceNormal(hit.face);
    state.hit.surface.normal = state.from.side;
    state.from.sheet = NO_SHEET;
    state.from.sheetAhead = NO_SHEET;
    if (AT(VoxelParams, params, 0).smoothNormals != 0u && hasSheets(surface) != 0u) {
        // As a ray that came in there the other way.
        vec3 outside;
        VoxelSurface sheet = sheetStoodOn(surface, NO_SHEET, hit.face, -direction, outside);
        if (dot(outside, outside) > 0.0f) {
            voxelStandOn(params, state, sheet, -outside);
        }
    }
}

/// Puts `from` where the ray is, on the surface within a voxel, met with `normal`.
SHARED_INLINE void voxelStandWithin(uint64_t params, INOUT(VoxelPath, state), VoxelSurface surface, vec3 normal) {
    state.from.voxel = traversalVoxel(VOXEL_OCTREE(params), state.ray);
    state.from.face = FACE_INSIDE;
    state.from.side = normal;
    state.hit.surface.normal =
        AT(VoxelParams, params, 0).smoothNormals != 0u ? surfaceShadingNormal(surface, normal) : normal;
    state.from.sheet =
        OCTREE_ENCODING(VOXEL_OCTREE(params)) == OCTREE_PLANES ? makeSheet(surface, normal) : state.passedSheet;
    state.from.sheetAhead = NO_SHEET;
}

/// The normal, of either sign, of the pane that the path comes to in a voxel, where it stands on the side `side`: that
/// of the voxel's sheet, since `side` may be a face's. Edges of glass have no sheets.
SHARED_INLINE vec3 voxelPaneNormal(uint64_t params, VoxelSurface surface, vec3 side) {
    return SURFACE_WITHIN(VOXEL_OCTREE(params)) || hasSheets(surface) == 0u
               ? side
               : sheetFacing(surface, side).geometricNormal;
}

/// What all of a material has in common.
SHARED_INLINE MaterialTraits voxelTraits(uint64_t params, uint material) {
    return AT(MaterialTraits, AT(PathParams, params, 0).materials, material);
}

/// What a path scatters at where it meets a voxel of a material; `entering` is 1 where it comes from outside of what
/// the surface bounds.
SHARED_INLINE SurfaceHit voxelScatterer(uint64_t params, VoxelSurface surface, vec3 normal, vec3 side, uint material,
                                        vec3 outgoing, uint entering) {
    SurfaceHit hit;
    hit.material = material;
    hit.outgoing = outgoing;
    hit.entering = entering;
    MaterialTraits traits = mattTraits();
    if (HAS_TRAITS) {
        traits = voxelTraits(params, material);
    }
    hit.surface = makeScatterer(traits, entering, normal, side, outgoing);
    hit.surface.albedo = surface.albedo;
    hit.surface.roughness = surface.roughness;
    hit.surface.metalness = surface.metalness;
    return hit;
}

/// What a voxel is made of and emits; `surface.material` is the index of the entry in the palette.
SHARED_INLINE VoxelMaterial voxelMaterial(uint64_t params, VoxelSurface surface) {
    VoxelMaterial entry;
    entry.emission = vec3(0.0f);
    entry.material = 0u;
    if (surface.material != 0u) {
        entry = AT(VoxelMaterial, AT(OctreeView, VOXEL_OCTREE(params), 0).palette, surface.material);
    }
    return entry;
}

/// Whether connections go on through a voxel's surface, or, where `leaving` is 1, out of the solid of `medium` there.
SHARED_INLINE uint voxelIsClearPane(uint64_t params, VoxelSurface surface, uint medium, uint leaving) {
    if (!HAS_MODEL(MODEL_THIN_GLASS)) {
        return 0u;
    }
    VoxelMaterial entry = voxelMaterial(params, surface);
    if (leaving != 0u && entry.material != medium - 1u) {
        entry.material = medium - 1u; // as voxelPathStand has it
        entry.emission = vec3(0.0f);
    }
    MaterialTraits traits = voxelTraits(params, entry.material);
    return isClearPane(traits.model, traits.ior, entry.emission);
}

/// Whether the path arrives at what it stands at from outside. Of cubes, solids have no inner side: they are left by
/// the last of their voxels. Of surfaces within voxels the orientation tells, and where there is none, the medium.
SHARED_INLINE uint voxelEntered(uint64_t params, VoxelPath state, VoxelSurface surface, uint material, uint leaving) {
    uint64_t view = VOXEL_OCTREE(params);
    if (!SURFACE_WITHIN(view)) {
        return leaving != 0u ? 0u : 1u;
    }
    if (state.from.sheet == NO_SHEET) {
        return state.path.medium == material + 1u ? 0u : 1u;
    }
    if (OCTREE_ENCODING(view) == OCTREE_FIELD) {
        return (state.from.sheet & SHEET_REVERSED) != 0u ? 0u : 1u;
    }
    return dot(surface.geometricNormal, state.from.side) < 0.0f ? 0u : 1u;
}

SHARED_END
#endif
