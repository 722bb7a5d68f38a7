#include <gtest/gtest.h>

#include "bloom/convolution_shape.h"
#include "core/error.h"

namespace aureole {
namespace {

TEST(KernelWindow, KeepsTheTexelsThatReachAnyPixel) {
    for (std::uint32_t pixels = 1; pixels < 12; ++pixels) {
        for (std::uint32_t taps = 1; taps < 40; ++taps) {
            const KernelWindow window = usedWindow(pixels, taps);
            for (std::uint32_t tap = 0; tap < taps; ++tap) {
                const std::int64_t offset = std::int64_t{tap} - taps / 2;
                const bool reaches = std::abs(offset) < std::int64_t{pixels};
                EXPECT_EQ(reaches, tap >= window.begin && tap < window.begin + window.count)
                    << pixels << " pixels, texel " << tap << " of " << taps;
            }
            EXPECT_EQ(window.begin + window.centre, taps / 2);
        }
    }
}

TEST(KernelWindow, LeastPeriodKeepsWrappedTexelsOffAndOneLessFails) {
    for (std::uint32_t pixels = 1; pixels < 12; ++pixels) {
        for (std::uint32_t taps = 1; taps < 40; ++taps) {
            const KernelWindow window = usedWindow(pixels, taps);
            // Whether two texels of the window stand for the same offset between pixels, modulo the period.
            const auto contaminates = [&](std::int64_t period) {
                for (std::int64_t offset = 1 - std::int64_t{pixels}; offset < pixels; ++offset) {
                    for (const std::int64_t wrapped : {offset - period, offset + period}) {
                        const std::int64_t tap = wrapped + window.centre;
                        if (tap >= 0 && tap < window.count) {
                            return true;
                        }
                    }
                }
                return false;
            };
            const std::int64_t period = leastPeriod(pixels, window);
            EXPECT_FALSE(contaminates(period)) << pixels << " pixels, " << taps << " texels";
            if (window.centre > 0) {
                EXPECT_TRUE(contaminates(period - 1)) << pixels << " pixels, " << taps << " texels";
            }
        }
    }
}

TEST(ConvolutionShape, TakesTheTightPeriodsOfCommonFrames) {
    const ConvolutionShape hd = shapeConvolution(1920, 1080, usedWindow(1920, 256), usedWindow(1080, 256), {}, {false});
    EXPECT_EQ(hd.first.length, 2048U);
    EXPECT_GE(hd.second.length, 1080U + 128U);
    EXPECT_LE(hd.second.length, 1296U);
    const ConvolutionShape turned =
        shapeConvolution(1920, 1080, usedWindow(1920, 256), usedWindow(1080, 256), {}, {true});
    EXPECT_EQ(turned.second.length, 2048U);
    EXPECT_EQ(turned.pixels, 1080U);
    EXPECT_EQ(turned.lines, 1920U);
}

TEST(ConvolutionShape, PutsTheCheaperAxisFirst) {
    for (const auto& [width, height] : {std::pair{1920U, 1080U}, {1080U, 1920U}, {3000U, 20U}, {20U, 3000U}}) {
        const KernelWindow columns = usedWindow(width, 65);
        const KernelWindow rows = usedWindow(height, 65);
        const ConvolutionShape best = shapeConvolution(width, height, columns, rows, {});
        const ConvolutionShape other = shapeConvolution(width, height, columns, rows, {}, {!best.columnsFirst});
        EXPECT_LE(convolutionCost(best), convolutionCost(other)) << width << "x" << height;
    }
}

TEST(ConvolutionShape, WritesWholeRunsWhereTwoPairsOfLinesFitInRoundsAlone) {
    fft::LineLimits limits;
    limits.workgroupMemoryBytes = 48 * 1024;
    const KernelWindow columns = usedWindow(7680, 1024);
    const KernelWindow rows = usedWindow(4320, 1024);
    const ConvolutionShape shape = shapeConvolution(7680, 4320, columns, rows, limits, {false});
    EXPECT_EQ(shape.first.length, 8192U);
    EXPECT_EQ(shape.first.lines, 2U);
    EXPECT_EQ(shape.third.lines, 1U);
    for (std::uint32_t stage = 0; stage < shape.first.stages; ++stage) {
        EXPECT_EQ(shared::fftRadix(shape.first.radices, stage), shared::fftRadix(shape.third.radices, stage));
    }
    EXPECT_LE(shape.first.workgroupMemoryBytes(), limits.workgroupMemoryBytes);
    // Of longer lines two make up too many invocations; of shorter ones two fit both passes.
    EXPECT_EQ(shapeConvolution(15000, 16, usedWindow(15000, 1024), usedWindow(16, 3), limits, {false}).first.lines, 1U);
    const ConvolutionShape small =
        shapeConvolution(1920, 1080, usedWindow(1920, 256), usedWindow(1080, 256), limits, {false});
    EXPECT_EQ(small.third.lines, small.first.lines);
}

TEST(ConvolutionShape, RefusesPeriodsThatAreTooLong) {
    EXPECT_THROW(shapeConvolution(16000, 4, usedWindow(16000, 8001), usedWindow(4, 1), {}), Error);
}

} // namespace
} // namespace aureole
