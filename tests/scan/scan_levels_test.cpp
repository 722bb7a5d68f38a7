// Every operation of every type, at every level (over the device in two passes and in one), with one to four items,
// native and emulated, exactly equal to the standard library. Software devices compile for long, so the quick run takes
// one number of items for each operation and type, in turn, native and emulated in turn; u32 addition, and the full
// sweep, take all.

#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "full_sweep.h"
#include "scan_test.h"
#include "sweep.h"

namespace aureole::scan {
namespace {

constexpr std::array<std::size_t, 9> kCounts = {0, 1, 2, 31, 33, 97, 257, 1009, 4999};

class ScanLevelsTest : public ScanTest {
protected:
    template <typename Item>
    static void compare(const ScanOptions& options) {
        ScanPlan made = plan(device(), options);
        for (const std::size_t count : kCounts) {
            SCOPED_TRACE(fmt::format("operation {}, level {}, kind {}, {} items, {}, count {}",
                                     static_cast<int>(options.operation), static_cast<int>(options.level),
                                     static_cast<int>(options.kind), options.items,
                                     made.native() ? "native" : "emulated", count) +
                         (made.singlePass() ? ", one pass" : ""));
            const auto input = randomItems<Item>(options.operation, count, static_cast<std::uint32_t>(count));
            const std::vector<Item> expected = expectedOf(options.kind, options.operation, input, made.segment());
            const bool inPlace = count % 2 == 1 && options.kind != Kind::Reduce && mayScanInPlace(made);
            expectSame(run(made, options.kind, input, inPlace), expected);
        }
    }

    template <typename Item>
    static void compareKinds(ScanOptions options) {
        options.patience = kPatience;
        options.method = Method::SinglePass;
        for (const Kind kind : {Kind::Inclusive, Kind::Exclusive}) {
            options.kind = kind;
            compare<Item>(options);
        }
        options.method = Method::ReduceThenScan;
        for (const Level level : {Level::Subgroup, Level::Workgroup, Level::Device}) {
            for (const Kind kind : {Kind::Reduce, Kind::Inclusive, Kind::Exclusive}) {
                options.level = level;
                options.kind = kind;
                compare<Item>(options);
            }
        }
    }

    template <typename Item>
    static void compareAll(Operation operation) {
        ScanOptions options;
        options.maximumCount = kCounts.back();
        options.operation = operation;
        options.type = typeOf<Item>();
        options.workgroupSize = 2 * device().info().subgroupSize;
        options.rows = 1;
        const auto turn = static_cast<std::uint32_t>(operation) + static_cast<std::uint32_t>(options.type);
        for (std::uint32_t items = 1; items <= 4; ++items) {
            options.items = items;
            for (const bool native : {false, true}) {
                options.subgroups = native ? Subgroups::Native : Subgroups::Emulated;
                if (fullSweep() || (items == 1 + turn % 4 && native == (turn % 2 == 0))) {
                    compareKinds<Item>(options);
                }
            }
        }
    }
};

/// Without AUREOLE_FULL each operation is tried of one type: those to which a sign matters, and the last one, of signed
/// numbers.
bool isTriedSigned(Operation operation) {
    return operation == Operation::Min || operation == Operation::Max || operation == Operation::Xor;
}

TEST_F(ScanLevelsTest, U32EqualsTheStandardLibrary) {
    for (int i = 0; i <= static_cast<int>(Operation::Xor); ++i) {
        const auto operation = static_cast<Operation>(i);
        if (fullSweep() || !isTriedSigned(operation)) {
            compareAll<std::uint32_t>(operation);
        }
    }
}

TEST_F(ScanLevelsTest, I32EqualsTheStandardLibrary) {
    for (int i = 0; i <= static_cast<int>(Operation::Xor); ++i) {
        const auto operation = static_cast<Operation>(i);
        if (fullSweep() || isTriedSigned(operation)) {
            compareAll<std::int32_t>(operation);
        }
    }
}

TEST_F(ScanLevelsTest, U64SumsBeyond32BitsEqualTheStandardLibrary) {
    compareAll<std::uint64_t>(Operation::Add);
}

TEST_F(ScanLevelsTest, OrderedF32EqualsTheStandardLibrary) {
    compareAll<float>(Operation::Min);
    compareAll<float>(Operation::Max);
}

} // namespace
} // namespace aureole::scan
