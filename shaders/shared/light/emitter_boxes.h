// The lamps among the voxels: boxes around what emits, and which of them a voxel is part of. One of them is chosen by
// light_tree.h. How bright it is, the voxel says that is met: emission may differ within a box.
//
// A flat lamp has no rim, but its voxels do: they are as thick as they are wide. So it emits through the two large
// sides of its box only, which has no thickness where the lamp does not lie along the grid.
//
// Voxels, and the surfaces within them, are lit by through directions into such a box, whatever lies in it: a direction
// counts where the first thing that it meets is a voxel of that box. So the density of what chance finds follows from
// the voxel and the ray: it is that of its box, where the ray goes through that, or 0.
#ifndef AUREOLE_SHARED_EMITTER_BOXES_H
#define AUREOLE_SHARED_EMITTER_BOXES_H

#include "shared/sampling/spherical_box.h"

SHARED_BEGIN

/// A box, of any orientation, around voxels of one material, or the surfaces in them; in the units of the grid.
struct EmitterBox {
    vec3 middle;
    float power; ///< what it is chosen by
    vec3 first;  ///< unit vectors: its first two axes, which their cross product completes
    uint material;
    vec3 second;
    vec3 halves; ///< half of its size along these
    uint across; ///< of a flat lamp the axis across it: only the sides there emit; else NO_SIDE
};
SHARED_ARRAY(EmitterBox, 4)

#define NO_BOX 0xFFFFFFFFu

/// Voxels that follow each other along x.
struct EmitterRow {
    uint first; ///< y << 16 | x of the first one
    uint box;   ///< that they are in, or NO_BOX
    uint entry; ///< index of their emission in the palette
};
SHARED_ARRAY(EmitterRow, 4)

/// The arrays of boxes, and the two by which emitterRow finds the row of a voxel.
struct EmitterTables {
    uint64_t boxes;
    uint64_t slices; ///< uint: index of the first row of voxels with each z, and behind the last
    uint64_t rows;   ///< EmitterRow, rising within a slice, each up to the next
};
SHARED_ARRAY(EmitterTables, 8)

/// The row that a voxel is in.
SHARED_INLINE EmitterRow emitterRow(uint64_t tables, uvec3 voxel) {
    uint64_t rows = AT(EmitterTables, tables, 0).rows;
    uint low = AT(uint, AT(EmitterTables, tables, 0).slices, voxel.z);
    uint end = AT(uint, AT(EmitterTables, tables, 0).slices, voxel.z + 1u);
    uint key = (voxel.y << 16u) | voxel.x;
    EmitterRow found;
    found.box = NO_BOX;
    while (low < end) { // the last row that begins no later
        uint middle = low + ((end - low) >> 1u);
        EmitterRow row = AT(EmitterRow, rows, middle);
        if (row.first <= key) {
            found = row;
            low = middle + 1u;
        } else {
            end = middle;
        }
    }
    return found;
}

/// A vector along the axes of a box.
SHARED_INLINE vec3 intoBox(EmitterBox box, vec3 v) {
    return vec3(dot(v, box.first), dot(v, box.second), dot(v, cross(box.first, box.second)));
}

SHARED_INLINE vec3 outOfBox(EmitterBox box, vec3 v) {
    return box.first * v.x + box.second * v.y + cross(box.first, box.second) * v.z;
}

/// A box as seen from a point, with the measures of those of its sides that emit.
SHARED_INLINE SeenBox seeEmitterBox(EmitterBox box, vec3 point) {
    SeenBox seen = seeBox(box.halves, intoBox(box, point - box.middle));
    if (box.across != NO_SIDE) {
        seen.measure = fromSide(box.across, onAxis(seen.measure, box.across), vec2(0.0f));
    }
    return seen;
}

SHARED_END
#endif
