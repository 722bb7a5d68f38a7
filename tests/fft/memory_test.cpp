// What plans refuse: memory in which a transform could not be right.

#include "core/error.h"
#include "fft/plan_2d.h"
#include "fft_device_test.h"

namespace aureole::fft {
namespace {

constexpr std::uint64_t kBase = 0x10000;

/// What recording says; commands that are never submitted need no memory.
class FftMemoryTest : public FftDeviceTest {
protected:
    static std::string refusal(const Plan& made, const Lines& target, const Lines& source, std::uint32_t count) {
        gpu::CommandEncoder commands = device().encoder();
        try {
            made.execute(commands, target, source, count);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    }
    static std::string refusal(const Plan2d& made, const Images& target, const Images& source, std::uint32_t count,
                               std::uint64_t scratch = 0) {
        gpu::CommandEncoder commands = device().encoder();
        try {
            made.execute(commands, target, source, count, 1.0F, scratch);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    }
};

TEST_F(FftMemoryTest, ComplexLinesOverlapInPlaceAlone) {
    const Plan made = plan(device(), {16});
    const Lines lines{kBase, 1, 16};
    EXPECT_EQ(refusal(made, lines, lines, 5), "");
    EXPECT_EQ(refusal(made, {kBase + 5 * 128, 1, 16}, lines, 5), "") << "right behind";
    EXPECT_EQ(refusal(made, lines, {kBase + 5 * 128, 1, 16}, 5), "") << "right before";
    EXPECT_NE(refusal(made, {kBase + 5 * 128 - 8, 1, 16}, lines, 5).find("overlaps"), std::string::npos);
    EXPECT_NE(refusal(made, lines, {kBase + 5 * 128 - 8, 1, 16}, 5).find("overlaps"), std::string::npos);
    EXPECT_NE(refusal(made, {kBase, 1, 17}, lines, 5).find("overlaps"), std::string::npos) << "another lineStride";
    EXPECT_NE(refusal(made, {kBase, 5, 1}, lines, 5).find("overlaps"), std::string::npos) << "transposed";
    EXPECT_EQ(refusal(made, {kBase, 1, 0}, lines, 1), "") << "one line has no lineStride";
}

TEST_F(FftMemoryTest, RealLinesOverlapInTheSameBytesAlone) {
    for (const bool inverse : {false, true}) {
        const Plan made = plan(device(), {.length = 12, .inverse = inverse, .real = true});
        const auto tried = [&](const Lines& real, const Lines& complex) {
            return inverse ? refusal(made, real, complex, 3) : refusal(made, complex, real, 3);
        };
        EXPECT_EQ(tried({kBase, 1, 12}, {kBase, 1, 6}), "");
        EXPECT_EQ(tried({kBase, 1, 14}, {kBase, 1, 7}), "") << "padded";
        EXPECT_NE(tried({kBase, 1, 12}, {kBase, 1, 7}).find("overlaps"), std::string::npos);
        EXPECT_NE(tried({kBase, 2, 24}, {kBase, 2, 12}).find("overlaps"), std::string::npos) << "strides of 2";
        EXPECT_NE(tried({kBase + 4, 1, 12}, {kBase, 1, 6}).find("overlaps"), std::string::npos);
        EXPECT_NE(tried({kBase + 2, 1, 12}, {2 * kBase, 1, 6}).find("multiple of 4"), std::string::npos);
        EXPECT_NE(tried({kBase, 1, 12}, {2 * kBase + 4, 1, 6}).find("multiple of 8"), std::string::npos);
    }
}

TEST_F(FftMemoryTest, TargetValuesShareNoMemory) {
    const Plan made = plan(device(), {16});
    const Lines source{kBase, 1, 0}; // one line, read many times
    constexpr std::uint64_t kTarget = 2 * kBase;
    EXPECT_EQ(refusal(made, {kTarget, 1, 16}, source, 4), "");
    EXPECT_EQ(refusal(made, {kTarget, 4, 1}, source, 4), "") << "columns";
    EXPECT_NE(refusal(made, {kTarget, 1, 0}, source, 4).find("share no memory"), std::string::npos);
    EXPECT_NE(refusal(made, {kTarget, 1, 15}, source, 4).find("share no memory"), std::string::npos);
    EXPECT_NE(refusal(made, {kTarget, 3, 1}, source, 4).find("share no memory"), std::string::npos);
    EXPECT_NE(refusal(made, {kTarget, 0, 1}, source, 4).find("share no memory"), std::string::npos);
}

TEST_F(FftMemoryTest, ReachesAreCountedWithoutOverflow) {
    const Plan made = plan(device(), {16});
    const Lines source{kBase, 1, 16};
    constexpr std::uint64_t kFar = std::uint64_t{1} << 40;
    EXPECT_EQ(refusal(made, {kFar, 1, 0xFFFFFFFFU}, source, 9), "") << "lines may lie anywhere";
    EXPECT_EQ(refusal(made, {kFar, 0x08888888U, 1}, source, 9), "") << "15 strides are just below 2^31";
    EXPECT_NE(refusal(made, {kFar, 0x08888889U, 1}, source, 9).find("2^31"), std::string::npos);
    EXPECT_NE(refusal(made, {~std::uint64_t{0} - 1023, 1, 16}, source, 9).find("below 2^64"), std::string::npos);
    EXPECT_EQ(refusal(made, {kFar, 1, 16}, {kBase, 1, 16}, 0x80000000U), "") << "2^35 values";
}

TEST_F(FftMemoryTest, ImagesOverlapInPlaceAlone) {
    const Plan2d complex = plan2d(device(), {.width = 6, .height = 4});
    const Images images{kBase, 1, 6, 24};
    EXPECT_EQ(refusal(complex, images, images, 3), "");
    EXPECT_NE(refusal(complex, images, {kBase, 1, 6, 25}, 3).find("overlaps"), std::string::npos);
    EXPECT_NE(refusal(complex, images, {kBase, 4, 1, 24}, 3).find("overlaps"), std::string::npos) << "transposed";
    EXPECT_NE(refusal(complex, {2 * kBase, 1, 6, 20}, images, 3).find("share no memory"), std::string::npos);
    for (const bool inverse : {false, true}) {
        const Plan2d real = plan2d(device(), {.width = 6, .height = 4, .inverse = inverse, .real = true});
        const Images halves{kBase, 1, 3, 12};
        const Images shifted{kBase + 8, 1, 3, 12};
        EXPECT_EQ(inverse ? refusal(real, images, halves, 3) : refusal(real, halves, images, 3), "");
        EXPECT_NE(inverse ? refusal(real, images, shifted, 3) : refusal(real, shifted, images, 3), "");
    }
}

TEST_F(FftMemoryTest, ScratchMemoryIsSeparate) {
    const Plan2d made = plan2d(device(), {.width = 6, .height = 4, .halfIntermediates = true});
    const Images images{kBase, 1, 6, 24};
    const std::uint64_t bytes = scratchBytes(made.options(), images, 2);
    EXPECT_EQ(bytes, 2U * (24 + 4) * 4);
    EXPECT_EQ(refusal(made, images, images, 2, kBase - bytes), "");
    EXPECT_NE(refusal(made, images, images, 2, kBase - bytes + 4).find("scratch"), std::string::npos);
    EXPECT_NE(refusal(made, images, images, 2, kBase + 2 * 24 * 8 - 4).find("scratch"), std::string::npos);
    EXPECT_NE(refusal(made, images, images, 2, 2 * kBase + 2).find("scratch"), std::string::npos);
}

TEST_F(FftMemoryTest, NothingIsTransformedAnywhere) {
    EXPECT_EQ(refusal(plan(device(), {16}), {0, 0, 0}, {0, 0, 0}, 0), "");
    const Plan2d halves = plan2d(device(), {.width = 6, .height = 4, .halfIntermediates = true});
    EXPECT_EQ(refusal(halves, {}, {}, 0), "") << "no scratch memory for no images";
}

TEST_F(FftMemoryTest, SizesOfOneAreRefused) {
    EXPECT_THROW(plan(device(), {1}), Error);
    EXPECT_THROW(plan2d(device(), {.width = 1, .height = 8}), Error);
    EXPECT_THROW(plan2d(device(), {.width = 8, .height = 1}), Error);
    EXPECT_THROW(plan2d(device(), {.width = 8, .height = 0, .real = true}), Error);
}

} // namespace
} // namespace aureole::fft
