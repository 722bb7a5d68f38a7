// The radix sort against std::stable_sort.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "gpu_test/gpu_test.h"
#include "scan/sort_plan.h"
#include "sweep.h"

namespace aureole::scan {
namespace {

struct Sorted {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> values;
};

Sorted expectedOf(const std::vector<std::uint64_t>& keys, std::uint32_t beginBit, std::uint32_t endBit) {
    const std::uint64_t mask = (endBit - beginBit == 64 ? 0 : std::uint64_t{1} << (endBit - beginBit)) - 1;
    Sorted sorted;
    sorted.values.resize(keys.size());
    std::iota(sorted.values.begin(), sorted.values.end(), 0);
    std::stable_sort(sorted.values.begin(), sorted.values.end(), [&](std::uint32_t a, std::uint32_t b) {
        return ((keys[a] >> beginBit) & mask) < ((keys[b] >> beginBit) & mask);
    });
    for (const std::uint32_t value : sorted.values) {
        sorted.keys.push_back(keys[value]);
    }
    return sorted;
}

/// How the keys of a test are strewn.
enum class Order { Random, Sorted, Reversed, AllEqual, FewValues, TopBits };

std::vector<std::uint64_t> makeKeys(Order order, std::size_t count) {
    std::mt19937_64 random(count);
    std::vector<std::uint64_t> keys(count);
    for (std::uint64_t& key : keys) {
        const std::uint64_t bits = random();
        key = order == Order::AllEqual    ? 0x0123456789ABCDEF
              : order == Order::FewValues ? (bits % 5) * 0x0101010101010101
              : order == Order::TopBits   ? bits << 56
                                          : bits;
    }
    if (order == Order::Sorted || order == Order::Reversed) {
        std::sort(keys.begin(), keys.end());
    }
    if (order == Order::Reversed) {
        std::reverse(keys.begin(), keys.end());
    }
    return keys;
}

class SortTest : public gpu::GpuTest {
protected:
    /// Sorts keys with their numbers as values; what lies behind the output must stay.
    static Sorted run(SortPlan& made, const std::vector<std::uint64_t>& keys, bool inPlace = false) {
        constexpr std::uint64_t kPoison = 0xA5A5A5A5A5A5A5A5;
        std::vector<std::uint64_t> keyMemory = keys;
        keyMemory.push_back(kPoison);
        std::vector<std::uint32_t> values(keyMemory.size());
        std::iota(values.begin(), values.end(), 0);
        const std::vector<std::uint64_t> poison(keyMemory.size(), kPoison);
        const gpu::Buffer sourceKeys = device().createBufferWith(std::span<const std::uint64_t>(keyMemory), "keys");
        const gpu::Buffer sourceValues = device().createBufferWith(std::span<const std::uint32_t>(values), "values");
        const gpu::Buffer otherKeys = device().createBufferWith(std::span<const std::uint64_t>(poison), "keys out");
        const gpu::Buffer otherValues = device().createBufferWith(std::span<const std::uint32_t>(values), "values out");
        const gpu::Buffer& targetKeys = inPlace ? sourceKeys : otherKeys;
        const gpu::Buffer& targetValues = inPlace ? sourceValues : otherValues;
        gpu::CommandEncoder commands = device().encoder();
        made.execute(commands, {sourceKeys.address(), sourceValues.address()},
                     {targetKeys.address(), targetValues.address()}, keys.size());
        device().submit(std::move(commands)).wait();
        Sorted sorted{std::vector<std::uint64_t>(keyMemory.size()), std::vector<std::uint32_t>(keyMemory.size())};
        device().download(targetKeys, 0, std::as_writable_bytes(std::span(sorted.keys)));
        device().download(targetValues, 0, std::as_writable_bytes(std::span(sorted.values)));
        EXPECT_EQ(sorted.keys.back(), kPoison) << "keys written behind the output";
        EXPECT_EQ(sorted.values.back(), keys.size()) << "values written behind the output";
        sorted.keys.pop_back();
        sorted.values.pop_back();
        return sorted;
    }

    static void compare(SortPlan& made, const SortOptions& options, const std::vector<std::uint64_t>& keys,
                        bool inPlace = false) {
        SCOPED_TRACE(fmt::format("{} keys, bits {} to {}, {} keys an invocation{}", keys.size(), options.beginBit,
                                 options.endBit, options.keys, inPlace ? ", in place" : ""));
        const Sorted found = run(made, keys, inPlace);
        const Sorted expected = expectedOf(keys, options.beginBit, options.endBit);
        ASSERT_EQ(found.keys, expected.keys);
        ASSERT_EQ(found.values, expected.values);
    }
};

TEST_F(SortTest, EveryOrderAndSizeEqualsStableSort) {
    SortOptions options;
    options.maximumCount = 70000;
    SortPlan made = planSort(device(), options);
    for (const std::size_t count : {1, 2, 7, 31, 32, 33, 255, 1023, 1024, 1025, 4099, 65537}) {
        compare(made, options, makeKeys(Order::Random, count));
    }
    for (const Order order : {Order::Sorted, Order::Reversed, Order::AllEqual, Order::FewValues, Order::TopBits}) {
        compare(made, options, makeKeys(order, 20011));
    }
}

TEST_F(SortTest, OnlyTheBitRangeCounts) {
    for (const auto& [begin, end] : {std::pair{0U, 48U}, {3U, 8U}, {16U, 40U}, {63U, 64U}, {56U, 64U}, {5U, 22U}}) {
        SortOptions options;
        options.maximumCount = 5000;
        options.beginBit = begin;
        options.endBit = end;
        SortPlan made = planSort(device(), options);
        compare(made, options, makeKeys(Order::Random, 4999));
        compare(made, options, makeKeys(Order::Random, 4999), true); // odd and even numbers of passes
    }
}

TEST_F(SortTest, EveryTileEqualsStableSort) {
    for (const std::uint32_t keys : {4U, 8U, 16U}) {
        for (const Subgroups subgroups : {Subgroups::Native, Subgroups::Emulated}) {
            SortOptions options;
            options.maximumCount = 10007;
            options.endBit = 16;
            options.keys = keys;
            options.workgroupSize = device().info().subgroupSize * (subgroups == Subgroups::Native ? 1 : 3);
            options.subgroups = subgroups;
            SortPlan made = planSort(device(), options);
            compare(made, options, makeKeys(Order::Random, 10007));
        }
    }
}

TEST_F(SortTest, RepeatedSortsWithOnePlanAgree) {
    SortOptions options;
    options.maximumCount = 9973;
    options.endBit = 24;
    SortPlan made = planSort(device(), options);
    for (const std::size_t count : {9973, 0, 12, 9000}) {
        compare(made, options, makeKeys(Order::Random, count));
    }
}

TEST_F(SortTest, LargeArraysEqualStableSort) {
    SortOptions options;
    options.maximumCount = largestSweep(std::size_t{1} << 17, std::size_t{1} << 24);
    options.endBit = 48;
    SortPlan made = planSort(device(), options);
    EXPECT_GE(made.scratchBytes(), 12 * options.maximumCount);
    EXPECT_EQ(made.passes(), 6U);
    compare(made, options, makeKeys(Order::Random, options.maximumCount));
}

TEST_F(SortTest, WrongOptionsAreRefused) {
    EXPECT_THROW(planSort(device(), {}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = kMostItems + 1}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .beginBit = 8, .endBit = 8}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .endBit = 65}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .keys = 5}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .workgroupSize = 13}), Error);
    SortPlan made = planSort(device(), {.maximumCount = 8, .endBit = 8});
    gpu::CommandEncoder commands = device().encoder();
    EXPECT_THROW(made.execute(commands, {64, 64}, {128, 128}, 9), Error);
    EXPECT_THROW(made.execute(commands, {4, 64}, {128, 128}, 8), Error);
}

} // namespace
} // namespace aureole::scan
