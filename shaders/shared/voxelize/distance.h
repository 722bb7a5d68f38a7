// The distance of points to a triangle, which may have no area: voxel/surface/triangle_distance.h. Every step of its
// computation starts from differences of vertices and points, which are exact; sums and products give the same bits
// everywhere, quotients and the root that a distance takes may be off in their last ones.
#ifndef AUREOLE_SHARED_DISTANCE_H
#define AUREOLE_SHARED_DISTANCE_H

#include "shared/octree/field.h"
#include "shared/voxelize/wide.h"

SHARED_BEGIN

/// What rounding may take from a square of a distance within a few voxels, by far: 2^-30.
#define DISTANCE_SLACK WIDE(0.000000000931322574615478515625)

struct DistanceTriangle {
    dvec3 first; ///< vertices
    dvec3 second;
    dvec3 third;
    dvec3 firstEdge; ///< from each vertex to the next
    dvec3 secondEdge;
    dvec3 thirdEdge;
    dvec3 firstInwards; ///< in the triangle's plane, across each edge
    dvec3 secondInwards;
    dvec3 thirdInwards;
    dvec3 perSquare; ///< 1 over the squares of the edges' lengths; 0 for one without
    dvec3 normal;    ///< not normalised; 0 for a triangle without area
    double perNormalSquare;
};

SHARED_INLINE double distanceInverse(double x) {
    return x > WIDE(0.0) ? WIDE(1.0) / x : WIDE(0.0);
}

SHARED_INLINE DistanceTriangle distanceTriangle(dvec3 first, dvec3 second, dvec3 third) {
    DistanceTriangle triangle;
    triangle.first = first;
    triangle.second = second;
    triangle.third = third;
    triangle.firstEdge = second - first;
    triangle.secondEdge = third - second;
    triangle.thirdEdge = first - third;
    triangle.perSquare = dvec3(distanceInverse(wideDot(triangle.firstEdge, triangle.firstEdge)),
                               distanceInverse(wideDot(triangle.secondEdge, triangle.secondEdge)),
                               distanceInverse(wideDot(triangle.thirdEdge, triangle.thirdEdge)));
    triangle.normal = wideCross(triangle.firstEdge, triangle.secondEdge);
    triangle.perNormalSquare = distanceInverse(wideDot(triangle.normal, triangle.normal));
    triangle.firstInwards = wideCross(triangle.normal, triangle.firstEdge);
    triangle.secondInwards = wideCross(triangle.normal, triangle.secondEdge);
    triangle.thirdInwards = wideCross(triangle.normal, triangle.thirdEdge);
    return triangle;
}

/// The square of the distance to an edge of a point that is so far from the vertex where it begins.
SHARED_INLINE double distanceSquareToEdge(dvec3 from, dvec3 edge, double perSquare) {
    PRECISE double product = wideDot(from, edge) * perSquare;
    double share = clamp(product, WIDE(0.0), WIDE(1.0));
    PRECISE dvec3 along = edge * share;
    PRECISE dvec3 to = from - along;
    return wideDot(to, to);
}

/// The square of a point's distance to the triangle where that is less than `best`, else `best`.
SHARED_INLINE double distanceSquare(DistanceTriangle triangle, dvec3 point, double best) {
    dvec3 fromFirst = point - triangle.first;
    dvec3 fromSecond = point - triangle.second;
    dvec3 fromThird = point - triangle.third;
    if (triangle.perNormalSquare > WIDE(0.0)) {
        double over = wideDot(triangle.normal, fromFirst);
        PRECISE double square = over * over * triangle.perNormalSquare;
        if (square >= best + DISTANCE_SLACK) {
            return best;
        }
        if (wideDot(triangle.firstInwards, fromFirst) >= WIDE(0.0) &&
            wideDot(triangle.secondInwards, fromSecond) >= WIDE(0.0) &&
            wideDot(triangle.thirdInwards, fromThird) >= WIDE(0.0)) {
            return min(best, square);
        }
    }
    best = min(best, distanceSquareToEdge(fromFirst, triangle.firstEdge, triangle.perSquare.x));
    best = min(best, distanceSquareToEdge(fromSecond, triangle.secondEdge, triangle.perSquare.y));
    return min(best, distanceSquareToEdge(fromThird, triangle.thirdEdge, triangle.perSquare.z));
}

/// The code of a distance in voxels, not below 0: the nearest of those above 0.
SHARED_INLINE uint fieldDistanceCode(float voxels) {
    PRECISE float steps = voxels * (0.5f * float(FIELD_MAX_CODE) / FIELD_REACH);
    return (FIELD_MAX_CODE + 1u) / 2u + uint(min(steps, 0.5f * float(FIELD_MAX_CODE) - 0.5f));
}

SHARED_END
#endif
