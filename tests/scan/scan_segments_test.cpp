// Many segments at once, each by a workgroup that loops over tiles, or by a subgroup of workgroups that loop.

#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scan_test.h"

namespace aureole::scan {
namespace {

class ScanSegmentsTest : public ScanTest {
protected:
    static void compare(const ScanOptions& options, std::size_t count) {
        ScanPlan made = plan(device(), options);
        SCOPED_TRACE(fmt::format("workgroups of {}, segments of {}, kind {}", made.shape().workgroupSize,
                                 made.segment(), static_cast<int>(options.kind)));
        const auto input = randomItems<std::uint32_t>(options.operation, count, 5);
        expectSame(run(made, options.kind, input), expectedOf(options.kind, options.operation, input, made.segment()));
    }
};

TEST_F(ScanSegmentsTest, VirtualWorkgroupsOfEverySize) {
    // From one subgroup to 1024 invocations; segments of less than a tile, of whole tiles, of many tiles and a part.
    const std::uint32_t subgroup = device().info().subgroupSize;
    for (const std::uint32_t workgroupSize : {subgroup, 2 * subgroup, 5 * subgroup, 256U, 512U, 1024U}) {
        ScanOptions options;
        options.maximumCount = 120011;
        options.level = Level::Workgroup;
        options.workgroupSize = workgroupSize;
        options.rows = 1;
        for (const std::uint64_t segment : {37U, 0U, 4 * workgroupSize * 3, 30 * workgroupSize + 13}) {
            options.segment = segment;
            for (const Kind kind : {Kind::Reduce, Kind::Inclusive, Kind::Exclusive}) {
                options.kind = kind;
                compare(options, options.maximumCount);
            }
        }
    }
}

TEST_F(ScanSegmentsTest, MoreWorkgroupsThanADispatchHasAlongX) {
    ScanOptions options;
    options.maximumCount = 300007;
    options.level = Level::Workgroup;
    options.segment = 9; // 33335 workgroups
    options.workgroupSize = device().info().subgroupSize;
    options.rows = 1;
    compare(options, options.maximumCount);
}

TEST_F(ScanSegmentsTest, SubgroupsLoopOverManySegments) {
    ScanOptions options;
    options.level = Level::Subgroup;
    options.items = 1;
    options.workgroupSize = device().info().subgroupSize;
    options.maximumCount =
        std::uint64_t{options.workgroupSize} * 4096 * 5 + 3; // six rounds of the workgroups there are
    for (const Subgroups subgroups : {Subgroups::Native, Subgroups::Emulated}) {
        options.subgroups = subgroups;
        for (const Kind kind : {Kind::Reduce, Kind::Inclusive, Kind::Exclusive}) {
            options.kind = kind;
            compare(options, options.maximumCount);
        }
    }
}

} // namespace
} // namespace aureole::scan
