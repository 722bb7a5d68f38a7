#pragma once

// What the queues of waves hold, and what kernels read and write of them: a figure for benchmarks.

#include <cstdint>

namespace aureole {

/// Which arrays of a queue (shared/wave/wave_queue.h) a scene has.
struct WaveQueueUse {
    bool glass = false;  ///< something lets light through
    bool grids = false;  ///< there are several octrees
    bool layers = false; ///< the film has layers that paths fill
    bool panes = false;  ///< some of the glass may be panes
};

/// The bytes of a queue for each of its slots.
std::uint64_t waveSlotBytes(const WaveQueueUse& use);

/// Bytes that the kernels read and write, of queues and of what paths have found so far: `begin` for a new path whose
/// camera ray starts at a coarse depth, the other two for a vertex from which a shadow ray starts, where no ray is
/// suspended and none goes through a pane. Octree, lights and the records of layers come to that.
struct WaveTraffic {
    double begin = 0.0;
    double trace = 0.0;
    double shade = 0.0;
};

WaveTraffic waveTraffic(const WaveQueueUse& use);

} // namespace aureole
