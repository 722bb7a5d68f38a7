// What a dispatch of the kernels of wave_*.comp is given. Apart from wave_path.h, as GLSL has to know it before the
// octree's functions, which read the push constants.
#ifndef AUREOLE_SHARED_WAVE_PUSH_H
#define AUREOLE_SHARED_WAVE_PUSH_H

#include "shared/lang.h"

SHARED_BEGIN

struct WavePush {
    uint64_t params; ///< VoxelParams
    uint64_t nodes;  ///< the octree's first chunks
    uint64_t leaves;
    uint64_t starts;    ///< the octree's table of starts
    uint64_t counters;  ///< WaveCounters
    uint64_t gathered;  ///< vec3 for each path of the pass: its radiance
    uint64_t queue;     ///< of this wave
    uint64_t nextQueue; ///< of the next one
    uint64_t depths;    ///< coarse_depth.h, of the full picture; 0: rays start at the rim of the grid
    uint items;         ///< of the pass
    uint firstOfItem;   ///< the first sample of each item that the pass takes, and how many
    uint samplesOfItem;
    uint capacity; ///< places of a queue
    uint parity;   ///< of the wave's number
    uint padding;
};

SHARED_END
#endif
