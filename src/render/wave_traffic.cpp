#include "render/wave_traffic.h"

#include <array>
#include <cstddef>

#include "shared/wave/wave_queue.h"

namespace aureole {

namespace {

/// An array of the queue, and how often its element is read and written in a kernel.
struct ArrayUse {
    std::size_t bytes;
    bool (*isThere)(const WaveQueueUse& use);
    int begin;
    int trace;
    int shade;
};

#define ARRAY_USE(name, isThere, begin, trace, shade)                                                                  \
    ArrayUse {                                                                                                         \
        sizeof(shared::WaveSlot::name), isThere, begin, trace, shade                                                   \
    }
bool always(const WaveQueueUse& /*use*/) {
    return true;
}
bool withLayers(const WaveQueueUse& use) {
    return use.layers;
}
bool withGlass(const WaveQueueUse& use) {
    return use.glass;
}
bool withGrids(const WaveQueueUse& use) {
    return use.grids;
}
bool withPanes(const WaveQueueUse& use) {
    return use.panes;
}
bool withBoth(const WaveQueueUse& use) {
    return use.glass && use.grids;
}

constexpr std::array kUses = {
    ARRAY_USE(rays, always, 1, 1, 2),
    ARRAY_USE(shadowRays, always, 0, 1, 1),
    ARRAY_USE(paths, always, 1, 0, 2),
    ARRAY_USE(connections, always, 0, 0, 2),
    ARRAY_USE(hits, always, 1, 1, 1),
    ARRAY_USE(shadowHits, always, 0, 1, 1),
    ARRAY_USE(gridRays, withGrids, 1, 2, 2),
    ARRAY_USE(shadowGridRays, withGrids, 0, 2, 2),
    ARRAY_USE(glassRays, withGlass, 1, 1, 1),
    ARRAY_USE(shadowGlassRays, withGlass, 0, 1, 1),
    ARRAY_USE(glassPaths, withGlass, 1, 0, 2),
    ARRAY_USE(shadowGlassLights, withGlass, 0, 0, 2),
    ARRAY_USE(panes, withPanes, 1, 0, 2),
    ARRAY_USE(gridMedia, withBoth, 0, 1, 1),
    ARRAY_USE(shadowGridMedia, withBoth, 0, 1, 1),
    ARRAY_USE(shadowSlots, always, 0, 1, 1),
    ARRAY_USE(shadowGroups, withLayers, 0, 0, 2),
};
#undef ARRAY_USE

#define COUNT_ARRAY(name, type, bytes, isThere, before) +1
static_assert(kUses.size() == 0 WAVE_QUEUE(COUNT_ARRAY), "an array of the queue is missing here");
#undef COUNT_ARRAY

} // namespace

std::uint64_t waveSlotBytes(const WaveQueueUse& use) {
    std::uint64_t bytes = 0;
    for (const ArrayUse& array : kUses) {
        bytes += array.isThere(use) ? array.bytes : 0;
    }
    return bytes;
}

WaveTraffic waveTraffic(const WaveQueueUse& use) {
    constexpr auto kRadiance = static_cast<double>(sizeof(shared::vec3));
    WaveTraffic traffic{kRadiance, 0.0, 4.0 * kRadiance}; // set; what the shadow ray saw and what is here, each added
    for (const ArrayUse& array : kUses) {
        if (array.isThere(use)) {
            const auto bytes = static_cast<double>(array.bytes);
            traffic.begin += array.begin * bytes;
            traffic.trace += array.trace * bytes;
            traffic.shade += array.shade * bytes;
        }
    }
    return traffic;
}

} // namespace aureole
