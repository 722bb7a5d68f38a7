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
    EXPECT_GE(all(waveTraffic(glass)), 2.0 * static_cast<double>(waveSlotBytes(glass)));
    const WaveQueueUse grids{.glass = true, .grids = true, .layers = true, .panes = true};
    EXPECT_GE(all(waveTraffic(grids)), 2.0 * static_cast<double>(waveSlotBytes(grids)));
    EXPECT_EQ(waveSlotBytes(grids), sizeof(shared::WaveSlot));
    EXPECT_EQ(all(waveTraffic({.layers = true})), all(waveTraffic({})) + 2 * 4.0);
}

/// Slots hold what a scene needs and no more.
TEST(WaveTraffic, SlotsHaveWhatIsUsed) {
    EXPECT_EQ(waveSlotBytes({}), 32U + 32U + 32U + 16U + 2U * 16U + 4U);
    EXPECT_EQ(waveSlotBytes({.layers = true}), 152U);
    EXPECT_EQ(waveSlotBytes({.glass = true}), 148U + 48U);
    EXPECT_EQ(waveSlotBytes({.glass = true, .panes = true}), 148U + 56U);
    EXPECT_EQ(waveSlotBytes({.grids = true}), 148U + 64U);
    EXPECT_EQ(waveSlotBytes({.glass = true, .grids = true}), 148U + 48U + 64U + 16U);
}

} // namespace
} // namespace aureole
