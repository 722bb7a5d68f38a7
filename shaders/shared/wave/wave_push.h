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
    uint64_t radiance;     ///< vec3 for each path of the pass, then their records
    uint64_t queue;        ///< WAVE_QUEUE of this wave
    uint64_t nextQueue;    ///< WAVE_QUEUE of the next wave
    uint64_t layers;       ///< FilmLayers, where there are any
    uint64_t drainPaths;   ///< of each workgroup of wave_drain.comp, the paths that it has: a uint
    uint64_t coarseDepths; ///< coarse_depth.h, of the full picture; 0: rays start at the rim of the grid
    uint items;            ///< of the pass
    uint firstOfItem;      ///< the first sample of each item that the pass takes, and how many
    uint samplesOfItem;
    uint capacity;     ///< slots of a queue
    uint parity;       ///< of the wave's number
    uint groupsAcross; ///< workgroups of wave_shade.comp along x; further ones lie along y
    uint drainSlots;   ///< of a workgroup of wave_drain.comp
    uint drainWaves;   ///< of it in a dispatch, an even number
};

/// One dispatch of wave_sum.comp.
struct WaveSumPush {
    uint64_t params;
    uint64_t radiance;  ///< of WavePush
    uint64_t results;   ///< SampleSums for each item
    uint64_t layers;    ///< FilmLayers, where there are any
    uint64_t layerSums; ///< their floats for each item
    uint items;
    uint firstOfItem;
    uint samplesOfItem;
    uint padding;
};

/// Behind the radiance of a pass's paths lie their records (film_layers.h), an array for each float from LAYER_ID on,
/// so that neighbouring paths have theirs in neighbouring words. This is the offset of the array of float `index` for
/// each path: that many bytes of every path lie before it.
#define WAVE_LAYER_OFFSET(index) (12u + 4u * ((index)-LAYER_ID))

SHARED_END
#endif
