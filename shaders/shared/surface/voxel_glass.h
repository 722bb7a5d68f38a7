// Glass made of voxels: how rays go through solids and panes.
//
// Surfaces within voxels (planes, field) are crossed: the ray starts on their other side. A voxel of planes into which
// none fits, at an edge, is glass as a whole: a ray in glass passes it and leaves it by the face beyond which there is
// none. Of cubes, a solid is its
// occupied voxels. A ray in one goes through all that are of its material, or inside without one of their own, and
// leaves by the face beyond which there is nothing. A pane is met once: the ray that goes through it ignores the rest
// of its voxels. Where it meets another glass, the ray leaves the one and starts on the same face towards the other.
//
// The sheet rule (sheet.h) holds on both sides. Outside, a ray that leaves a surface ignores stairs of it that it would
// run into; inside, it ignores notches between them that it would fall out of: the same sheet and the same rule, seen
// from its other side. What is ignored there is empty space only, so that no wall is passed. A ray that ignored a notch
// and does not meet the solid again has left it at an edge, unbent.
#ifndef AUREOLE_SHARED_VOXEL_GLASS_H
#define AUREOLE_SHARED_VOXEL_GLASS_H

#include "shared/path/path.h"
#include "shared/surface/sheet.h"

SHARED_BEGIN

/// Whether anything lets rays through.
#define HAS_TRANSMISSION ((MATERIAL_MODELS & MODELS_OF_GLASS) != 0u)

/// How far behind the first surface of a pane others belong to it, in voxels across.
#define PANE_DEPTH 4.0f

/// Puts the point that rays leave from on the other side of its surface. Twice is none.
SHARED_INLINE void crossSurface(INOUT(VoxelPoint, from)) {
    from.side = -from.side;
    from.sheet = from.sheet ^ (from.sheet != NO_SHEET ? SHEET_REVERSED : 0u); // the side of a field likewise
    from.sheetAhead = NO_SHEET;
}

/// The voxel that the ray went out of last, and the face of it.
SHARED_INLINE uvec3 voxelBehind(uint64_t view, Traversal ray) {
    ray.position = ray.position - uvec3(ray.axis == 0u ? 1u : 0u, ray.axis == 1u ? 1u : 0u, ray.axis == 2u ? 1u : 0u);
    return traversalVoxel(view, ray);
}

SHARED_INLINE uint faceBehind(Traversal ray) {
    return 2u * ray.axis + (((ray.mirrorAxes >> ray.axis) & 1u) ^ 1u);
}

SHARED_END
#endif
