// Densities in space: a tree of nodes with 64 children each, as an octree's, whose leaves are bricks of values. Between
// the points of its lattice a density is interpolated trilinearly. A node keeps the largest density below it, so that
// whoever goes through it knows by how much at most light is weakened there.
//
// A brick has the values of its 8 x 8 x 8 cells' corners, those that it shares with its neighbours too: 9 x 9 x 9,
// which is 1.42 times the memory of 8 x 8 x 8, but makes a density one walk down the tree, where corners in neighbours
// would make it up to eight, and a brick's largest value that of its cells.
#ifndef AUREOLE_SHARED_VOLUME_H
#define AUREOLE_SHARED_VOLUME_H

#include "shared/octree/octree.h"

SHARED_BEGIN

#define VOLUME_BRICK_CELLS 8u
#define VOLUME_BRICK_POINTS 9u
/// Words of a brick: its largest density, and its values as shares of that in 16 bits, two to a word; x runs fastest,
/// then y.
#define VOLUME_BRICK_WORDS 366u
#define VOLUME_SHARE_ONE 65535.0f

/// The colours of a volume that glows by its temperatures, from the one where its file has 0 to its hottest.
#define VOLUME_COLOURS 4096u

/// The most levels of nodes: cells are numbered in 19 bits along an axis.
#define VOLUME_MAX_LEVELS 8u

struct VolumeNode {
    uint maskLow; ///< which of its 64 children there are, by cellBit
    uint maskHigh;
    uint first; ///< number of the first child, among nodes or, at the lowest level, bricks
    float most; ///< the largest density below it
};
SHARED_ARRAY(VolumeNode, 16)

/// A density where it is placed. Cells are those of its tree, whose cube starts at 0; the space is the backend's.
struct Volume {
    vec3 cellX; ///< what the space's unit vector along X is in cells
    vec3 cellY;
    vec3 cellZ;
    vec3 middle; ///< of the tree's cube, in the space
    vec3 low;    ///< the cells in use
    vec3 high;
    vec3 emission;     ///< radiance that a density of 1 adds, per length; where there are colours, times these
    uint64_t nodes;    ///< VolumeNode; the first is the root
    uint64_t bricks;   ///< uint
    uint64_t colours;  ///< vec3, VOLUME_COLOURS of them, by temperature
    uint levels;       ///< of nodes
    uint material;     ///< number of its MaterialTraits, which are those of a density of 1
    uint temperatures; ///< number of the Volume whose densities are its temperatures; 0: it has none, and no colours
    float hottest;     ///< the largest of those
};
SHARED_ARRAY(Volume, 8)

/// A ray in the cells of a volume; distances along it are those of the space.
struct VolumeRay {
    vec3 origin;
    vec3 direction; ///< no component is 0
    vec2 reach;     ///< where it comes to the cells in use and leaves them; the second is less where it does not
};

/// A cube of cells that a node or a brick, or nothing, is in.
struct VolumePart {
    vec3 low;
    float side;
    float most; ///< the largest density in it
};

SHARED_INLINE vec3 volumeVector(Volume volume, vec3 v) {
    return volume.cellX * v.x + volume.cellY * v.y + volume.cellZ * v.z;
}

/// The side of the tree's cube.
SHARED_INLINE float volumeSide(Volume volume) {
    return float(VOLUME_BRICK_CELLS << (2u * volume.levels));
}

SHARED_INLINE vec3 volumePoint(Volume volume, vec3 point) {
    return volumeVector(volume, point - volume.middle) + vec3(0.5f * volumeSide(volume));
}

SHARED_INLINE float awayFromZero(float x, float least) {
    return abs(x) >= least ? x : x < 0.0f ? -least : least;
}

SHARED_INLINE VolumeRay volumeRay(Volume volume, vec3 origin, vec3 direction) {
    VolumeRay ray;
    ray.origin = volumePoint(volume, origin);
    vec3 d = volumeVector(volume, direction);
    float least = 1e-7f * max(abs(d.x), max(abs(d.y), abs(d.z)));
    ray.direction = vec3(awayFromZero(d.x, least), awayFromZero(d.y, least), awayFromZero(d.z, least));
    vec3 a = (volume.low - ray.origin) / ray.direction;
    vec3 b = (volume.high - ray.origin) / ray.direction;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    ray.reach = vec2(max(near.x, max(near.y, near.z)), min(far.x, min(far.y, far.z)));
    return ray;
}

/// The place of a cell's child in a node, whose children have sides of 2^shift.
SHARED_INLINE uint volumeChild(uvec3 cell, uint shift) {
    return cellBit(cell.x >> shift, cell.y >> shift, cell.z >> shift);
}

SHARED_INLINE uint volumeHasChild(VolumeNode node, uint child) {
    return maskHasBit(uvec2(node.maskLow, node.maskHigh), child);
}

/// The number of a child that there is.
SHARED_INLINE uint volumeChildNumber(VolumeNode node, uint child) {
    return node.first + maskRank(uvec2(node.maskLow, node.maskHigh), child);
}

SHARED_INLINE float volumeBrickMost(uint64_t bricks, uint brick) {
    return uintBitsToFloat(AT(uint, bricks + uint64_t(brick) * uint64_t(4u * VOLUME_BRICK_WORDS), 0));
}

SHARED_INLINE uvec3 volumeCellAt(Volume volume, vec3 at) {
    return uvec3(clamp(at, vec3(0.0f), vec3(volumeSide(volume) - 1.0f)));
}

/// The largest cube about a point that is empty, or is one brick, or in which the largest density times the side is at
/// most `thin`.
SHARED_INLINE VolumePart volumePartAt(Volume volume, vec3 at, float thin) {
    uvec3 cell = volumeCellAt(volume, at);
    VolumePart part;
    part.most = 0.0f;
    uint number = 0u;
    uint shift = 3u + 2u * volume.levels;
    for (uint level = volume.levels; level > 0u; --level) {
        VolumeNode node = AT(VolumeNode, volume.nodes, number);
        if (node.most * float(1u << shift) <= thin) {
            part.most = node.most;
            break;
        }
        shift -= 2u;
        uint child = volumeChild(cell, shift);
        if (volumeHasChild(node, child) == 0u) {
            break;
        }
        number = volumeChildNumber(node, child);
        if (level == 1u) {
            part.most = volumeBrickMost(volume.bricks, number);
        }
    }
    part.low =
        vec3(float((cell.x >> shift) << shift), float((cell.y >> shift) << shift), float((cell.z >> shift) << shift));
    part.side = float(1u << shift);
    return part;
}

/// Two values of a brick, that of a point and that of the next along x, as shares of its largest.
SHARED_INLINE vec2 volumePair(uint64_t values, uint point) {
    uint word = AT(uint, values, point >> 1u);
    uint first = (point & 1u) != 0u ? word >> 16u : word & 0xFFFFu;
    uint second = (point & 1u) != 0u ? AT(uint, values, (point >> 1u) + 1u) & 0xFFFFu : word >> 16u;
    return vec2(float(first), float(second));
}

/// The density in a brick, `at` being the place in its cells.
SHARED_INLINE float volumeDensityIn(uint64_t bricks, uint brick, vec3 at) {
    uint64_t values = bricks + uint64_t(brick) * uint64_t(4u * VOLUME_BRICK_WORDS) + uint64_t(4u);
    uvec3 cell = uvec3(min(at, vec3(float(VOLUME_BRICK_CELLS - 1u))));
    vec3 part = clamp(at - vec3(float(cell.x), float(cell.y), float(cell.z)), vec3(0.0f), vec3(1.0f));
    uint point = cell.x + VOLUME_BRICK_POINTS * (cell.y + VOLUME_BRICK_POINTS * cell.z);
    uint above = VOLUME_BRICK_POINTS * VOLUME_BRICK_POINTS;
    vec2 near = mix(volumePair(values, point), volumePair(values, point + VOLUME_BRICK_POINTS), part.y);
    vec2 far = mix(volumePair(values, point + above), volumePair(values, point + above + VOLUME_BRICK_POINTS), part.y);
    vec2 both = mix(near, far, part.z);
    return mix(both.x, both.y, part.x) * (volumeBrickMost(bricks, brick) / VOLUME_SHARE_ONE);
}

/// The density at a point, in cells.
SHARED_INLINE float volumeDensityAt(Volume volume, vec3 at) {
    if (min(at.x, min(at.y, at.z)) < 0.0f || max(at.x, max(at.y, at.z)) >= volumeSide(volume)) {
        return 0.0f;
    }
    uvec3 cell = volumeCellAt(volume, at);
    uint number = 0u;
    for (uint level = volume.levels; level > 0u; --level) {
        VolumeNode node = AT(VolumeNode, volume.nodes, number);
        uint child = volumeChild(cell, 1u + 2u * level);
        if (volumeHasChild(node, child) == 0u) {
            return 0.0f;
        }
        number = volumeChildNumber(node, child);
    }
    vec3 low = vec3(float(cell.x & ~7u), float(cell.y & ~7u), float(cell.z & ~7u));
    return volumeDensityIn(volume.bricks, number, at - low);
}

SHARED_END
#endif
