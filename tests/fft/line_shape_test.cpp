#include <gtest/gtest.h>

#include "core/error.h"
#include "fft/line_shape.h"

namespace aureole::fft {
namespace {

TEST(FftLengths, AreTheSmoothOnes) {
    EXPECT_TRUE(isSupported(2));
    EXPECT_TRUE(isSupported(16384));
    EXPECT_TRUE(isSupported(2 * 3 * 5 * 7));
    for (const std::uint32_t length : {0U, 1U, 11U, 13U, 22U, 16385U, 17500U}) {
        EXPECT_FALSE(isSupported(length)) << length;
    }
    EXPECT_EQ(supportedLengths(12), (std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8, 9, 10, 12}));
}

void checkShape(const LineShape& shape, std::uint32_t length, const LineLimits& limits) {
    std::uint32_t product = 1;
    for (std::uint32_t stage = 0; stage < FFT_MAX_STAGES; ++stage) {
        const std::uint32_t radix = shared::fftRadix(shape.radices, stage);
        EXPECT_EQ(radix == 1, stage >= shape.stages);
        product *= radix;
        if (radix > 1) {
            EXPECT_GE(shape.elements / radix * shape.threads, length / radix) << length;
        }
    }
    ASSERT_EQ(product, length);
    // What AureoleFftShaders.cmake builds.
    const std::uint32_t fewest = shape.wholeValues ? 1 : shape.elements == 24 ? 4 : 3;
    EXPECT_GE(shape.stages, fewest) << length;
    EXPECT_TRUE(shape.elements == 8 || shape.elements == 16 || (shape.elements == 24 && !shape.wholeValues)) << length;
    ASSERT_LE(shape.workgroupSize(), limits.invocations) << length;
    ASSERT_LE(shape.workgroupMemoryBytes(), limits.workgroupMemoryBytes) << length;
}

TEST(FftShapes, HoldEveryLengthWithinTheLimits) {
    for (const std::uint32_t length : supportedLengths()) {
        for (const std::uint32_t lines : {1U, 4U}) {
            LineLimits limits;
            limits.lines = lines;
            limits.lineCount = 1000;
            limits.laterLinesFastest = lines > 1 && length % 7 == 0;
            checkShape(shapeLines(length, limits), length, limits);
        }
    }
}

TEST(FftShapes, PairsLieInNeighbouringInvocationsOfTheFirstStage) {
    for (const std::uint32_t length : supportedLengths()) {
        LineLimits limits;
        limits.pairs = true;
        if (length % 2 != 0 || length < 4) {
            EXPECT_THROW(shapeLines(length, limits), Error);
            continue;
        }
        const LineShape shape = shapeLines(length, limits);
        checkShape(shape, length, limits);
        EXPECT_EQ(shape.threads % 2, 0U) << length;
        EXPECT_EQ(length / shape.radices.r0 % 2, 0U) << length;
    }
}

TEST(FftShapes, RefuseWhatIsNotSupported) {
    EXPECT_THROW(shapeLines(11, {}), Error);
    LineLimits narrow;
    narrow.invocations = 64;
    EXPECT_THROW(shapeLines(4096, narrow), Error);
}

/// Whether the blocks of each exchange fit the workgroup memory of their line, round by round.
void checkRounds(const LineShape& shape) {
    for (std::uint32_t stage = 0; stage + 1 < shape.stages; ++stage) {
        const std::uint32_t stride =
            shared::fftSpan(shape.radices, shape.length, stage) / shared::fftRadix(shape.radices, stage);
        const ExchangeLayout& boundary = shape.exchanges.boundaries.at(stage);
        EXPECT_GE(boundary.blockStride, stride) << shape.length;
        EXPECT_GE(boundary.roundBlocks, 1U) << shape.length;
        EXPECT_LE((boundary.roundBlocks - 1) * boundary.blockStride + stride, shape.exchanges.lineStride)
            << shape.length << " after stage " << stage;
    }
}

TEST(FftShapes, NarrowDevicesRunOrRefuse) {
    struct Device {
        std::uint32_t memoryBytes;
        std::uint32_t invocations;
        std::uint32_t longest; ///< that is promised, and all shorter ones
    };
    for (const Device& narrow :
         {Device{32768, 1024, 16384}, {32768, 512, 8192}, {16384, 256, 4096}, {16384, 128, 2048}}) {
        for (const std::uint32_t length : supportedLengths()) {
            LineLimits limits;
            limits.workgroupMemoryBytes = narrow.memoryBytes;
            limits.invocations = narrow.invocations;
            limits.evenLastRadix = length % 3 == 0;
            try {
                const LineShape shape = shapeLines(length, limits);
                checkShape(shape, length, limits);
                checkRounds(shape);
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ExitCode::NoDevice) << error.what();
                EXPECT_GT(length, narrow.longest) << narrow.invocations << ": " << error.what();
            }
        }
    }
}

TEST(FftLengths, CheapestOnesReachTheMinimum) {
    EXPECT_EQ(cheapestLength(0, false), 4U);
    EXPECT_EQ(cheapestLength(1, true), 4U);
    EXPECT_EQ(cheapestLength(2048, true), 2048U);
    EXPECT_EQ(cheapestLength(4096, false), 4096U);
    EXPECT_EQ(cheapestLength(16384, true), 16384U);
    EXPECT_THROW(cheapestLength(16385, false), Error);
    for (std::uint32_t minimum = 1; minimum < 6000; minimum += 37) {
        const bool pairs = minimum % 2 == 0;
        const std::uint32_t length = cheapestLength(minimum, pairs);
        EXPECT_TRUE(isSupported(length));
        EXPECT_EQ(length % 2, 0U);
        EXPECT_GE(length, minimum);
        // Three stages may be cheaper than four of a shorter length.
        EXPECT_LE(length, minimum + minimum / 5 + 8) << minimum;
    }
}

TEST(FftTwiddles, FillTheTableThatTheShadersRead) {
    for (const std::uint32_t length : {2U, 16U, 1280U, 15625U}) {
        const LineShape shape = shapeLines(length, {});
        const auto table = twiddleTable(shape);
        std::size_t expected = 0;
        for (std::uint32_t stage = 0; stage + 1 < shape.stages; ++stage) {
            const std::uint32_t radix = shared::fftRadix(shape.radices, stage);
            expected +=
                std::size_t{shared::fftTwiddleRows(radix)} * (shared::fftSpan(shape.radices, length, stage) / radix);
        }
        EXPECT_EQ(table.size(), std::max<std::size_t>(expected, 1));
    }
}

} // namespace
} // namespace aureole::fft
