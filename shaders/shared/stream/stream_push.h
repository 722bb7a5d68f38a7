// What a dispatch of the kernels of traverse_*.comp is given. Apart from ray_stream.h, as GLSL has to know it before
// the octree's functions, which read the push constants.
#ifndef AUREOLE_SHARED_STREAM_PUSH_H
#define AUREOLE_SHARED_STREAM_PUSH_H

#include "shared/lang.h"

SHARED_BEGIN

/// What one dispatch of traverse_*.comp works on.
struct StreamTracePush {
    uint64_t octree; ///< OctreeView, and its first chunks
    uint64_t nodes;
    uint64_t leaves;
    uint64_t starts;    ///< OctreeStart
    uint64_t reachable; ///< uvec2: reachableCells of each entry
    uint64_t rays;      ///< RayRecord
    uint64_t hits;      ///< HitRecord, of each ray that is one
    uint64_t lanes;     ///< persistent threads: uint, the ray that each goes on with
    uint64_t counters;  ///< StreamCounters
    uint64_t depths;    ///< where rays start, of coarse_depth.h
    uint count;         ///< rays
    uint rounds;        ///< at most, in one dispatch
    uint fresh;         ///< 1 in the first dispatch
    float reach;        ///< in grid units: hits beyond count as none
    vec3 eye;           ///< that the depths are seen from, in grid units
    uint tilesAcross;   ///< tiles of pixels in a row
};

SHARED_END
#endif
