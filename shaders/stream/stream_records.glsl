// Rays and hits in buffers, for kernels that make, move or read them and traverse nothing.
#define RNG_SAMPLER(rng) SAMPLER_INDEPENDENT

uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#include "shared/stream/ray_stream.h"

layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer RayTarget {
    RayRecord at[];
};

layout(local_size_x = 256) in;
#include "gpu/dispatch.glsl"

// What is stored goes through a parameter, as wave_kernel.glsl tells why.
void storeRay(uint64_t target, uint i, RayRecord ray) {
    RayTarget(target).at[i] = ray;
}
