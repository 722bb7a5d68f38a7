// Sums and products of floats against double, within the bounds that scan_plan.h states.

#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scan_test.h"

namespace aureole::scan {
namespace {

constexpr double kRounding = 0x1p-24;

/// A running value in double and what its error may be.
struct Exact {
    double value;
    double bound;
};

class ScanFloatTest : public ScanTest {
protected:
    /// The inclusive scan of segments in double; `roundings` is that of the plan.
    static std::vector<Exact> exactScan(Operation operation, const std::vector<float>& input, std::uint64_t segment,
                                        std::uint64_t roundings) {
        std::vector<Exact> exact;
        double value = 0;
        double absolute = 0;
        double factors = 0;
        for (std::size_t i = 0; i < input.size(); ++i) {
            const bool first = i == 0 || (segment != 0 && i % segment == 0);
            const double item = input[i];
            if (operation == Operation::Add) {
                value = (first ? 0 : value) + item;
                absolute = (first ? 0 : absolute) + std::abs(item);
                exact.push_back({value, static_cast<double>(roundings) * kRounding * absolute});
            } else {
                value = (first ? 1 : value) * item;
                factors = (first ? 0 : factors) + 1;
                exact.push_back({value, 1.01 * factors * kRounding * std::abs(value)});
            }
        }
        return exact;
    }

    static void compare(Operation operation, Level level, Kind kind, Method method) {
        ScanOptions options;
        options.maximumCount = 20011;
        options.type = Type::F32;
        options.operation = operation;
        options.level = level;
        options.kind = kind;
        options.method = method;
        options.patience = 16;
        ScanPlan made = plan(device(), options);
        SCOPED_TRACE(fmt::format("operation {}, level {}, kind {}, {}", static_cast<int>(operation),
                                 static_cast<int>(level), static_cast<int>(kind),
                                 made.singlePass() ? "one pass" : "reduce then scan"));
        const auto input = randomItems<float>(operation, 20011, 7);
        const std::vector<float> output = run(made, kind, input);
        const std::vector<Exact> exact = exactScan(operation, input, made.segment(), made.roundings(input.size()));
        const std::size_t segment = made.segment() == 0 ? input.size() : made.segment();
        for (std::size_t i = 0; i < output.size(); ++i) {
            if (kind == Kind::Exclusive && i % segment == 0) {
                ASSERT_EQ(output[i], operation == Operation::Add ? 0.0F : 1.0F);
                continue;
            }
            const std::size_t last = kind == Kind::Reduce      ? std::min((i + 1) * segment, input.size()) - 1
                                     : kind == Kind::Exclusive ? i - 1
                                                               : i;
            ASSERT_LE(std::abs(output[i] - exact[last].value), exact[last].bound) << "at " << i;
        }
    }
};

TEST_F(ScanFloatTest, SumsAndProductsAreWithinTheBound) {
    for (const Operation operation : {Operation::Add, Operation::Multiply}) {
        for (const Level level : {Level::Subgroup, Level::Workgroup, Level::Device}) {
            for (const Kind kind : {Kind::Reduce, Kind::Inclusive, Kind::Exclusive}) {
                compare(operation, level, kind, Method::ReduceThenScan);
            }
        }
        compare(operation, Level::Device, Kind::Inclusive, Method::SinglePass);
    }
}

TEST_F(ScanFloatTest, SumsAreTheSameEveryTime) {
    const auto input = randomItems<float>(Operation::Add, 30011, 3);
    for (const Kind kind : {Kind::Reduce, Kind::Inclusive}) {
        ScanPlan made = plan(device(), {.maximumCount = input.size(), .kind = kind, .type = Type::F32});
        const std::vector<float> first = run(made, kind, input);
        for (int i = 0; i < 5; ++i) {
            expectSame(run(made, kind, input), first);
        }
    }
}

} // namespace
} // namespace aureole::scan
