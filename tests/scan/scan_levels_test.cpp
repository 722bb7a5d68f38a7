// Every operation of every type, at every level, with one to four items, native and emulated, against the standard
// library.

#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scan_test.h"

namespace aureole::scan {
namespace {

class ScanLevelsTest : public ScanTest {
protected:
    template <typename Item>
    void checkAll(Operation operation) {
        for (const bool native : {false, true}) {
            for (const Level level : {Level::Subgroup, Level::Workgroup, Level::Device}) {
                for (std::uint32_t items = 1; items <= 4; ++items) {
                    for (const Kind kind : {Kind::Reduce, Kind::Inclusive, Kind::Exclusive}) {
                        ScanOptions options;
                        options.maximumCount = 100000;
                        options.kind = kind;
                        options.operation = operation;
                        options.type = typeOf<Item>();
                        options.level = level;
                        options.items = items;
                        options.subgroups = native ? Subgroups::Native : Subgroups::Emulated;
                        options.workgroupSize = 64;
                        options.rows = 2;
                        ScanPlan made = plan(device(), options);
                        for (std::size_t count : {1, 2, 31, 33, 1000, 4099}) {
                            const std::vector<Item> input = randomItems<Item>(operation, count, 1);
                            ASSERT_EQ(run(made, kind, input), expectedOf(kind, operation, input, made.segment()))
                                << fmt::format("op {} native {} level {} items {} kind {} count {}", (int)operation,
                                               native, (int)level, items, (int)kind, count);
                        }
                    }
                }
            }
        }
    }
};

TEST_F(ScanLevelsTest, U32) {
    for (int i = 0; i < 7; ++i)
        checkAll<std::uint32_t>(static_cast<Operation>(i));
}
TEST_F(ScanLevelsTest, I32) {
    for (int i = 0; i < 7; ++i)
        checkAll<std::int32_t>(static_cast<Operation>(i));
}
TEST_F(ScanLevelsTest, U64) {
    checkAll<std::uint64_t>(Operation::Add);
}

} // namespace
} // namespace aureole::scan
