// The lamps among the voxels: rectangles of exposed faces that emit alike, how one of them is chosen for a point, and
// which of them a face is part of.
#ifndef AUREOLE_SHARED_EMITTER_RECTANGLES_H
#define AUREOLE_SHARED_EMITTER_RECTANGLES_H

#include "shared/octree/traversal.h"
#include "shared/sampling/spherical_rectangle.h"

SHARED_BEGIN

/// Faces of voxels of one palette entry, in one plane and facing one way. The axes of the plane are called u and v, in
/// the order x, y, z.
struct EmitterRectangle {
    uint xy;     ///< of the voxel of the least coordinates: x | y << 16
    uint zFace;  ///< z | face << 16
    uint extent; ///< voxels along u | along v << 16
    uint entry;  ///< index into the palette
};
SHARED_ARRAY(EmitterRectangle, 4)

/// The rectangles that face one way: they stand together.
struct EmitterSide {
    uint first;
    uint count;
    float power;    ///< sum of the rectangles' luminances times their voxels
    float farthest; ///< the plane that is the farthest from what its rectangles face: points on the wrong side of this
                    ///< one are on the wrong side of all
};
SHARED_ARRAY(EmitterSide, 4)

/// What all of this is found by. A row is what a rectangle has of one line of voxels along u; each plane has its rows
/// in the order of their keys.
struct EmitterTables {
    uint64_t rectangles; ///< EmitterRectangle, by face, plane, v and u
    uint64_t choice;     ///< AliasSlot for each, those of a side by power among each other
    uint64_t planes; ///< uint: index of the first row of plane face << (2 * levels) | coordinate, and behind the last
    uint64_t rows;   ///< uvec2: v << 16 | first u; index of the rectangle
    EmitterSide sides[6];
};
SHARED_ARRAY(EmitterTables, 8)

#define NO_RECTANGLE 0xFFFFFFFFu

SHARED_INLINE uint rectangleFace(EmitterRectangle rectangle) {
    return rectangle.zFace >> 16u;
}

/// The voxel of the least coordinates.
SHARED_INLINE uvec3 rectangleVoxel(EmitterRectangle rectangle) {
    return uvec3(rectangle.xy & 0xFFFFu, rectangle.xy >> 16u, rectangle.zFace & 0xFFFFu);
}

/// Voxels along u and along v.
SHARED_INLINE uvec2 rectangleExtent(EmitterRectangle rectangle) {
    return uvec2(rectangle.extent & 0xFFFFu, rectangle.extent >> 16u);
}

/// A voxel's coordinates along u and v of a face.
SHARED_INLINE uvec2 alongFace(uvec3 voxel, uint face) {
    uint axis = face >> 1u;
    return uvec2(axis == 0u ? voxel.y : voxel.x, axis == 2u ? voxel.y : voxel.z);
}

SHARED_INLINE uint acrossFace(uvec3 voxel, uint face) {
    uint axis = face >> 1u;
    return axis == 0u ? voxel.x : axis == 1u ? voxel.y : voxel.z;
}

/// Whether that face of a voxel is part of the rectangle.
SHARED_INLINE uint rectangleHas(EmitterRectangle rectangle, uvec3 voxel, uint face) {
    uvec3 low = rectangleVoxel(rectangle);
    uvec2 size = rectangleExtent(rectangle);
    uvec2 apart = alongFace(voxel, face) - alongFace(low, face); // wraps round below it
    return face == rectangleFace(rectangle) && acrossFace(voxel, face) == acrossFace(low, face) && apart.x < size.x &&
                   apart.y < size.y
               ? 1u
               : 0u;
}

/// The rectangle that a voxel's face is part of, or NO_RECTANGLE: of a face that does not emit, or is not exposed.
SHARED_INLINE uint rectangleOfFace(uint64_t tables, uint levels, uvec3 voxel, uint face) {
    uint plane = (face << (2u * levels)) | acrossFace(voxel, face);
    uint low = AT(uint, AT(EmitterTables, tables, 0).planes, plane);
    uint end = AT(uint, AT(EmitterTables, tables, 0).planes, plane + 1u);
    uvec2 place = alongFace(voxel, face);
    uint key = (place.y << 16u) | place.x;
    uint found = NO_RECTANGLE;
    while (low < end) { // the last row that begins no later
        uint middle = low + ((end - low) >> 1u);
        uvec2 row = AT(uvec2, AT(EmitterTables, tables, 0).rows, middle);
        if (row.x <= key) {
            found = row.y;
            low = middle + 1u;
        } else {
            end = middle;
        }
    }
    if (found != NO_RECTANGLE &&
        rectangleHas(AT(EmitterRectangle, AT(EmitterTables, tables, 0).rectangles, found), voxel, face) == 0u) {
        found = NO_RECTANGLE;
    }
    return found;
}

/// The power of the rectangles on a side that a point may see: of all of them, or 0 where all face away.
SHARED_INLINE float sidePower(EmitterSide side, uint face, vec3 point) {
    uint axis = face >> 1u;
    float height = (axis == 0u ? point.x : axis == 1u ? point.y : point.z) - side.farthest;
    return ((face & 1u) != 0u ? height : -height) > 0.0f ? side.power : 0.0f;
}

SHARED_INLINE float visiblePower(uint64_t tables, vec3 point) {
    float power = 0.0f;
    for (uint face = 0u; face < 6u; ++face) {
        power += sidePower(AT(EmitterTables, tables, 0).sides[face], face, point);
    }
    return power;
}

/// Chooses a rectangle to light a point by, for a uniform number and random bits, by power among those of the sides
/// that the point may see; NO_RECTANGLE where it sees none.
SHARED_INLINE uint chooseRectangle(uint64_t tables, vec3 point, float u, uvec2 pick) {
    float rest = u * visiblePower(tables, point);
    uint chosen = 6u;
    for (uint face = 0u; face < 6u; ++face) {
        float power = sidePower(AT(EmitterTables, tables, 0).sides[face], face, point);
        if (power > 0.0f && rest >= 0.0f) {
            chosen = face; // the last one, where rounding leaves something over
            rest -= power;
        }
    }
    if (chosen == 6u) {
        return NO_RECTANGLE;
    }
    EmitterSide side = AT(EmitterTables, tables, 0).sides[chosen];
    return side.first + sampleAliasBits(AT(EmitterTables, tables, 0).choice + uint64_t(12u) * uint64_t(side.first),
                                        side.count, pick);
}

/// The probability with which chooseRectangle takes that rectangle, whose voxels have that luminance, for a point.
SHARED_INLINE float rectangleProbability(uint64_t tables, vec3 point, EmitterRectangle rectangle, float luminance) {
    uint face = rectangleFace(rectangle);
    uvec2 size = rectangleExtent(rectangle);
    float power = luminance * float(size.x) * float(size.y);
    return sidePower(AT(EmitterTables, tables, 0).sides[face], face, point) > 0.0f ? power / visiblePower(tables, point)
                                                                                   : 0.0f;
}

/// The rectangle as seen from a point, in the units of the grid.
SHARED_INLINE SeenRectangle seeRectangle(EmitterRectangle rectangle, float voxelSize, vec3 point) {
    uint face = rectangleFace(rectangle);
    uint axis = face >> 1u;
    uvec3 low = rectangleVoxel(rectangle);
    uvec2 begin = alongFace(low, face);
    uvec2 end = begin + rectangleExtent(rectangle);
    vec2 foot = vec2(axis == 0u ? point.y : point.x, axis == 2u ? point.y : point.z);
    float plane = 1.0f + float(acrossFace(low, face) + (face & 1u)) * voxelSize;
    float height = (axis == 0u ? point.x : axis == 1u ? point.y : point.z) - plane;
    SeenRectangle seen;
    seen.low = vec2(1.0f + float(begin.x) * voxelSize, 1.0f + float(begin.y) * voxelSize) - foot;
    seen.high = vec2(1.0f + float(end.x) * voxelSize, 1.0f + float(end.y) * voxelSize) - foot;
    seen.height = (face & 1u) != 0u ? height : -height;
    return seen;
}

/// The way from the point that sees a rectangle to a place in its plane.
SHARED_INLINE vec3 wayToRectangle(SeenRectangle seen, uint face, vec2 place) {
    float across = (face & 1u) != 0u ? -seen.height : seen.height;
    uint axis = face >> 1u;
    return axis == 0u   ? vec3(across, place.x, place.y)
           : axis == 1u ? vec3(place.x, across, place.y)
                        : vec3(place.x, place.y, across);
}

SHARED_END
#endif
