// What a ray does in a sheet (sheet.h) that it leaves in the mean, but not all triangles of which it is known to leave:
// a look at the voxels ahead. As a voxel's surface does not touch a face towards an empty voxel, the face by which the
// ray comes out into one tells the side that it is on then. Where that is the side that it came from, it has not gone
// through.
#ifndef AUREOLE_SHARED_SHEET_AHEAD_H
#define AUREOLE_SHARED_SHEET_AHEAD_H

#include "shared/surface/sheet.h"

SHARED_BEGIN

#define SHEET_LOOK_AHEAD 8u ///< voxels

/// The face of its cell that a ray goes out by, across `axis`.
SHARED_INLINE uint faceAhead(Traversal state, uint axis) {
    return 2u * axis + (((state.mirrorAxes >> axis) & 1u) ^ 1u);
}

/// Whether a ray on the side `side` of the surface in the voxel that it is at, no edge, comes out of the sheet on that
/// side, as far as can be told. Not for cells of planes.
SHARED_INLINE uint staysInFront(uint64_t view, Traversal state, VoxelSurface surface, vec3 side) {
    vec3 direction = traversalRayDirection(state);
    uint shift = traversalLeafShift(view);
    uint known = 0u;
    for (uint i = 0u; i < SHEET_LOOK_AHEAD; i++) {
        uint axis;
        state.position = traversalExit(state, shift, axis);
        uvec3 voxel = traversalVoxel(view, state);
        uint beyond = max(state.position.x, max(state.position.y, state.position.z)) >> 30u; // the grid
        if (beyond != 0u || octreeSolid(view, voxel) == 0u) {
            // As a ray that came in there the other way.
            vec3 outside = arrivalSide(surface, NO_SHEET, faceAhead(state, axis), -direction);
            known = dot(outside, side) > 0.0f ? 1u : 0u;
            break;
        }
        uint cell;
        vec3 last = side;
        uint turned = dot(surface.geometricNormal, side) < 0.0f ? 1u : 0u;
        surface = unpackAttributes(octreeAttributes(view, octreeCellAttributes(view, voxel, cell)));
        side = turned != 0u ? -surface.geometricNormal : surface.geometricNormal;
        if ((surface.crease | surface.doubleSided) != 0u || dot(side, last) <= SHEET_CONTINUES ||
            dot(side, direction) <= SHEET_LEAVING) {
            break;
        }
    }
    return known;
}

/// The sheet of the voxel that a ray is at, as ignoredSheet has it, where the ray goes on through it, else NO_SHEET.
SHARED_INLINE uint sheetPassed(uint64_t view, Traversal state, VoxelSurface surface, uint sheet, uint leaves) {
    uint passed = sheet;
    if (leaves == LEAVES_MEAN) {
        vec3 n = surface.geometricNormal;
        passed = OCTREE_ENCODING(view) != OCTREE_PLANES &&
                         staysInFront(view, state, surface, (sheet & SHEET_REVERSED) != 0u ? -n : n) != 0u
                     ? sheet
                     : NO_SHEET;
    }
    return passed;
}

SHARED_END
#endif
