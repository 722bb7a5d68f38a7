// Edges among creases: voxels in which two sheets are, and no more, each of which lies on one side of the other and one
// of which ends in the other's plane, so that a path knows which side of both it is on. The samples of a voxel are gone
// through (addEdgeSample), then the corners of its triangles' parts (addEdgeCorner), then, where both sheets are found
// (isEdgeFound), the samples again (widenEdge).
#ifndef AUREOLE_SHARED_EDGES_H
#define AUREOLE_SHARED_EDGES_H

#include "shared/voxelize/average.h"

SHARED_BEGIN

/// Normals with a larger cosine belong to one sheet.
#define EDGE_SAME_SHEET 0.9f
/// How far a sheet may reach over the other's plane, in voxels: what bends a little is no plane.
#define EDGE_REACH WIDE(0.015625)
/// How far from the other's plane a sheet ends where it touches that: beyond rounding.
#define EDGE_TOUCH WIDE_RATIO(1.0, 10000.0)
/// How long the part of the edge in the voxel is at least.
#define EDGE_TOUCH_LENGTH WIDE(0.00390625)
/// What packing does to the normals, as a sine.
#define EDGE_PACKING 0.012f
/// More than any height of a corner over a plane.
#define EDGE_FAR WIDE(1e30)

/// One of the two sheets that meet in an edge.
struct EdgeSheet {
    double weight;
    double heaviest; ///< weight of the heaviest sample, below 0 where there is none
    // Heights of its corners over the other sheet's plane.
    double lowest;
    double highest;
    dvec3 sum;
    dvec3 end;      ///< a corner in the other sheet's plane
    vec3 geometric; ///< of the heaviest sample, as the next two
    vec3 position;
    vec3 plane;
    uint hasEnd;
    uint faces;   ///< of the voxel that all of its corners lie on
    uint touches; ///< another stands apart from it
};

/// What a voxel may have of two sheets.
struct EdgeFinder {
    EdgeSheet first;
    EdgeSheet second;
    uint isEdge;
    float spread;
};

SHARED_INLINE EdgeSheet noSheet() {
    EdgeSheet sheet;
    sheet.weight = WIDE(0.0);
    sheet.heaviest = WIDE(-1.0);
    sheet.lowest = EDGE_FAR;
    sheet.highest = -EDGE_FAR;
    sheet.sum = dvec3(WIDE(0.0));
    sheet.end = dvec3(WIDE(0.0));
    sheet.geometric = vec3(0.0f);
    sheet.position = vec3(0.0f);
    sheet.plane = vec3(0.0f);
    sheet.hasEnd = 0u;
    sheet.faces = 63u;
    sheet.touches = 0u;
    return sheet;
}

SHARED_INLINE EdgeFinder noEdge() {
    EdgeFinder finder;
    finder.first = noSheet();
    finder.second = noSheet();
    finder.isEdge = 1u;
    finder.spread = 0.0f;
    return finder;
}

SHARED_INLINE uint isInSheet(EdgeSheet sheet, vec3 normal) {
    return sheet.heaviest < WIDE(0.0) || abs(plainDot(normal, sheet.geometric)) > EDGE_SAME_SHEET ? 1u : 0u;
}

/// Which sheet a normal on either side belongs to: one that is there, or is begun with it; 2 for a third one.
SHARED_INLINE uint sheetOf(EdgeFinder finder, vec3 normal) {
    return isInSheet(finder.first, normal) != 0u ? 0u : (isInSheet(finder.second, normal) != 0u ? 1u : 2u);
}

/// Adds a sample to its sheet; 0 where it faces another side than the sheet's.
SHARED_INLINE uint addToSheet(INOUT(EdgeSheet, sheet), SurfaceSample part) {
    bool fresh = sheet.heaviest < WIDE(0.0);
    // All samples of a sheet face one side.
    uint fits = fresh || plainDot(part.point.geometricNormal, sheet.geometric) > 0.0f ? 1u : 0u;
    if (fresh || part.weight > sheet.heaviest) {
        sheet.heaviest = part.weight;
        sheet.geometric = part.point.geometricNormal;
        sheet.position = part.position;
        sheet.plane = part.plane;
    }
    sheet.weight += part.weight;
    sheet.sum = addShare(sheet.sum, part.weight, part.point.geometricNormal);
    return fits;
}

SHARED_INLINE void addEdgeSample(INOUT(EdgeFinder, finder), SurfaceSample part) {
    if (part.hasArea == 0u) {
        return;
    }
    uint sheet = sheetOf(finder, part.point.geometricNormal);
    if (sheet == 0u) {
        finder.isEdge &= addToSheet(finder.first, part);
    } else if (sheet == 1u) {
        finder.isEdge &= addToSheet(finder.second, part);
    } else {
        finder.isEdge = 0u;
    }
}

/// The faces of its voxel that a point of one axis lies on.
SHARED_INLINE uint facesAlong(double place, uint axis) {
    return (abs(place) <= EDGE_TOUCH ? 1u << (2u * axis) : 0u) |
           (abs(place - WIDE(1.0)) <= EDGE_TOUCH ? 2u << (2u * axis) : 0u);
}

SHARED_INLINE void addToSheet(INOUT(EdgeSheet, sheet), EdgeSheet other, dvec3 corner, dvec3 inVoxel) {
    double height = wideDot(corner - dvec3(other.position), dvec3(other.plane));
    if (abs(height) <= EDGE_TOUCH) {
        if (sheet.hasEnd == 0u) {
            sheet.end = corner;
            sheet.hasEnd = 1u;
        } else if (wideLength(sheet.end - corner) > EDGE_TOUCH_LENGTH) {
            sheet.touches = 1u;
        }
    }
    sheet.lowest = min(sheet.lowest, height);
    sheet.highest = max(sheet.highest, height);
    sheet.faces &= facesAlong(inVoxel.x, 0u) | facesAlong(inVoxel.y, 1u) | facesAlong(inVoxel.z, 2u);
}

/// Adds a corner of a triangle's part, or of the triangle where rounding left none, counted from the corners of the
/// block and of the voxel. `normal` is that of the triangle, on either side; 0 where it has no area.
SHARED_INLINE void addEdgeCorner(INOUT(EdgeFinder, finder), dvec3 corner, dvec3 inVoxel, vec3 normal) {
    if (finder.isEdge == 0u || finder.second.heaviest < WIDE(0.0) || isBlack(normal) != 0u) {
        return;
    }
    uint sheet = sheetOf(finder, normal);
    if (sheet == 0u) {
        addToSheet(finder.first, finder.second, corner, inVoxel);
    } else if (sheet == 1u) {
        addToSheet(finder.second, finder.first, corner, inVoxel);
    } else {
        finder.isEdge = 0u; // alpha testing cut it away, but its neighbours may show
    }
}

SHARED_INLINE uint isSheetBehind(EdgeSheet sheet, double reach) {
    return sheet.highest <= reach ? 1u : 0u;
}

SHARED_INLINE uint isSheetInFront(EdgeSheet sheet, double reach) {
    return sheet.lowest >= -reach ? 1u : 0u;
}

/// What a sheet may reach over the other's plane: less where hardly more of both is in the voxel.
SHARED_INLINE double edgeReach(EdgeFinder finder) {
    uint within = isSheetBehind(finder.first, EDGE_REACH) & isSheetInFront(finder.first, EDGE_REACH) &
                  isSheetBehind(finder.second, EDGE_REACH) & isSheetInFront(finder.second, EDGE_REACH);
    return within != 0u ? EDGE_TOUCH : EDGE_REACH;
}

/// Whether each sheet lies behind the other.
SHARED_INLINE uint areSheetsBehind(EdgeFinder finder) {
    double reach = edgeReach(finder);
    return isSheetBehind(finder.first, reach) & isSheetBehind(finder.second, reach);
}

SHARED_INLINE uint areSheetsInFront(EdgeFinder finder) {
    double reach = edgeReach(finder);
    return isSheetInFront(finder.first, reach) & isSheetInFront(finder.second, reach);
}

/// Sheets that do not touch in the voxel may cross in the next one, so that on which side of the one a path is says
/// nothing of the other. So may one in the voxel's face. And where too little of both is in the voxel it is not known
/// from where it bulges.
SHARED_INLINE uint isEdgeFound(EdgeFinder finder) {
    bool meet = finder.isEdge != 0u && finder.second.heaviest >= WIDE(0.0) &&
                (finder.first.touches | finder.second.touches) != 0u &&
                (finder.first.faces | finder.second.faces) == 0u;
    return meet && areSheetsBehind(finder) != areSheetsInFront(finder) ? 1u : 0u;
}

SHARED_INLINE vec3 sheetNormal(EdgeSheet sheet) {
    return vec3(wideNormalize(sheet.sum));
}

/// The widest angle between a sheet's normal and a sample's, as a sine.
SHARED_INLINE void widenEdge(INOUT(EdgeFinder, finder), SurfaceSample part) {
    if (part.hasArea != 0u) {
        bool isFirst = sheetOf(finder, part.point.geometricNormal) == 0u;
        vec3 normal = isFirst ? sheetNormal(finder.first) : sheetNormal(finder.second);
        finder.spread = max(finder.spread, plainLength(plainCross(normal, part.point.geometricNormal)));
    }
}

/// Gives a crease in which an edge was found both sheets' normals.
SHARED_INLINE void describeEdge(EdgeFinder finder, INOUT(SurfaceAverage, average)) {
    bool swap = finder.second.weight > finder.first.weight;
    vec3 first = sheetNormal(finder.first);
    vec3 second = sheetNormal(finder.second);
    average.edge = 1u;
    average.doubleSided = 0u;
    average.hollow = areSheetsBehind(finder) != 0u ? 2u : 1u;
    average.geometricNormal = swap ? second : first;
    average.otherNormal = swap ? first : second;
    average.spread = finder.spread + EDGE_PACKING;
}

SHARED_END
#endif
