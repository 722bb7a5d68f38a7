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

TEST(FftShapes, HoldEveryLengthWithinTheLimits) {
    for (const std::uint32_t length : supportedLengths()) {
        for (const std::uint32_t lines : {1U, 4U}) {
            LineLimits limits;
            limits.lines = lines;
            limits.lineCount = 1000;
            const LineShape shape = shapeLines(length, limits);
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
            ASSERT_LE(shape.workgroupSize(), limits.invocations) << length;
            ASSERT_LE(shape.workgroupMemoryBytes(), limits.workgroupMemoryBytes) << length;
            ASSERT_EQ(shape.capacity % (shape.wholeValues ? 16 : 32), 0U);
        }
    }
}

TEST(FftShapes, RefuseWhatIsNotSupported) {
    EXPECT_THROW(shapeLines(11, {}), Error);
    LineLimits narrow;
    narrow.invocations = 64;
    EXPECT_THROW(shapeLines(4096, narrow), Error);
}

TEST(FftLengths, CheapestOnesReachTheMinimumAndAreEven) {
    EXPECT_EQ(cheapestEvenLength(0), 2U);
    EXPECT_EQ(cheapestEvenLength(2048), 2048U);
    EXPECT_EQ(cheapestEvenLength(4096), 4096U);
    EXPECT_EQ(cheapestEvenLength(16384), 16384U);
    EXPECT_THROW(cheapestEvenLength(16385), Error);
    for (std::uint32_t minimum = 1; minimum < 6000; minimum += 37) {
        const std::uint32_t length = cheapestEvenLength(minimum);
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
        const std::uint32_t end = shared::fftTwiddleOffset(shape.radices, length, shape.stages - 1);
        EXPECT_EQ(table.size(), std::max(end, 1U));
    }
}

} // namespace
} // namespace aureole::fft
