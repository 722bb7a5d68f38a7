#pragma once

// Runs plans on the test device.

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "gpu_test/gpu_test.h"
#include "scan/device_defaults.h"
#include "scan/scan_plan.h"
#include "scan_oracle.h"

namespace aureole::scan {

/// Polls before a subgroup helps itself. Few, so that a software device, which promises no progress and ends loops
/// after 65,536 iterations, gets by.
inline constexpr std::uint32_t kPatience = 64;

/// Expects the same items, and shows the first that differs.
template <typename Item>
void expectSame(const std::vector<Item>& found, const std::vector<Item>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    const auto [at, wanted] = std::mismatch(found.begin(), found.end(), expected.begin());
    if (at != found.end()) {
        ADD_FAILURE() << "item " << at - found.begin() << " is " << *at << ", expected " << *wanted;
    }
}

class ScanTest : public gpu::GpuTest {
protected:
    /// Fills what no one must write to.
    static constexpr std::byte kPoison{0xA5};
    static constexpr std::size_t kGuardItems = 8;

    static bool mayScanInPlace(const ScanPlan& made) {
        return !made.singlePass() || defaultsFor(device().info()).forwardProgress;
    }

    /// Runs a plan on items and returns its output; `offset` items lie before the first, on both sides. Fails where
    /// anything outside of the output is written.
    template <typename Item>
    static std::vector<Item> run(ScanPlan& made, Kind kind, const std::vector<Item>& input, bool inPlace = false,
                                 std::size_t offset = 0) {
        std::size_t outputs = input.size();
        if (kind == Kind::Reduce) {
            const std::uint64_t segment = made.segment();
            outputs = segment == 0 ? 1 : static_cast<std::size_t>((input.size() + segment - 1) / segment);
        }
        const std::size_t room = offset + std::max(outputs, input.size()) + kGuardItems;
        std::vector<Item> memory(room);
        std::memset(memory.data(), static_cast<int>(kPoison), room * sizeof(Item));
        const std::vector<Item> poison = memory;
        std::copy(input.begin(), input.end(), memory.begin() + static_cast<std::ptrdiff_t>(offset));
        const gpu::Buffer source = device().createBufferWith(std::span<const Item>(memory), "source");
        const gpu::Buffer target = device().createBufferWith(std::span<const Item>(poison), "target");
        const gpu::Buffer& result = inPlace ? source : target;
        gpu::CommandEncoder commands = device().encoder();
        made.execute(commands, source.address() + offset * sizeof(Item), result.address() + offset * sizeof(Item),
                     input.size());
        device().submit(std::move(commands)).wait();
        std::vector<Item> output(room);
        device().download(result, 0, std::as_writable_bytes(std::span(output)));
        EXPECT_EQ(std::memcmp(output.data(), poison.data(), offset * sizeof(Item)), 0) << "written before the output";
        EXPECT_EQ(std::memcmp(output.data() + room - kGuardItems, poison.data(), kGuardItems * sizeof(Item)), 0)
            << "written behind the output";
        return {output.begin() + static_cast<std::ptrdiff_t>(offset),
                output.begin() + static_cast<std::ptrdiff_t>(offset + outputs)};
    }
};

} // namespace aureole::scan
