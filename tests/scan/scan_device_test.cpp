// Device-wide scans of many sizes by both methods, in place, from any address, again and again.

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scan_test.h"
#include "shared/scan.h"
#include "sweep.h"

namespace aureole::scan {
namespace {

class ScanDeviceTest : public ScanTest {
protected:
    static ScanOptions optionsOf(Method method, Kind kind, std::uint64_t maximumCount) {
        ScanOptions options;
        options.maximumCount = maximumCount;
        options.kind = kind;
        options.method = method;
        options.patience = kPatience;
        return options;
    }

    template <typename Item>
    static void compare(ScanPlan& made, const ScanOptions& options, std::size_t count, bool inPlace = false,
                        std::size_t offset = 0) {
        inPlace = inPlace && mayScanInPlace(made);
        SCOPED_TRACE(fmt::format("kind {}, {}, count {}, offset {}{}", static_cast<int>(options.kind),
                                 made.singlePass() ? "one pass" : "reduce then scan", count, offset,
                                 inPlace ? ", in place" : ""));
        const auto input = randomItems<Item>(options.operation, count, static_cast<std::uint32_t>(count));
        const std::vector<Item> found = run(made, options.kind, input, inPlace, offset);
        expectSame(found, expectedOf(options.kind, options.operation, input, made.segment()));
    }

    template <typename Item>
    static void compareSizes(Method method, std::size_t largest) {
        for (const Kind kind : {Kind::Reduce, Kind::Inclusive, Kind::Exclusive}) {
            ScanOptions options = optionsOf(method, kind, largest + 1);
            options.type = typeOf<Item>();
            ScanPlan made = plan(device(), options);
            EXPECT_EQ(made.singlePass(), method == Method::SinglePass && kind != Kind::Reduce);
            for (std::size_t size = 1; size <= largest; size *= size < 64 ? 8 : 4) {
                for (const std::size_t count : {size - 1, size, size + 1}) {
                    compare<Item>(made, options, count, kind != Kind::Reduce && size % 3 == 1);
                }
            }
            for (const std::size_t prime : {2003U, 30011U, 120011U}) {
                compare<Item>(made, options, prime);
            }
        }
    }
};

TEST_F(ScanDeviceTest, SizesByReduceThenScan) {
    const std::size_t largest = largestSweep(std::size_t{1} << 18, std::size_t{1} << 26);
    compareSizes<std::uint32_t>(Method::ReduceThenScan, largest);
    compareSizes<std::uint64_t>(Method::ReduceThenScan, std::size_t{1} << 18);
}

TEST_F(ScanDeviceTest, SizesInOnePass) {
    const std::size_t largest = largestSweep(std::size_t{1} << 18, std::size_t{1} << 26);
    compareSizes<std::uint32_t>(Method::SinglePass, device().info().isCpu ? std::size_t{1} << 18 : largest);
    compareSizes<std::uint64_t>(Method::SinglePass, std::size_t{1} << 18);
}

TEST_F(ScanDeviceTest, InPlaceAndFromAnyItem) {
    for (const Method method : {Method::ReduceThenScan, Method::SinglePass}) {
        const ScanOptions options = optionsOf(method, Kind::Inclusive, 50000);
        ScanPlan made = plan(device(), options);
        for (std::size_t offset = 0; offset < 5; ++offset) {
            compare<std::uint32_t>(made, options, 49999, false, offset);
            compare<std::uint32_t>(made, options, 49999, true, offset);
        }
    }
}

TEST_F(ScanDeviceTest, VectorsFromAnyItemAtEveryLevel) {
    // Where vectors are not aligned items are moved one by one: on either side, as the levels lay them out.
    const auto compareItems = [](auto item, ScanOptions options) {
        using Item = decltype(item);
        options.type = typeOf<Item>();
        ScanPlan made = plan(device(), options);
        for (std::size_t offset = 0; offset < 4; ++offset) {
            compare<Item>(made, options, 2999, false, offset);
        }
    };
    for (const Level level : {Level::Subgroup, Level::Workgroup, Level::Device}) {
        ScanOptions options = optionsOf(Method::SinglePass, Kind::Inclusive, 3000);
        options.level = level;
        options.segment = level == Level::Workgroup ? 333 : 0;
        options.rows = 1;
        for (const std::uint32_t items : {2U, 4U}) {
            options.items = items;
            compareItems(std::uint32_t{}, options);
            compareItems(std::uint64_t{}, options);
        }
    }
}

TEST_F(ScanDeviceTest, TilesOfEveryShape) {
    const std::uint32_t subgroup = device().info().subgroupSize;
    for (const Method method : {Method::ReduceThenScan, Method::SinglePass}) {
        std::uint32_t rows = 1;
        for (const std::uint32_t workgroupSize : {subgroup, 3 * subgroup, 4 * subgroup, std::uint32_t{1024}}) {
            ScanOptions options = optionsOf(method, Kind::Inclusive, 40009);
            options.workgroupSize = std::min(workgroupSize, device().info().maxWorkgroupInvocations);
            options.rows = rows;
            options.items = 1 + rows % 4;
            ScanPlan made = plan(device(), options);
            compare<std::uint32_t>(made, options, 40009);
            rows = rows * 2 > 8 ? 3 : rows * 2;
        }
    }
}

TEST_F(ScanDeviceTest, MoreTilesThanADispatchHasAlongX) {
    // And some workgroups more than tiles, which must not upset the tickets: twice.
    ScanOptions options = optionsOf(Method::SinglePass, Kind::Inclusive, 1);
    options.workgroupSize = device().info().subgroupSize;
    options.items = 1;
    options.rows = 1;
    const std::size_t count = std::size_t{options.workgroupSize} * 33000 + 1;
    options.maximumCount = count;
    ScanPlan made = plan(device(), options);
    compare<std::uint32_t>(made, options, count);
    compare<std::uint32_t>(made, options, count);
}

TEST_F(ScanDeviceTest, WorkgroupsTakeTileAfterTile) {
    // Fewer tiles than workgroups, as many, an odd and an even number for each, and twice over: tickets must come out
    // even whoever takes them.
    for (const Kind kind : {Kind::Inclusive, Kind::Exclusive}) {
        ScanOptions options = optionsOf(Method::SinglePass, kind, 200000);
        options.workgroupSize = 2 * device().info().subgroupSize;
        options.rows = 2;
        for (const std::uint32_t workgroups : {1U, 2U, 7U}) {
            options.onePassWorkgroups = workgroups;
            ScanPlan made = plan(device(), options);
            const std::size_t tile = made.shape().tileItems();
            for (const std::size_t count : {tile - 1, workgroups * tile, (2 * workgroups + 1) * tile + 1, 21 * tile}) {
                compare<std::uint32_t>(made, options, count);
                compare<std::uint32_t>(made, options, count);
            }
        }
    }
}

TEST_F(ScanDeviceTest, ImpatientSubgroupsAddUpMissingTilesThemselves) {
    // Without patience every predecessor that has not come forward at the first look is added up.
    ScanOptions options = optionsOf(Method::SinglePass, Kind::Exclusive, 60000);
    options.workgroupSize = 2 * device().info().subgroupSize;
    options.rows = 1;
    options.patience = 0;
    ScanPlan made = plan(device(), options);
    for (int i = 0; i < 3; ++i) {
        compare<std::uint32_t>(made, options, 60000, i % 2 == 1);
    }
}

TEST_F(ScanDeviceTest, PatienceKeepsToWhatTheDeviceBears) {
    ScanOptions options = optionsOf(Method::SinglePass, Kind::Inclusive, 1U << 18);
    options.patience = ~0U;
    ScanPlan made = plan(device(), options);
    for (const std::size_t count : {1U << 18, 200003U}) {
        compare<std::uint32_t>(made, options, count);
    }
}

TEST_F(ScanDeviceTest, APlanCanBeMoved) {
    for (const Method method : {Method::ReduceThenScan, Method::SinglePass}) {
        const ScanOptions options = optionsOf(method, Kind::Inclusive, 9001);
        ScanPlan first = plan(device(), options);
        compare<std::uint32_t>(first, options, 9001);
        ScanPlan second = std::move(first);
        compare<std::uint32_t>(second, options, 8999);
    }
}

TEST_F(ScanDeviceTest, StatusWordsOfUsedUpEpochsAreVoid) {
    // Past the last number of an execution. (Tiles that run one after the other, as on lavapipe, overwrite old words
    // before anyone looks: there this shows only that the executions go on.) Inputs alternate so that a word of an
    // earlier execution with the same number, there being an odd number of them, is wrong.
    static_assert(SCAN_MOST_EPOCHS % 2 == 1);
    ScanOptions options = optionsOf(Method::SinglePass, Kind::Inclusive, 1);
    options.workgroupSize = device().info().subgroupSize;
    options.items = 1;
    options.rows = 1;
    const std::size_t count = std::size_t{options.workgroupSize} * 3;
    options.maximumCount = count;
    ScanPlan made = plan(device(), options);
    const std::vector<std::uint32_t> ones(count, 1);
    const std::vector<std::uint32_t> twos(count, 2);
    const gpu::Buffer odd = device().createBufferWith(std::span<const std::uint32_t>(ones), "ones");
    const gpu::Buffer even = device().createBufferWith(std::span<const std::uint32_t>(twos), "twos");
    const gpu::Buffer sums = device().createBufferWith(std::span<const std::uint32_t>(ones), "sums");
    std::uint32_t executions = 0;
    // Short ones between leave the first one's words of the later tiles as they are.
    const auto isShort = [](std::uint32_t execution) { return execution > 0 && execution < SCAN_MOST_EPOCHS; };
    std::vector<std::uint32_t> found(count);
    for (const std::uint32_t stop : {1U, SCAN_MOST_EPOCHS - 1, SCAN_MOST_EPOCHS, SCAN_MOST_EPOCHS + 1,
                                     SCAN_MOST_EPOCHS + 2, SCAN_MOST_EPOCHS + 3}) {
        gpu::CommandEncoder commands = device().encoder();
        for (; executions < stop; ++executions) {
            made.execute(commands, executions % 2 == 0 ? odd.address() : even.address(), sums.address(),
                         isShort(executions) ? count / 3 : count);
            commands.dispatchBarrier();
        }
        device().submit(std::move(commands)).wait();
        device().download(sums, 0, std::as_writable_bytes(std::span(found)));
        SCOPED_TRACE(fmt::format("execution {}", executions));
        if (isShort(executions - 1)) {
            continue;
        }
        expectSame(found, expectedOf(Kind::Inclusive, Operation::Add, stop % 2 == 1 ? ones : twos, 0));
    }
}

TEST_F(ScanDeviceTest, OnePlanRunsAgainAndAgainInOneSubmission) {
    constexpr std::size_t kCount = 5003;
    constexpr int kTimes = 50;
    for (const Method method : {Method::ReduceThenScan, Method::SinglePass}) {
        ScanPlan made = plan(device(), optionsOf(method, Kind::Inclusive, kCount));
        std::vector<std::uint32_t> items(kCount, 1);
        const gpu::Buffer buffer = device().createBufferWith(std::span<const std::uint32_t>(items), "items");
        const gpu::Buffer other = device().createBufferWith(std::span<const std::uint32_t>(items), "other items");
        gpu::CommandEncoder commands = device().encoder();
        for (int i = 0; i < kTimes; ++i) {
            // To and fro, so that nothing is scanned in place.
            const gpu::Buffer& from = i % 2 == 0 ? buffer : other;
            const gpu::Buffer& to = i % 2 == 0 ? other : buffer;
            made.execute(commands, from.address(), to.address(), kCount - static_cast<std::size_t>(i / 2));
            commands.barrier();
        }
        device().submit(std::move(commands)).wait();
        std::vector<std::uint32_t> found(kCount);
        device().download(buffer, 0, std::as_writable_bytes(std::span(found)));
        std::vector<std::uint32_t> others = items;
        for (int i = 0; i < kTimes; ++i) {
            std::vector<std::uint32_t>& from = i % 2 == 0 ? items : others;
            std::vector<std::uint32_t>& to = i % 2 == 0 ? others : items;
            std::partial_sum(from.begin(), from.end() - i / 2, to.begin());
        }
        expectSame(found, items);
    }
}

TEST_F(ScanDeviceTest, ReductionsRunAgainAndAgain) {
    const ScanOptions options = optionsOf(Method::Fastest, Kind::Reduce, 300007);
    ScanPlan made = plan(device(), options);
    for (const std::size_t count : {300007U, 1U, 0U, 150000U, 300007U}) {
        compare<std::uint32_t>(made, options, count);
    }
}

} // namespace
} // namespace aureole::scan
