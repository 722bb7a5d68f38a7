// How normals for shading turn over a cell of planes (shared/octree/slab_bend.h), fitted to the surface in it:
// voxel/surface/slab_bend.h.
#ifndef AUREOLE_SHARED_BEND_FIT_H
#define AUREOLE_SHARED_BEND_FIT_H

#include "shared/octree/slab_bend.h"
#include "shared/voxelize/wide.h"

SHARED_BEGIN

/// Added to the variance of positions, in squares of the cell's side: what is much narrower says nothing of a change.
#define BEND_LEAST_VARIANCE WIDE(0.000244140625)
/// The largest square of the part along the slab that a normal at the middle may have.
#define BEND_MOST_LEAN WIDE_RATIO(9.0, 10.0)

/// Sums over samples, weighted, of which a linear change of normals follows. Positions in voxels from any origin.
struct NormalMoments {
    double weight;
    dvec3 position;
    dvec3 normal;
    dvec3 squares;  ///< of positions: x x, y y, z z
    dvec3 products; ///< y z, z x, x y
    dvec3 changeX;  ///< normals by each coordinate of the position
    dvec3 changeY;
    dvec3 changeZ;
};

/// The normal for shading at a cell's middle, of unit length, and how it turns from there: SurfaceSlab::bend.
struct SlabBend {
    vec3 normal;
    uint bend;
};

SHARED_INLINE NormalMoments noMoments() {
    NormalMoments moments;
    moments.weight = WIDE(0.0);
    moments.position = dvec3(WIDE(0.0));
    moments.normal = dvec3(WIDE(0.0));
    moments.squares = dvec3(WIDE(0.0));
    moments.products = dvec3(WIDE(0.0));
    moments.changeX = dvec3(WIDE(0.0));
    moments.changeY = dvec3(WIDE(0.0));
    moments.changeZ = dvec3(WIDE(0.0));
    return moments;
}

SHARED_INLINE dvec3 addWide(dvec3 sum, double share, dvec3 value) {
    PRECISE dvec3 result = sum + share * value;
    return result;
}

SHARED_INLINE void addMoment(INOUT(NormalMoments, moments), double weight, dvec3 p, dvec3 n) {
    PRECISE dvec3 squares = p * p;
    PRECISE dvec3 products = dvec3(p.y * p.z, p.z * p.x, p.x * p.y);
    PRECISE dvec3 x = n * p.x;
    PRECISE dvec3 y = n * p.y;
    PRECISE dvec3 z = n * p.z;
    moments.weight += weight;
    moments.position = addWide(moments.position, weight, p);
    moments.normal = addWide(moments.normal, weight, n);
    moments.squares = addWide(moments.squares, weight, squares);
    moments.products = addWide(moments.products, weight, products);
    moments.changeX = addWide(moments.changeX, weight, x);
    moments.changeY = addWide(moments.changeY, weight, y);
    moments.changeZ = addWide(moments.changeZ, weight, z);
}

SHARED_INLINE void addMoments(INOUT(NormalMoments, moments), NormalMoments other) {
    moments.weight += other.weight;
    moments.position += other.position;
    moments.normal += other.normal;
    moments.squares += other.squares;
    moments.products += other.products;
    moments.changeX += other.changeX;
    moments.changeY += other.changeY;
    moments.changeZ += other.changeZ;
}

/// The changes x, y, z of a symmetric matrix (x, y; y, z) that takes positions to normals along two axes, by the normal
/// equations: of `p`, `q`, `r`, how positions spread along the first axis, between both and along the second, and of
/// what normals change by.
SHARED_INLINE dvec3 solveBend(double p, double q, double r, dvec3 change) {
    double t = p + r;
    double square = q * q;
    double determinant = t * (p * r - square);
    return dvec3((t * r - square) * change.x - q * r * change.y + square * change.z,
                 p * r * change.y - q * (r * change.x + p * change.z),
                 square * change.x - p * q * change.y + (p * t - square) * change.z) /
           determinant;
}

/// The least-squares fit, weighted as the samples are. Where these tell nothing of a change, or too much, there is none
/// and the normal is `mean`, that of the samples. `middle` is that of the cell, from the origin of the moments; `scale`
/// is 1 over its side.
SHARED_INLINE SlabBend fitSlabBend(NormalMoments moments, vec3 mean, uint direction, dvec3 middle, double scale) {
    vec3 across = plainNormalize(slabNormal(direction));
    vec3 tangent;
    vec3 bitangent;
    normalFrame(across, tangent, bitangent);
    // All is told along the slab's axes, positions in sides of the cell.
    dvec3 first = dvec3(tangent);
    dvec3 second = dvec3(bitangent);
    dvec3 position = moments.position / moments.weight;
    dvec3 normal = moments.normal / moments.weight;
    dvec3 squares = moments.squares / moments.weight - position * position;
    dvec3 products = moments.products / moments.weight -
                     dvec3(position.y * position.z, position.z * position.x, position.x * position.y);
    dvec3 spreadX = dvec3(squares.x, products.z, products.y);
    dvec3 spreadY = dvec3(products.z, squares.y, products.x);
    dvec3 spreadZ = dvec3(products.y, products.x, squares.z);
    dvec3 spreadFirst = spreadX * first.x + spreadY * first.y + spreadZ * first.z;
    dvec3 spreadSecond = spreadX * second.x + spreadY * second.y + spreadZ * second.z;
    double square = scale * scale;
    dvec3 changeX = moments.changeX / moments.weight - normal * position.x;
    dvec3 changeY = moments.changeY / moments.weight - normal * position.y;
    dvec3 changeZ = moments.changeZ / moments.weight - normal * position.z;
    dvec3 alongFirst = changeX * first.x + changeY * first.y + changeZ * first.z;
    dvec3 alongSecond = changeX * second.x + changeY * second.y + changeZ * second.z;
    dvec3 change = dvec3(wideDot(first, alongFirst), wideDot(first, alongSecond) + wideDot(second, alongFirst),
                         wideDot(second, alongSecond)) *
                   scale;
    dvec3 bend =
        solveBend(wideDot(first, spreadFirst) * square + BEND_LEAST_VARIANCE, wideDot(first, spreadSecond) * square,
                  wideDot(second, spreadSecond) * square + BEND_LEAST_VARIANCE, change);
    SlabBend found;
    found.normal = mean;
    found.bend = 0u;
    uint packed = packBend(vec3(bend));
    dvec3 kept = dvec3(unpackBend(packed));
    dvec3 fromMean = (middle - position) * scale;
    double x = wideDot(first, fromMean);
    double y = wideDot(second, fromMean);
    double leanFirst = wideDot(first, normal) + kept.x * x + kept.y * y;
    double leanSecond = wideDot(second, normal) + kept.y * x + kept.z * y;
    if (packed != 0u && leanFirst * leanFirst + leanSecond * leanSecond <= BEND_MOST_LEAN) {
        found.normal = slabLean(across, vec3(first * leanFirst + second * leanSecond));
        found.bend = packed;
    }
    return found;
}

SHARED_END
#endif
