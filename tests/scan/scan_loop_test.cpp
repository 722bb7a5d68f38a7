// shaders/scan/subgroup_scan.glsl in a loop whose lanes run apart, on many workgroups at once.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "scan/tile_shape.h"
#include "test_scan_shaders.h"

namespace aureole::scan {
namespace {

constexpr std::uint32_t kRounds = 40;

struct Push {
    std::uint64_t items;
    std::uint32_t rounds;
};

std::uint32_t scramble(std::uint32_t value) {
    const std::uint32_t steps = value & 15U;
    for (std::uint32_t i = 0; i < steps; ++i) {
        value = value * 1664525U + 1013904223U;
    }
    return value;
}

/// The rounds of scan_loop.comp for the values of one subgroup.
void playRounds(std::span<std::uint32_t> values) {
    std::vector<std::uint32_t> before(values.size());
    std::vector<std::uint32_t> with(values.size());
    for (std::uint32_t round = 0; round < kRounds; ++round) {
        std::transform(values.begin(), values.end(), values.begin(), scramble);
        std::exclusive_scan(values.begin(), values.end(), before.begin(), 0U);
        const std::uint32_t total = std::accumulate(values.begin(), values.end(), 0U);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = (values[i] & 1U) != 0 ? scramble(before[i] + total) : before[i] ^ total;
        }
        std::inclusive_scan(values.begin(), values.end(), with.begin());
        std::uint32_t mixed = 0;
        for (const std::uint32_t value : values) {
            mixed += value ^ round;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] += with[i] * 3U + mixed;
        }
    }
}

class ScanLoopTest : public gpu::GpuTest {};

TEST_F(ScanLoopTest, LanesThatRunApartMeetAtEveryScan) {
    TileShape shape;
    shape.subgroupSize = device().info().subgroupSize;
    shape.workgroupSize = 4 * shape.subgroupSize;
    shape.items = 1;
    shape.rows = 1;
    constexpr std::uint32_t kWorkgroups = 200;
    std::mt19937 random(1);
    std::vector<std::uint32_t> items(std::size_t{kWorkgroups} * shape.workgroupSize);
    std::generate(items.begin(), items.end(), random);
    std::vector<std::uint32_t> expected = items;
    for (std::size_t first = 0; first < items.size(); first += shape.subgroupSize) {
        playRounds(std::span(expected).subspan(first, shape.subgroupSize));
    }
    for (const bool native : {false, true}) {
        const gpu::Pipeline pipeline =
            createTilePipeline(device(), "scan_loop", shaders::scan_loop(), shape, native, sizeof(Push));
        const gpu::Buffer buffer = device().createBufferWith(std::span<const std::uint32_t>(items), "items");
        gpu::CommandEncoder commands = device().encoder();
        commands.dispatch(pipeline, Push{buffer.address(), kRounds}, kWorkgroups);
        device().submit(std::move(commands)).wait();
        std::vector<std::uint32_t> found(items.size());
        device().download(buffer, 0, std::as_writable_bytes(std::span(found)));
        ASSERT_EQ(found, expected) << (native ? "native" : "emulated");
    }
}

} // namespace
} // namespace aureole::scan
