// Exchanges by subgroup shuffle: where they are chosen, and that they give what workgroup memory gives.

#include <bit>
#include <utility>

#include "fft/factors.h"
#include "fft/shuffles.h"
#include "fft_device_test.h"

namespace aureole::fft {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// What an invocation's element holds in a stage: line * length + position.
std::uint32_t valueOf(const ExchangeTask& task, std::size_t stage, std::uint32_t invocation, std::uint32_t element) {
    const bool linesFastest = stage == 0 ? task.firstLinesFastest : task.laterLinesFastest;
    const std::uint32_t line = linesFastest ? invocation % task.lines : invocation / task.threads;
    const std::uint32_t thread = linesFastest ? invocation / task.lines : invocation % task.threads;
    const std::uint32_t radix = task.radices[stage];
    const std::uint32_t butterfly = thread + element / radix * task.threads;
    if (element / radix >= task.elements / radix || butterfly >= task.length / radix) {
        return kNone;
    }
    std::uint32_t span = task.length;
    for (std::size_t i = 0; i < stage; ++i) {
        span /= task.radices[i];
    }
    return line * task.length + shared::fftPosition(span, radix, butterfly, element % radix);
}

std::uint32_t strideAfter(const ExchangeTask& task, std::uint32_t boundary) {
    std::uint32_t stride = task.length;
    for (std::uint32_t stage = 0; stage <= boundary; ++stage) {
        stride /= task.radices[stage];
    }
    return stride;
}

/// Checks that swapping element bits with invocation bits inside subgroups leads from one stage to the next.
void checkBoundary(const ExchangeTask& task, std::uint32_t boundary, std::uint32_t subgroupSize) {
    const std::uint32_t radix = task.radices[boundary];
    const std::uint32_t distance = strideAfter(task, boundary) / radix * (task.laterLinesFastest ? task.lines : 1);
    for (std::uint32_t invocation = 0; invocation < task.threads * task.lines; ++invocation) {
        for (std::uint32_t element = 0; element < task.elements / radix * radix; ++element) {
            const std::uint32_t digit = invocation / distance % radix;
            const std::uint32_t leg = element % radix;
            const std::uint32_t partner = invocation + leg * distance - digit * distance;
            ASSERT_EQ(partner / subgroupSize, invocation / subgroupSize) << task.length;
            ASSERT_EQ(valueOf(task, boundary + 1, partner, element - leg + digit),
                      valueOf(task, boundary, invocation, element))
                << "length " << task.length << ", invocation " << invocation << ", element " << element;
        }
    }
}

/// The task of a length, whole subgroups; and what shuffles exchange in it.
std::pair<ExchangeTask, std::uint32_t> shuffledTask(std::uint32_t length, std::uint32_t lines, bool firstLinesFastest,
                                                    bool laterLinesFastest, std::uint32_t subgroupSize) {
    const Factors factors = cheapestFactors(length);
    ExchangeTask task{length,           factors.radices,   factors.threads,  lines,
                      factors.elements, firstLinesFastest, laterLinesFastest};
    const std::uint32_t threads = threadsOfWholeSubgroups(task, subgroupSize);
    if (threads == 0) {
        return {task, 0};
    }
    EXPECT_GE(threads, task.threads);
    EXPECT_EQ(threads * lines % subgroupSize, 0U);
    EXPECT_LT(threads * lines - task.threads * lines, subgroupSize);
    task.threads = threads;
    return {task, shuffledBoundaries(task, subgroupSize)};
}

TEST(FftShuffles, TransposeInsideSubgroups) {
    std::uint32_t found = 0;
    for (const std::uint32_t length : supportedLengths()) {
        for (const std::uint32_t subgroupSize : {4U, 8U, 16U, 32U, 64U}) {
            for (const std::uint32_t lines : {1U, 2U, 3U, 4U}) {
                for (const auto& [first, later] :
                     {std::pair(false, false), {false, true}, {true, false}, {true, true}}) {
                    const auto [task, shuffled] = shuffledTask(length, lines, first, later, subgroupSize);
                    for (std::uint32_t boundary = 0; boundary + 1 < task.radices.size(); ++boundary) {
                        if ((shuffled >> boundary & 1U) != 0) {
                            ++found;
                            checkBoundary(task, boundary, subgroupSize);
                        }
                    }
                    ASSERT_EQ(shuffled >> (task.radices.size() - 1), 0U);
                }
            }
        }
    }
    EXPECT_GT(found, 100U);
}

TEST(FftShuffles, TakeTheBoundariesThatFit) {
    // 16 x 16 x 5 of 86 invocations, which become 96: as many subgroups.
    const auto [task, shuffled] = shuffledTask(1280, 1, false, false, 32);
    EXPECT_EQ(task.threads, 96U);
    EXPECT_EQ(shuffled, 2U);
    EXPECT_EQ(shuffledTask(1280, 1, false, false, 8).second, 0U); // 16 butterflies are more than a subgroup
    EXPECT_EQ(shuffledTask(4096, 2, true, true, 32).second, 2U);
    EXPECT_EQ(shuffledTask(4096, 4, true, true, 32).second, 0U); // and so are 64
    EXPECT_EQ(shuffledTask(256, 2, false, false, 32).second, 1U);
    EXPECT_EQ(shuffledTask(256, 2, false, true, 32).second, 0U);  // lines change hands
    EXPECT_EQ(shuffledTask(512, 1, false, false, 32).second, 0U); // 4 x 8 x 16
}

TEST(FftShuffles, NeedNoMemory) {
    LineLimits limits;
    limits.lineCount = 64;
    const LineShape memory = shapeLines(256, limits);
    limits.shuffleSize = 32;
    const LineShape shuffle = shapeLines(256, limits);
    EXPECT_EQ(memory.shuffled, 0U);
    EXPECT_EQ(memory.subgroupSize, 0U);
    EXPECT_EQ(shuffle.shuffled, 1U);
    EXPECT_EQ(shuffle.subgroupSize, 32U);
    EXPECT_LT(shuffle.workgroupMemoryBytes(), 64U);
    EXPECT_GT(memory.workgroupMemoryBytes(), 256U * 8);
}

class FftShuffleTest : public FftDeviceTest {};

TEST_F(FftShuffleTest, TransformsEqualFftwAndThoseThroughMemory) {
    // Radix 8, and, in subgroups of 16 and more, radix 16: all boundaries, the last one, whole and parts in turn, and
    // idle invocations among those that swap.
    const bool wide = device().info().subgroupSize >= 16;
    const std::vector<std::uint32_t> lengths =
        wide ? std::vector<std::uint32_t>{64, 256, 1280, 8192} : std::vector<std::uint32_t>{64};
    for (const std::uint32_t length : lengths) {
        for (const bool inverse : {false, true}) {
            // Not a whole number of workgroups.
            const std::vector<Complex> input = randomValues(std::size_t{length} * 11, length);
            const Plan shuffle = plan(device(), {length, inverse, true, Exchange::Shuffle});
            EXPECT_NE(shuffle.shape().shuffled, 0U) << length;
            const std::vector<Complex> output = run(shuffle, input);
            EXPECT_LE(relativeError(output, oracle(input, length, inverse)), errorBound(length)) << length;
            const Plan memory = plan(device(), {length, inverse, true, Exchange::Memory});
            EXPECT_EQ(memory.shape().shuffled, 0U) << length;
            const std::vector<Complex> other = run(memory, input);
            EXPECT_LE(relativeError(output, std::vector<ComplexDouble>(other.begin(), other.end())), errorBound(length))
                << length;
        }
    }
}

} // namespace
} // namespace aureole::fft
