#include "render/wave_traffic.h"

#include "shared/wave/wave_queue.h"

namespace aureole {

namespace {

/// How often an element of an array is read and written in a kernel.
struct ArrayUse {
    int begin;
    int trace;
    int shade;
};

/// By the names that WAVE_QUEUE has.
namespace uses {
constexpr ArrayUse rays{1, 1, 2};
constexpr ArrayUse shadowRays{0, 1, 1};
constexpr ArrayUse paths{1, 0, 2};
constexpr ArrayUse connections{0, 0, 2};
constexpr ArrayUse hits{1, 1, 1};
constexpr ArrayUse shadowHits{0, 1, 1};
constexpr ArrayUse gridRays{1, 2, 2};
constexpr ArrayUse shadowGridRays{0, 2, 2};
constexpr ArrayUse glassRays{1, 1, 1};
constexpr ArrayUse shadowGlassRays{0, 1, 1};
constexpr ArrayUse glassPaths{1, 0, 2};
constexpr ArrayUse shadowGlassLights{0, 0, 2};
constexpr ArrayUse panes{1, 0, 2};
constexpr ArrayUse gridMedia{0, 1, 1};
constexpr ArrayUse shadowGridMedia{0, 1, 1};
constexpr ArrayUse shadowSlots{0, 1, 1};
constexpr ArrayUse shadowGroups{0, 0, 2};
} // namespace uses

// The list says by these which arrays there are; elsewhere C++ has all of them.
#undef WAVE_HAS_GRIDS
#undef WAVE_HAS_GLASS
#undef WAVE_HAS_PANES
#undef WAVE_HAS_LAYERS
#undef WAVE_HAS_GRID_MEDIA
#define WAVE_HAS_GRIDS use.grids
#define WAVE_HAS_GLASS use.glass
#define WAVE_HAS_PANES use.panes
#define WAVE_HAS_LAYERS use.layers
#define WAVE_HAS_GRID_MEDIA (use.glass && use.grids)

} // namespace

#define ADD_BYTES_IF_THERE(name, type, bytes, isThere, before) slotBytes += (isThere) ? (bytes) : 0U;
std::uint64_t waveSlotBytes(const WaveQueueUse& use) {
    std::uint64_t slotBytes = 0;
    WAVE_QUEUE(ADD_BYTES_IF_THERE)
    return slotBytes;
}
#undef ADD_BYTES_IF_THERE

#define ADD_IF_THERE(name, type, bytes, isThere, before) add(uses::name, (isThere) ? (bytes) : 0U);
WaveTraffic waveTraffic(const WaveQueueUse& use) {
    constexpr auto kRadiance = static_cast<double>(sizeof(shared::vec3));
    WaveTraffic traffic{kRadiance, 0.0, 4.0 * kRadiance}; // set; what the shadow ray saw and what is here, each added
    const auto add = [&](const ArrayUse& times, double bytes) {
        traffic.begin += times.begin * bytes;
        traffic.trace += times.trace * bytes;
        traffic.shade += times.shade * bytes;
    };
    WAVE_QUEUE(ADD_IF_THERE)
    return traffic;
}
#undef ADD_IF_THERE

} // namespace aureole
