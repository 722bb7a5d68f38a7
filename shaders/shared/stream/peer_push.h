// What a dispatch of the kernels of shaders/peers is given, by which others trace the same rays.
#ifndef AUREOLE_SHARED_PEER_PUSH_H
#define AUREOLE_SHARED_PEER_PUSH_H

#include "shared/lang.h"

SHARED_BEGIN

struct PeerTracePush {
    uint64_t rays;   ///< RayRecord
    uint64_t hits;   ///< HitRecord, of each ray that is one
    uint64_t data;   ///< nodes of a tree from the root on, or a grid
    uint64_t leaves; ///< leaf masks of a tree
    uint count;      ///< rays
    uint levels;     ///< the voxels fill a grid of 4^levels a side
    float reach;     ///< in grid units: hits beyond count as none
};

SHARED_END
#endif
