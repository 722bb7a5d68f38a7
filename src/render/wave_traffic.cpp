#include "render/wave_traffic.h"

#include <array>
#include <cstddef>

#include "shared/wave/wave_queue.h"

namespace aureole {

namespace {

/// An array of the queue, and how often its element is read and written in a kernel.
struct ArrayUse {
    std::size_t bytes;
    bool WaveQueueUse::*only; ///< what a scene must have for it; null: nothing
    int begin;
    int trace;
    int shade;
};

#define ARRAY_USE(name, only, begin, trace, shade)                                                                     \
    ArrayUse {                                                                                                         \
        sizeof(shared::WaveSlot::name), only, begin, trace, shade                                                      \
    }
constexpr bool WaveQueueUse::*kAlways = nullptr;
constexpr std::array kUses = {
    ARRAY_USE(rays, kAlways, 1, 1, 2),
    ARRAY_USE(shadowRays, kAlways, 0, 1, 1),
    ARRAY_USE(paths, kAlways, 1, 0, 2),
    ARRAY_USE(connections, kAlways, 0, 0, 2),
    ARRAY_USE(hits, kAlways, 1, 1, 1),
    ARRAY_USE(shadowHits, kAlways, 0, 1, 1),
    ARRAY_USE(shadowSlots, kAlways, 0, 1, 1),
    ARRAY_USE(shadowGroups, &WaveQueueUse::layers, 0, 0, 2),
    ARRAY_USE(glassPaths, &WaveQueueUse::glass, 1, 0, 2),
    ARRAY_USE(glassRays, &WaveQueueUse::glass, 1, 1, 1),
    ARRAY_USE(shadowGlassRays, &WaveQueueUse::glass, 0, 1, 1),
    ARRAY_USE(shadowGlassLights, &WaveQueueUse::glass, 0, 0, 2),
    ARRAY_USE(gridPadding, &WaveQueueUse::grids, 0, 0, 0),
    ARRAY_USE(gridRays, &WaveQueueUse::grids, 1, 2, 2),
    ARRAY_USE(shadowGridRays, &WaveQueueUse::grids, 0, 2, 2),
};
#undef ARRAY_USE

#define COUNT_ARRAY(name, type, bytes, before) +1
static_assert(kUses.size() == 0 WAVE_QUEUE(COUNT_ARRAY), "an array of the queue is missing here");
#undef COUNT_ARRAY

} // namespace

WaveTraffic waveTraffic(const WaveQueueUse& use) {
    constexpr auto kRadiance = static_cast<double>(sizeof(shared::vec3));
    WaveTraffic traffic{kRadiance, 0.0, 4.0 * kRadiance}; // set; what the shadow ray saw and what is here, each added
    for (const ArrayUse& array : kUses) {
        if (array.only == nullptr || use.*array.only) {
            const auto bytes = static_cast<double>(array.bytes);
            traffic.begin += array.begin * bytes;
            traffic.trace += array.trace * bytes;
            traffic.shade += array.shade * bytes;
        }
    }
    return traffic;
}

} // namespace aureole
