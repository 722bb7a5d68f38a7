// Slabs around surfaces (shared/octree/slab.h): voxel/surface/slab_fit.h. What is decided hangs on sums and products
// alone, which are the same everywhere; a side of a cell is a power of 2, and `scale` is 1 over it.
#ifndef AUREOLE_SHARED_SLAB_FIT_H
#define AUREOLE_SHARED_SLAB_FIT_H

#include "shared/octree/octree.h"
#include "shared/octree/slab.h"
#include "shared/voxelize/wide.h"

SHARED_BEGIN

#define SLAB_LENGTH WIDE(8191.0) ///< SLAB_NORMAL
/// What a height may be off by, in the unit of heights: 2^-17 of the cell's side.
#define SLAB_HEIGHT_MARGIN (SLAB_LENGTH * WIDE(0.00000762939453125))
#define SLAB_FAR WIDE(1e30) ///< beyond all heights
/// Surfaces lie on steps of 1/256 voxel: half of one.
#define SLAB_HALF_SNAP WIDE(0.001953125)

/// What heights over a cell's middle points of a surface have.
struct SlabHeights {
    double low;
    double high;
};

SHARED_INLINE SlabHeights noHeights() {
    SlabHeights heights;
    heights.low = SLAB_FAR;
    heights.high = -SLAB_FAR;
    return heights;
}

SHARED_INLINE void addHeight(INOUT(SlabHeights, heights), double height) {
    heights.low = min(heights.low, height);
    heights.high = max(heights.high, height);
}

/// The whole number nearest to the quotient of two numbers that are not below 0, the larger one of two, however the
/// device rounds quotients.
SHARED_INLINE double nearestQuotient(double over, double under) {
    double nearest = floor(over / under + WIDE(0.5));
    PRECISE double below = (nearest - WIDE(0.5)) * under;
    PRECISE double above = (nearest + WIDE(0.5)) * under;
    return over >= above ? nearest + WIDE(1.0) : (over < below ? nearest - WIDE(1.0) : nearest);
}

/// The code of the nearest octahedral direction.
SHARED_INLINE uint packSlabDirection(vec3 normal) {
    dvec3 size = abs(dvec3(normal));
    PRECISE double sum = size.x + size.y + size.z;
    // Folded, each is what the other leaves of the length.
    PRECISE dvec2 part = normal.z < 0.0f ? dvec2(size.x + size.z, size.y + size.z) : dvec2(size.x, size.y);
    PRECISE dvec2 over = part * SLAB_LENGTH;
    int x = int(nearestQuotient(over.x, sum));
    int y = int(nearestQuotient(over.y, sum));
    x = (floatBitsToUint(normal.x) >> 31u) != 0u ? -x : x;
    y = (floatBitsToUint(normal.y) >> 31u) != 0u ? -y : y;
    return uint(x + SLAB_NORMAL) | (uint(y + SLAB_NORMAL) << 14u);
}

/// What a point from a cell's middle is multiplied with for its height.
SHARED_INLINE dvec3 slabAcross(uint direction, double scale) {
    return dvec3(slabNormal(direction)) * scale;
}

SHARED_INLINE SurfaceSlab wholeSlab() {
    SurfaceSlab slab;
    slab.normal = 0u;
    slab.extent = SLAB_WHOLE;
    slab.bend = 0u;
    return slab;
}

/// The nearest whole number, of two the one farther from 0.
SHARED_INLINE double wideRound(double x) {
    double size = abs(x);
    double whole = floor(size);
    whole = size - whole >= WIDE(0.5) ? whole + WIDE(1.0) : whole;
    return x < WIDE(0.0) ? -whole : whole;
}

/// The slab across a direction that holds what has these heights, and SLAB_HEIGHT_MARGIN.
SHARED_INLINE SurfaceSlab slabOfHeights(uint direction, SlabHeights heights) {
    double reach = WIDE(0.5) * SLAB_LENGTH; // of the cell
    PRECISE double low = clamp(heights.low, -reach, reach) - SLAB_HEIGHT_MARGIN;
    PRECISE double high = clamp(heights.high, -reach, reach) + SLAB_HEIGHT_MARGIN;
    PRECISE double middle = WIDE(0.5) * (low + high) * WIDE(32.0); // in SLAB_HEIGHT_STEP
    double steps = wideRound(middle);
    PRECISE double height = steps * double(SLAB_HEIGHT_STEP);
    PRECISE double above = high - height;
    PRECISE double below = height - low;
    double thickness = -floor(max(above, below) * WIDE(-4.0)); // in SLAB_THICKNESS_STEP
    if (!(thickness < double(SLAB_WHOLE)) || abs(steps) >= double(SLAB_HEIGHT_ZERO)) {
        return wholeSlab();
    }
    SurfaceSlab slab;
    slab.normal = direction;
    slab.extent = (uint(int(steps) + SLAB_HEIGHT_ZERO) << SLAB_HEIGHT_SHIFT) | uint(thickness);
    slab.bend = 0u;
    return slab;
}

/// The thickness of a slab of planes in voxels times the length of its normal: an exact number.
SHARED_INLINE double slabThickness(SlabPlanes planes, double side) {
    return double(planes.high - planes.low) * side;
}

/// Whether half of a slab's thickness is at most so many voxels, by squares.
SHARED_INLINE uint isSlabWithin(SurfaceSlab slab, double side, double most) {
    if (slabIsWhole(slab) != 0u) {
        return 0u;
    }
    SlabPlanes planes = unpackSlab(slab);
    PRECISE double within = WIDE(0.5) * slabThickness(planes, side);
    PRECISE double square = within * within;
    PRECISE double bound = most * most * wideDot(dvec3(planes.normal), dvec3(planes.normal));
    return square <= bound ? 1u : 0u;
}

/// The steps along its main axis that lead from one side of a slab to the other, at least one: sqrt(3) times its
/// thickness, rounded up.
SHARED_INLINE int slabSteps(SlabPlanes planes, double side) {
    PRECISE double thickness = slabThickness(planes, side);
    PRECISE double bound = WIDE(3.0) * thickness * thickness;
    double square = wideDot(dvec3(planes.normal), dvec3(planes.normal));
    int steps = 1;
    while (double(steps * steps) * square < bound) {
        ++steps;
    }
    return steps;
}

/// The coordinate in which the normal is longest.
SHARED_INLINE uint slabAxis(vec3 normal) {
    vec3 size = abs(normal);
    return size.x >= size.y && size.x >= size.z ? 0u : (size.y >= size.z ? 1u : 2u);
}

/// Which of the 64 parts of a cell, by cellBit, the slab's middle plane passes through by more than `depth` voxels: by
/// as much as the plane would have to be moved to pass them by, in the norm in which cubes are balls.
SHARED_INLINE uint64_t slabPartsAcross(SurfaceSlab slab, double scale, double depth) {
    SlabPlanes planes = unpackSlab(slab);
    dvec3 normal = dvec3(planes.normal);
    double middle = WIDE(0.5) * (double(planes.low) + double(planes.high));
    PRECISE double within = WIDE(0.125) - depth * scale;
    PRECISE double reach = SLAB_LENGTH * within; // a plane's distance in this norm is its height / SLAB_LENGTH
    uint64_t parts = uint64_t(0);
    for (uint bit = 0u; bit < 64u; ++bit) {
        dvec3 centre = (dvec3(bitCell(bit)) + WIDE(0.5)) * WIDE(0.25) - WIDE(0.5);
        PRECISE double away = abs(wideDot(normal, centre) - middle);
        parts |= uint64_t(away < reach ? 1u : 0u) << bit;
    }
    return parts;
}

/// Of the 64 parts of a cube of the slab's cell, in voxels from its corner, those of `among` that the surface in the
/// slab may be in: that the slab passes through without what it is thicker by than it need be. A surface between two
/// parts is in the one of larger coordinates, as in coverage.h. Where rounding leaves none, the nearest.
SHARED_INLINE uint64_t slabPartsMet(SurfaceSlab slab, double scale, dvec3 low, double side, uint64_t among) {
    if (slabIsWhole(slab) != 0u) {
        return among;
    }
    SlabPlanes planes = unpackSlab(slab);
    dvec3 normal = dvec3(planes.normal);
    double middle = WIDE(0.5) * (double(planes.low) + double(planes.high));
    double thickness = WIDE(0.5) * (double(planes.high) - double(planes.low));
    PRECISE double reach = SLAB_LENGTH * WIDE(0.125) * side * scale;
    reach = reach + max(WIDE(0.0), thickness - double(SLAB_THICKNESS_STEP));
    dvec3 corner = low - SLAB_HALF_SNAP;
    uint64_t parts = uint64_t(0);
    uint64_t nearest = uint64_t(0);
    double least = SLAB_FAR;
    for (uint bit = 0u; bit < 64u; ++bit) {
        uint64_t part = uint64_t(1) << bit;
        if ((among & part) == uint64_t(0)) {
            continue;
        }
        PRECISE dvec3 centre = corner + (dvec3(bitCell(bit)) + WIDE(0.5)) * (WIDE(0.25) * side);
        PRECISE dvec3 inCell = centre * scale - WIDE(0.5);
        PRECISE double away = abs(wideDot(normal, inCell) - middle);
        parts |= away <= reach ? part : uint64_t(0);
        nearest = away < least ? part : nearest;
        least = min(least, away);
    }
    return parts != uint64_t(0) ? parts : nearest;
}

SHARED_END
#endif
