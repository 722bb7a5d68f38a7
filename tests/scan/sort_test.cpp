// The radix sort against std::stable_sort, in both forms.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "gpu_test/gpu_test.h"
#include "scan/device_defaults.h"
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

/// Fewer polls than lavapipe's loops have steps.
constexpr std::uint32_t kSortPatience = 256;

/// How the keys of a test are strewn.
enum class Order { Random, Sorted, Reversed, AllEqual, FewValues, TopBits, AllOnes };

std::vector<std::uint64_t> makeKeys(Order order, std::size_t count) {
    std::mt19937_64 random(count);
    std::vector<std::uint64_t> keys(count);
    for (std::uint64_t& key : keys) {
        const std::uint64_t bits = random();
        key = order == Order::AllEqual    ? 0x0123456789ABCDEF
              : order == Order::AllOnes   ? ~std::uint64_t{0}
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

class SortTest : public gpu::GpuTest, public testing::WithParamInterface<SortMethod> {
protected:
    static SortOptions optionsFor(std::uint64_t maximumCount, std::uint32_t beginBit = 0, std::uint32_t endBit = 64) {
        SortOptions options;
        options.maximumCount = maximumCount;
        options.beginBit = beginBit;
        options.endBit = endBit;
        options.method = GetParam();
        options.patience = kSortPatience;
        return options;
    }

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

TEST_P(SortTest, EveryOrderAndSizeEqualsStableSort) {
    const SortOptions options = optionsFor(70000);
    SortPlan made = planSort(device(), options);
    EXPECT_EQ(made.onesweep(), GetParam() == SortMethod::Onesweep);
    for (const std::size_t count : {1U, 2U, 7U, 31U, 32U, 33U, 255U, 1023U, 1024U, 1025U, 4099U, 65537U}) {
        compare(made, options, makeKeys(Order::Random, count));
    }
    for (const Order order :
         {Order::Sorted, Order::Reversed, Order::AllEqual, Order::FewValues, Order::TopBits, Order::AllOnes}) {
        compare(made, options, makeKeys(order, 20011));
    }
}

TEST_P(SortTest, TileBoundariesAreKept) {
    const SortOptions options = optionsFor(40000, 0, 16);
    SortPlan made = planSort(device(), options);
    const std::size_t tile = made.tileKeys();
    for (const std::size_t count : {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile}) {
        ASSERT_LE(count, options.maximumCount);
        compare(made, options, makeKeys(Order::Random, count));
        compare(made, options, makeKeys(Order::AllOnes, count));
    }
}

TEST_P(SortTest, OnlyTheBitRangeCounts) {
    for (const auto& [begin, end] :
         {std::pair{0U, 48U}, {3U, 8U}, {16U, 40U}, {63U, 64U}, {56U, 64U}, {5U, 22U}, {29U, 35U}}) {
        const SortOptions options = optionsFor(5000, begin, end);
        SortPlan made = planSort(device(), options);
        compare(made, options, makeKeys(Order::Random, 4999));
        compare(made, options, makeKeys(Order::Random, 4999), true); // odd and even numbers of passes
    }
}

/// Keys whose bytes vary where the mask of bytes has a bit; the others are those of a constant.
std::vector<std::uint64_t> makeKeysWithBytes(std::uint32_t bytes, std::size_t count) {
    std::uint64_t varying = 0;
    for (std::uint32_t byte = 0; byte < 8; ++byte) {
        varying |= ((bytes >> byte) & 1U) != 0 ? std::uint64_t{0xFF} << (8 * byte) : 0;
    }
    std::vector<std::uint64_t> keys = makeKeys(Order::Random, count);
    for (std::uint64_t& key : keys) {
        key = (key & varying) | (0x5A0000FF3C00FF01 & ~varying);
    }
    return keys;
}

TEST_P(SortTest, DigitsThatAllKeysShareChangeNothing) {
    // Onesweep leaves such passes out, on the device; what remains must still end in the output, also in place.
    for (const std::uint32_t endBit : {24U, 32U}) {
        const SortOptions options = optionsFor(3000, 0, endBit);
        SortPlan made = planSort(device(), options);
        for (std::uint32_t bytes = 0; bytes < (1U << (endBit / 8)); ++bytes) {
            SCOPED_TRACE(fmt::format("bytes {:#x}", bytes));
            compare(made, options, makeKeysWithBytes(bytes, 3000));
            compare(made, options, makeKeysWithBytes(bytes, 2999), true);
        }
    }
}

TEST_P(SortTest, EveryTileEqualsStableSort) {
    // Of one subgroup and of several, with either kind of subgroup arithmetic.
    const bool onesweep = GetParam() == SortMethod::Onesweep;
    std::uint32_t tile = 0;
    for (const std::uint32_t keys :
         onesweep ? std::vector<std::uint32_t>{4, 12, 20, 24} : std::vector<std::uint32_t>{4, 8, 16, 4}) {
        SortOptions options = optionsFor(10007, 0, 16);
        options.keys = keys;
        options.workgroupSize = device().info().subgroupSize * (tile % 2 == 0 ? 1 : 3);
        options.subgroups = tile % 2 == 0 ? Subgroups::Native : Subgroups::Emulated;
        options.lookBack = 1 + tile;
        SortPlan made = planSort(device(), options);
        EXPECT_EQ(made.lookBack(), onesweep ? options.lookBack : 0);
        compare(made, options, makeKeys(Order::Random, 10007));
        ++tile;
    }
}

TEST_P(SortTest, LargeTilesEqualStableSort) {
    // With 24 keys onesweep moves the words of keys one after the other: they do not fit small devices together.
    for (const std::uint32_t keys : {8U, GetParam() == SortMethod::Onesweep ? 24U : 16U}) {
        SortOptions options = optionsFor(20011, 0, 16);
        options.keys = keys;
        options.workgroupSize = 192;
        SortPlan made = planSort(device(), options);
        EXPECT_EQ(made.tileKeys(), 192 * keys);
        compare(made, options, makeKeys(Order::Random, 20011));
    }
}

TEST_P(SortTest, RepeatedSortsWithOnePlanAgree) {
    const SortOptions options = optionsFor(9973, 0, 24);
    SortPlan made = planSort(device(), options);
    for (const std::size_t count : {9973U, 0U, 12U, 9000U}) {
        compare(made, options, makeKeys(Order::Random, count));
    }
}

TEST_P(SortTest, ManySortsInOneSubmissionAgree) {
    // Of falling and rising sizes, so that each meets what larger and smaller ones left in the scratch.
    const std::vector<std::size_t> counts = {9000, 100, 5000, 1, 9000, 2049, 8999, 1024};
    SortPlan made = planSort(device(), optionsFor(9000, 0, 24));
    std::vector<std::vector<std::uint64_t>> keys;
    std::vector<gpu::Buffer> buffers;
    gpu::CommandEncoder commands = device().encoder();
    for (const std::size_t count : counts) {
        keys.push_back(makeKeys(Order::Random, count));
        std::vector<std::uint32_t> numbers(count);
        std::iota(numbers.begin(), numbers.end(), 0);
        buffers.push_back(device().createBufferWith(std::span<const std::uint64_t>(keys.back()), "keys"));
        buffers.push_back(device().createBufferWith(std::span<const std::uint32_t>(numbers), "values"));
        const SortArrays arrays{buffers[buffers.size() - 2].address(), buffers.back().address()};
        made.execute(commands, arrays, arrays, count);
        commands.barrier();
    }
    device().submit(std::move(commands)).wait();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        SCOPED_TRACE(fmt::format("sort {} of {} keys", i, counts[i]));
        std::vector<std::uint64_t> found(counts[i]);
        std::vector<std::uint32_t> values(counts[i]);
        device().download(buffers[2 * i], 0, std::as_writable_bytes(std::span(found)));
        device().download(buffers[2 * i + 1], 0, std::as_writable_bytes(std::span(values)));
        const Sorted expected = expectedOf(keys[i], 0, 24);
        ASSERT_EQ(found, expected.keys);
        ASSERT_EQ(values, expected.values);
    }
}

TEST_P(SortTest, KeysAloneAreSortedToo) {
    SortOptions options = optionsFor(20011, 0, 48);
    SortPlan pairs = planSort(device(), options);
    options.values = false;
    SortPlan made = planSort(device(), options);
    EXPECT_LT(made.scratchBytes(), pairs.scratchBytes());
    const std::vector<std::uint64_t> keys = makeKeys(Order::Random, 20011);
    const gpu::Buffer source = device().createBufferWith(std::span<const std::uint64_t>(keys), "keys");
    const gpu::Buffer target = device().createBuffer(source.size(), gpu::MemoryKind::Device, "keys out");
    constexpr std::uint64_t kNowhere = 3; // never looked at
    for (const gpu::Buffer* into : {&target, &source}) {
        gpu::CommandEncoder commands = device().encoder();
        made.execute(commands, {source.address(), kNowhere}, {into->address(), kNowhere}, keys.size());
        device().submit(std::move(commands)).wait();
        std::vector<std::uint64_t> found(keys.size());
        device().download(*into, 0, std::as_writable_bytes(std::span(found)));
        ASSERT_EQ(found, expectedOf(keys, 0, 48).keys);
    }
}

TEST_P(SortTest, APlanCanBeMoved) {
    const SortOptions options = optionsFor(3001, 0, 16);
    SortPlan first = planSort(device(), options);
    compare(first, options, makeKeys(Order::Random, 3001));
    SortPlan second = std::move(first);
    compare(second, options, makeKeys(Order::Random, 2999));
}

TEST_P(SortTest, LargeArraysEqualStableSort) {
    const SortOptions options = optionsFor(largestSweep(std::size_t{1} << 17, std::size_t{1} << 24), 0, 48);
    SortPlan made = planSort(device(), options);
    EXPECT_GE(made.scratchBytes(), 12 * options.maximumCount);
    EXPECT_EQ(made.passes(), 6U);
    compare(made, options, makeKeys(Order::Random, options.maximumCount));
}

INSTANTIATE_TEST_SUITE_P(Methods, SortTest, testing::Values(SortMethod::CountAndMove, SortMethod::Onesweep),
                         [](const testing::TestParamInfo<SortMethod>& method) {
                             return method.param == SortMethod::Onesweep ? "Onesweep" : "CountAndMove";
                         });

class OnesweepTest : public SortTest {};

TEST_P(OnesweepTest, ImpatientTilesCountForOthers) {
    // Without patience every tile that has not come forward at the first look is counted by those that miss it.
    SortOptions options = optionsFor(60000, 0, 24);
    options.patience = 0;
    options.lookBack = 3;
    options.keys = 4;
    options.workgroupSize = device().info().subgroupSize;
    SortPlan made = planSort(device(), options);
    for (const Order order : {Order::Random, Order::Sorted, Order::FewValues}) {
        compare(made, options, makeKeys(order, 60000));
        compare(made, options, makeKeys(order, 59999), true);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, OnesweepTest, testing::Values(SortMethod::Onesweep));

TEST_P(OnesweepTest, PatienceKeepsToWhatTheDeviceBears) {
    // One subgroup a workgroup has the most digits to wait for, one after the other.
    SortOptions options = optionsFor(30000, 0, 16);
    options.patience = ~0U;
    options.keys = 4;
    options.workgroupSize = device().info().subgroupSize;
    SortPlan made = planSort(device(), options);
    compare(made, options, makeKeys(Order::Random, 30000));
}

class SortOptionsTest : public gpu::GpuTest {};

TEST_F(SortOptionsTest, OnesweepIsTheDefaultWhereTilesMayWait) {
    EXPECT_EQ(planSort(device(), {.maximumCount = 8}).onesweep(), defaultsFor(device().info()).forwardProgress);
}

TEST_F(SortOptionsTest, WrongOnesAreRefused) {
    EXPECT_THROW(planSort(device(), {}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = kMostItems + 1}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .beginBit = 8, .endBit = 8}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .endBit = 65}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .workgroupSize = 13}), Error);
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .lookBack = 9}), Error);
    for (const SortMethod method : {SortMethod::CountAndMove, SortMethod::Onesweep}) {
        EXPECT_THROW(planSort(device(), {.maximumCount = 8, .keys = 5, .method = method}), Error);
        EXPECT_THROW(planSort(device(), {.maximumCount = 8, .workgroupSize = 1024, .keys = 16, .method = method}),
                     Error);
        SortPlan made = planSort(device(), {.maximumCount = 8, .endBit = 8, .method = method});
        gpu::CommandEncoder commands = device().encoder();
        EXPECT_THROW(made.execute(commands, {64, 64}, {128, 128}, 9), Error);
        EXPECT_THROW(made.execute(commands, {4, 64}, {128, 128}, 8), Error);
        EXPECT_THROW(made.execute(commands, {64, 256}, {120, 512}, 8), Error);
        EXPECT_THROW(made.execute(commands, {64, 256}, {512, 260}, 8), Error);
        EXPECT_THROW(made.execute(commands, {64, 256}, {64, 512}, 8), Error); // half in place
        // A pool of 2^30 keys in tiles so small that their counts outgrow their indices.
        EXPECT_THROW(planSort(device(), {.maximumCount = kMostItems,
                                         .workgroupSize = device().info().subgroupSize,
                                         .keys = 4,
                                         .method = method}),
                     Error);
    }
    EXPECT_THROW(planSort(device(), {.maximumCount = 8, .keys = 12, .method = SortMethod::CountAndMove}), Error);
}

} // namespace
} // namespace aureole::scan
