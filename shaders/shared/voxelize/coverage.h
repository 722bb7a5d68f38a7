// Which cells of a cube of 4x4x4 a triangle touches, in integers: see voxel/build/coverage.h, which says what is
// decided and how.
#ifndef AUREOLE_SHARED_COVERAGE_H
#define AUREOLE_SHARED_COVERAGE_H

#include "shared/octree/octree.h"
#include "shared/voxelize/wide.h"

SHARED_BEGIN

/// Vertices are multiples of 1/256 voxel.
#define COVERAGE_SNAP_BITS 8
/// In cubes of cells of up to 2^12 units the plane's function varies by less than 2^61.
#define COVERAGE_NARROW_SHIFT 12

/// A half-plane a x + b y + c >= 0 of a projection, tested at the corner of a cell that lies farthest inside.
struct CoverageEdge {
    int64_t a;
    int64_t b;
    int64_t c;
    int64_t reach; ///< what a cell of width 1 adds at that corner
};

/// A triangle seen along an axis: by its edges, of which those that are all 0 hold everywhere.
struct CoverageProjection {
    CoverageEdge first;
    CoverageEdge second;
    CoverageEdge third;
    int number; ///< axis 2 - number is not seen
};

/// A triangle's plane: its normal, not normalised, 0 where it has no area.
struct CoveragePlane {
    int64_t x;
    int64_t y;
    int64_t z;
    int sign; ///< of the first component that is not 0
};

/// A number, or 0 where that is larger. By its bits: Mesa 22.3's lavapipe compares 64-bit integers without their signs
/// where a shader takes the larger of two.
SHARED_INLINE int64_t coveragePositive(int64_t x) {
    return x & ~(x >> 63);
}

/// A number, or 0 where that is smaller.
SHARED_INLINE int64_t coverageNegative(int64_t x) {
    return x & (x >> 63);
}

/// The sign of the first number that is not 0.
SHARED_INLINE int coverageSign(int64_t a, int64_t b, int64_t c) {
    int64_t zero = int64_t(0);
    int64_t leading = a != zero ? a : (b != zero ? b : c);
    return leading > zero ? 1 : (leading < zero ? -1 : 0);
}

SHARED_INLINE CoverageEdge coverageEdge(int64_t a, int64_t b, int64_t pointA, int64_t pointB) {
    int64_t zero = int64_t(0);
    // The cell is outside where the function at its best corner is below (a, b) . (e, e^2): on a tie, where that is >
    // 0.
    int64_t tie = coverageSign(a, b, zero) > 0 ? int64_t(1) : zero;
    CoverageEdge edge;
    edge.a = a;
    edge.b = b;
    edge.c = -a * pointA - b * pointB - tie;
    edge.reach = coveragePositive(a) + coveragePositive(b);
    return edge;
}

/// What a projection sees of a point, along axes in ascending order, so that ties follow the order x, y, z.
SHARED_INLINE ivec2 coverageSeen(ivec3 point, int number) {
    return ivec2(number == 2 ? point.y : point.x, number == 0 ? point.y : point.z);
}

/// The projection that leaves axis 2 - `number` out.
SHARED_INLINE CoverageProjection coverageProjection(ivec3 v0, ivec3 v1, ivec3 v2, int number) {
    CoverageProjection seen;
    seen.number = number;
    ivec2 p0 = coverageSeen(v0, number);
    ivec2 p1 = coverageSeen(v1, number);
    ivec2 p2 = coverageSeen(v2, number);
    ivec2 d0 = p1 - p0;
    ivec2 d1 = p2 - p1;
    ivec2 d2 = p0 - p2;
    int64_t area = int64_t(d0.x) * int64_t(d1.y) - int64_t(d0.y) * int64_t(d1.x);
    if (area != int64_t(0)) {
        bool flips = area < int64_t(0);
        d0 = flips ? -d0 : d0;
        d1 = flips ? -d1 : d1;
        d2 = flips ? -d2 : d2;
        seen.first = coverageEdge(int64_t(-d0.y), int64_t(d0.x), int64_t(p0.x), int64_t(p0.y));
        seen.second = coverageEdge(int64_t(-d1.y), int64_t(d1.x), int64_t(p1.x), int64_t(p1.y));
        seen.third = coverageEdge(int64_t(-d2.y), int64_t(d2.x), int64_t(p2.x), int64_t(p2.y));
        return seen;
    }
    // Seen edge-on the triangle is a segment, which lies on both sides' border; a point needs no test but its bounds.
    int length0 = abs(d0.x) + abs(d0.y);
    int length1 = abs(d1.x) + abs(d1.y);
    int length2 = abs(d2.x) + abs(d2.y);
    ivec2 longest = length1 > length0 ? d1 : d0;
    longest = length2 > max(length0, length1) ? d2 : longest;
    seen.first = coverageEdge(int64_t(-longest.y), int64_t(longest.x), int64_t(p0.x), int64_t(p0.y));
    seen.second = coverageEdge(int64_t(longest.y), int64_t(-longest.x), int64_t(p0.x), int64_t(p0.y));
    seen.third = coverageEdge(int64_t(0), int64_t(0), int64_t(0), int64_t(0));
    return seen;
}

SHARED_INLINE CoveragePlane coveragePlane(ivec3 v0, ivec3 v1, ivec3 v2) {
    ivec3 e = v1 - v0;
    ivec3 f = v2 - v0;
    CoveragePlane plane;
    plane.x = int64_t(e.y) * int64_t(f.z) - int64_t(e.z) * int64_t(f.y);
    plane.y = int64_t(e.z) * int64_t(f.x) - int64_t(e.x) * int64_t(f.z);
    plane.z = int64_t(e.x) * int64_t(f.y) - int64_t(e.y) * int64_t(f.x);
    plane.sign = coverageSign(plane.x, plane.y, plane.z);
    return plane;
}

/// A mask of 64 bits from one of 32 and a place.
SHARED_INLINE uint64_t coverageBits(uint bits, uint shift) {
    return uint64_t(bits) << shift;
}

/// The cells of a row of columns: `inside` has a bit for each column along the first axis that is seen, `row` is the
/// coordinate along the second.
SHARED_INLINE uint64_t coverageColumns(int number, uint inside, uint row) {
    uint layer = (inside << (4u * row)) * 0x10001u;
    uint spread = (inside & 1u) | ((inside & 2u) << 3u) | ((inside & 4u) << 6u) | ((inside & 8u) << 9u);
    uint64_t ofRow = coverageBits(number == 1 ? inside * 0x1111u : spread * 15u, 16u * row);
    return number == 0 ? coverageBits(layer, 0u) | coverageBits(layer, 32u) : ofRow;
}

/// What an edge has at the cell of a cube that is first of all: at the best corner of the cell, or of what is within
/// `margin` of it.
SHARED_INLINE int64_t coverageStart(CoverageEdge edge, ivec2 origin, int64_t width, int margin) {
    int64_t within = edge.reach * (width + int64_t(2 * margin));
    return edge.a * int64_t(origin.x - margin) + edge.b * int64_t(origin.y - margin) + edge.c + within;
}

/// Likewise, in the middle of the cell.
SHARED_INLINE int64_t coverageMiddle(CoverageEdge edge, ivec2 origin, int64_t width) {
    int64_t within = (edge.a + edge.b) * (width / int64_t(2));
    return edge.a * int64_t(origin.x) + edge.b * int64_t(origin.y) + edge.c + within;
}

/// Those cells of a cube where no edge is below 0; `row0` and so on are what the edges have at the first of all.
SHARED_INLINE uint64_t coverageColumnsInside(CoverageProjection seen, int64_t width, int64_t row0, int64_t row1,
                                             int64_t row2) {
    uint64_t mask = uint64_t(0);
    for (uint j = 0u; j < 4u; ++j) {
        uint inside = 0u;
        int64_t e0 = row0;
        int64_t e1 = row1;
        int64_t e2 = row2;
        for (uint i = 0u; i < 4u; ++i) {
            inside |= (e0 | e1 | e2) >= int64_t(0) ? 1u << i : 0u;
            e0 += seen.first.a * width;
            e1 += seen.second.a * width;
            e2 += seen.third.a * width;
        }
        mask |= coverageColumns(seen.number, inside, j);
        row0 += seen.first.b * width;
        row1 += seen.second.b * width;
        row2 += seen.third.b * width;
    }
    return mask;
}

/// The cells of a cube whose columns along the axis that is not seen the triangle meets, or comes near to: within
/// `margin` units along each axis that is seen. Cells are 2^shift units wide, as below.
SHARED_INLINE uint64_t coverageProjectionMask(CoverageProjection seen, ivec3 origin, int shift, int margin) {
    ivec2 corner = coverageSeen(origin, seen.number);
    int64_t width = int64_t(1) << shift;
    return coverageColumnsInside(seen, width, coverageStart(seen.first, corner, width, margin),
                                 coverageStart(seen.second, corner, width, margin),
                                 coverageStart(seen.third, corner, width, margin));
}

/// The cells of a cube whose columns' middles the triangle meets.
SHARED_INLINE uint64_t coverageMiddlesMask(CoverageProjection seen, ivec3 origin, int shift) {
    ivec2 corner = coverageSeen(origin, seen.number);
    int64_t width = int64_t(1) << shift;
    return coverageColumnsInside(seen, width, coverageMiddle(seen.first, corner, width),
                                 coverageMiddle(seen.second, corner, width), coverageMiddle(seen.third, corner, width));
}

/// The plane's function at a point, counted from a vertex: 0 on it. Right where that is within 2^61 of 0; beyond, it is
/// about 2^62 with the right sign. The exact value may take 69 bits, so high and low bits of the normal go apart.
SHARED_INLINE int64_t coveragePlaneAt(CoveragePlane plane, ivec3 apart) {
    int64_t part = (int64_t(1) << 22) - int64_t(1);
    int64_t x = int64_t(apart.x);
    int64_t y = int64_t(apart.y);
    int64_t z = int64_t(apart.z);
    int64_t low = (plane.x & part) * x + (plane.y & part) * y + (plane.z & part) * z;
    int64_t high = (plane.x >> 22) * x + (plane.y >> 22) * y + (plane.z >> 22) * z + (low >> 22);
    int64_t limit = int64_t(1) << 39;
    if (high >= limit || high < -limit) {
        return high < int64_t(0) ? -(int64_t(1) << 62) : int64_t(1) << 62;
    }
    return (high << 22) + (low & part);
}

/// The index of the lowest set bit of a mask that is not 0.
SHARED_INLINE uint coverageLowest(uint64_t mask) {
#ifdef __cplusplus
    return static_cast<uint>(std::countr_zero(mask));
#else
    uint low = uint(mask);
    return low != 0u ? uint(findLSB(low)) : 32u + uint(findLSB(uint(mask >> 32)));
#endif
}

/// Those of `candidates` that the plane meets, or what is within `margin` of them, for shift up to
/// COVERAGE_NARROW_SHIFT. `atOrigin` is coveragePlaneAt the cube's origin, `margin` less along each axis.
SHARED_INLINE uint64_t coveragePlaneMask(uint64_t candidates, CoveragePlane plane, int64_t atOrigin, int shift,
                                         int margin) {
    int64_t zero = int64_t(0);
    int64_t stepX = plane.x << shift;
    int64_t stepY = plane.y << shift;
    int64_t stepZ = plane.z << shift;
    int64_t lowest = plane.sign > 0 ? int64_t(1) : zero;
    int64_t highest = plane.sign < 0 ? int64_t(-1) : zero;
    int64_t width = (int64_t(1) << shift) + int64_t(2 * margin);
    lowest -= (coveragePositive(plane.x) + coveragePositive(plane.y) + coveragePositive(plane.z)) * width;
    highest -= (coverageNegative(plane.x) + coverageNegative(plane.y) + coverageNegative(plane.z)) * width;
    uint64_t mask = uint64_t(0);
    for (uint64_t rest = candidates; rest != uint64_t(0); rest &= rest - uint64_t(1)) {
        uint bit = coverageLowest(rest);
        uvec3 cell = bitCell(bit);
        int64_t value = atOrigin + stepX * int64_t(cell.x) + stepY * int64_t(cell.y) + stepZ * int64_t(cell.z);
        mask |= value >= lowest && value <= highest ? uint64_t(1) << bit : uint64_t(0);
    }
    return mask;
}

/// The bits of the integers from low to high among 0 to 3.
SHARED_INLINE uint coverageRange(int low, int high) {
    low = max(low, 0);
    high = min(high, 3);
    return low > high ? 0u : (15u >> uint(3 - high)) & (15u << uint(low));
}

/// The cells of a cube whose coordinates lie in [low, high], counted from the cube's origin; the range may reach beyond
/// the cube.
SHARED_INLINE uint64_t coverageRangeMask(ivec3 low, ivec3 high) {
    uint x = coverageRange(low.x, high.x);
    uint y = coverageRange(low.y, high.y);
    uint z = coverageRange(low.z, high.z);
    uint rows = (y & 1u) | ((y & 2u) << 3u) | ((y & 4u) << 6u) | ((y & 8u) << 9u);
    uint layer = rows * x;
    return coverageBits((z & 1u) != 0u ? layer : 0u, 0u) | coverageBits((z & 2u) != 0u ? layer : 0u, 16u) |
           coverageBits((z & 4u) != 0u ? layer : 0u, 32u) | coverageBits((z & 8u) != 0u ? layer : 0u, 48u);
}

/// Whether something reaches from end to end of a single row of cells, or lies in one: it touches each of its range.
SHARED_INLINE uint coverageIsRow(ivec3 low, ivec3 high) {
    return (low.x != high.x ? 1u : 0u) + (low.y != high.y ? 1u : 0u) + (low.z != high.z ? 1u : 0u) <= 1u ? 1u : 0u;
}

/// Those of `candidates` with an axis segment through their middle, along the axis that is not seen, that the triangle
/// crosses. Cells are voxels; `atOrigin` is coveragePlaneAt the cube's origin.
SHARED_INLINE uint64_t coverageCrossedMask(uint64_t candidates, CoverageProjection seen, CoveragePlane plane,
                                           ivec3 origin, int64_t atOrigin) {
    int64_t along = seen.number == 2 ? plane.x : (seen.number == 1 ? plane.y : plane.z);
    if (along == int64_t(0)) {
        return uint64_t(0);
    }
    int64_t width = int64_t(1) << COVERAGE_SNAP_BITS;
    int64_t middle = (plane.x + plane.y + plane.z - along) * (width / int64_t(2));
    uint64_t crossed = uint64_t(0);
    uint64_t rest = candidates & coverageMiddlesMask(seen, origin, COVERAGE_SNAP_BITS);
    for (; rest != uint64_t(0); rest &= rest - uint64_t(1)) {
        uint bit = coverageLowest(rest);
        uvec3 cell = bitCell(bit);
        int64_t atCell =
            (plane.x * int64_t(cell.x) + plane.y * int64_t(cell.y) + plane.z * int64_t(cell.z)) * width + middle;
        // The moved plane's function is never 0.
        int64_t low = atOrigin + atCell - (plane.sign > 0 ? int64_t(1) : int64_t(0));
        int64_t high = low + along * width;
        crossed |= (low >= int64_t(0)) != (high >= int64_t(0)) ? uint64_t(1) << bit : uint64_t(0);
    }
    return crossed;
}

SHARED_END
#endif
