#include <gtest/gtest.h>

#include "render/wave_traffic.h"
#include "shared/wave/wave_queue.h"

namespace aureole {
namespace {

/// Counted by hand in the shaders: a ray 32 bytes, a path 32, a connection 16, where a ray ends 16, a slot's number 4.
TEST(WaveTraffic, IsWhatKernelsReadAndWrite) {
    const WaveTraffic plain = waveTraffic({});
    EXPECT_EQ(plain.begin, 32.0 + 32.0 + 16.0 + 12.0);
    EXPECT_EQ(plain.trace, 2 * 32.0 + 4.0 + 2 * 16.0);
    const double reads = 32.0 + 32.0 + 16.0 + 16.0 + 16.0;
    const double writes = 2 * 32.0 + 32.0 + 16.0 + 4.0;
    EXPECT_EQ(plain.shade, reads + writes + 2 * 24.0);
}

/// What a vertex brings is at least written by one kernel and read by another.
TEST(WaveTraffic, HasAllThatASlotHolds) {
    const auto all = [](const WaveTraffic& traffic) { return traffic.trace + traffic.shade - 48.0; };
    const WaveQueueUse glass{.glass = true, .layers = true, .panes = true};
    EXPECT_GE(all(waveTraffic(glass)), 2.0 * shared::WAVE_SLOT_BYTES_OF_GLASS);
    const WaveQueueUse grids{.glass = true, .grids = true, .layers = true, .panes = true};
    EXPECT_GE(all(waveTraffic(grids)), 2.0 * shared::WAVE_SLOT_BYTES_OF_GRID_GLASS);
    EXPECT_EQ(all(waveTraffic({.layers = true})), all(waveTraffic({})) + 2 * 4.0);
}

} // namespace
} // namespace aureole
