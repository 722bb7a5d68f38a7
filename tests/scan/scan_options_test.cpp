// What a plan refuses, and what it tells of itself.

#include <cstdint>

#include <gtest/gtest.h>

#include "core/error.h"
#include "gpu_test/gpu_test.h"
#include "scan/device_defaults.h"
#include "scan/scan_plan.h"

namespace aureole::scan {
namespace {

class ScanOptionsTest : public gpu::GpuTest {
protected:
    static void expectRefused(const ScanOptions& options) { EXPECT_THROW(plan(device(), options), Error); }
};

TEST_F(ScanOptionsTest, WrongOnesAreRefused) {
    expectRefused({});
    expectRefused({.maximumCount = kMostItems + 1});
    expectRefused({.maximumCount = 8, .operation = Operation::And, .type = Type::F32});
    expectRefused({.maximumCount = 8, .operation = Operation::Max, .type = Type::U64});
    expectRefused({.maximumCount = 8, .segment = 4});
    expectRefused({.maximumCount = 8, .workgroupSize = 13});
    expectRefused({.maximumCount = 8, .workgroupSize = 1U << 20});
    expectRefused({.maximumCount = 8, .items = 0});
    expectRefused({.maximumCount = 8, .items = 5});
    expectRefused({.maximumCount = 8, .rows = 9});
}

TEST_F(ScanOptionsTest, WrongExecutionsAreRefused) {
    ScanPlan made = plan(device(), {.maximumCount = 8});
    gpu::CommandEncoder commands = device().encoder();
    EXPECT_THROW(made.execute(commands, 64, 128, 9), Error);
    EXPECT_THROW(made.execute(commands, 66, 128, 8), Error);
    EXPECT_THROW(made.execute(commands, 64, 129, 8), Error);
}

TEST_F(ScanOptionsTest, RangesThatOverlapAreRefused) {
    gpu::CommandEncoder commands = device().encoder();
    for (const Level level : {Level::Subgroup, Level::Workgroup, Level::Device}) {
        ScanPlan scan = plan(device(), {.maximumCount = 100, .level = level});
        EXPECT_THROW(scan.execute(commands, 4096, 4092, 100), Error);
        EXPECT_THROW(scan.execute(commands, 4096, 4096 + 396, 100), Error);
        ScanPlan reduce = plan(device(), {.maximumCount = 100, .kind = Kind::Reduce, .level = level});
        EXPECT_THROW(reduce.execute(commands, 4096, 4096, 100), Error);
        EXPECT_THROW(reduce.execute(commands, 4096, 4096 + 396, 100), Error);
    }
}

TEST_F(ScanOptionsTest, OnePassInPlaceIsRefusedWhereTilesMayNotWait) {
    ScanPlan made = plan(device(), {.maximumCount = 100, .method = Method::SinglePass});
    gpu::CommandEncoder commands = device().encoder();
    if (defaultsFor(device().info()).forwardProgress) {
        EXPECT_NO_THROW(made.execute(commands, 4096, 4096, 100)); // and never submitted
    } else {
        EXPECT_THROW(made.execute(commands, 4096, 4096, 100), Error);
    }
}

TEST_F(ScanOptionsTest, ScratchIsAsStated) {
    const ScanPlan onePass = plan(device(), {.maximumCount = 1U << 20, .method = Method::SinglePass});
    const std::uint64_t tiles = ((1U << 20) + onePass.shape().tileItems() - 1) / onePass.shape().tileItems();
    EXPECT_EQ(onePass.scratchBytes(), 16 + 16 * tiles);
    const ScanPlan segments = plan(device(), {.maximumCount = 1U << 20, .level = Level::Workgroup});
    EXPECT_EQ(segments.scratchBytes(), 0U);
    EXPECT_EQ(segments.segment(), segments.shape().tileItems());
}

TEST_F(ScanOptionsTest, FloatSumsAreNotReorderedUnlessAskedFor) {
    const ScanPlan sums = plan(device(), {.maximumCount = 64, .type = Type::F32});
    EXPECT_FALSE(sums.singlePass());
}

} // namespace
} // namespace aureole::scan
