// What a dispatch of the kernels of wave_*.comp is given. It stands apart from wave_path.h because GLSL has to know it
// before the octree's functions, which read the push constants.
#ifndef AUREOLE_SHARED_WAVE_PUSH_H
#define AUREOLE_SHARED_WAVE_PUSH_H

#include "shared/lang.h"

SHARED_BEGIN

struct WavePush {
    uint64_t params; ///< VoxelParams
    uint64_t nodes;  ///< the octree's first chunks
    uint64_t leaves;
    uint64_t starts;       ///< the octree's table of starts
    uint64_t counters;     ///< WaveCounters
    uint64_t radiance;     ///< vec3 for each path of the pass
    uint64_t queue;        ///< WAVE_QUEUE of this wave
    uint64_t nextQueue;    ///< and of the next one
    uint64_t coarseDepths; ///< coarse_depth.h, of the full picture; 0: rays start at the rim of the grid
    uint items;            ///< of the pass
    uint firstOfItem;      ///< the first sample of each item that the pass takes, and how many
    uint samplesOfItem;
    uint capacity; ///< slots of a queue
    uint parity;   ///< of the wave's number
    uint padding;
};

SHARED_END
#endif
