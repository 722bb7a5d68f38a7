// The maps of the packed half spectrum, and the separation of pairs, on the CPU.

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "fft/line_shape.h"
#include "oracle.h"
#include "shared/fft/fft_half.h"
#include "shared/fft/fft_packed.h"

namespace aureole::fft {
namespace {

LineShape evenShape(std::uint32_t length) {
    LineLimits limits;
    limits.evenLastRadix = true;
    return shapeLines(length, limits);
}

TEST(FftPacked, SlotsAndFrequenciesAreInverseBijections) {
    for (const std::uint32_t length : supportedLengths(2048)) {
        if (length % 2 != 0) {
            continue;
        }
        const LineShape shape = evenShape(length);
        std::vector<bool> seen(length / 2);
        for (std::uint32_t place = 0; place < length / 2; ++place) {
            const std::uint32_t frequency = shared::fftPackedFrequency(shape.radices, length, place);
            ASSERT_LT(frequency, length / 2) << length;
            ASSERT_FALSE(seen[frequency]) << length << " place " << place;
            seen[frequency] = true;
            ASSERT_EQ(shared::fftPackedSlot(shape.radices, length, frequency), place) << length;
        }
        ASSERT_EQ(shared::fftPackedFrequency(shape.radices, length, 0), 0U) << "DC and Nyquist stand first";
    }
}

TEST(FftPacked, SlotsAreTheFirstHalfOfTheWholeSpectrums) {
    for (const std::uint32_t length : {2U, 6U, 30U, 98U, 1280U, 4096U, 14406U, 16384U}) {
        const LineShape shape = evenShape(length);
        for (std::uint32_t slot = 0; slot < length; ++slot) {
            const std::uint32_t frequency = shared::fftFrequency(shape.radices, length, slot);
            ASSERT_EQ(frequency < length / 2, slot < length / 2) << length << " slot " << slot;
        }
        EXPECT_EQ(shared::fftPackedSlot(shape.radices, length, length / 2), 0U) << "Nyquist stands with DC";
        EXPECT_EQ(shared::fftNyquistSlot(shape.radices, length), length / 2);
    }
}

ComplexDouble toDouble(shared::vec2 value) {
    return {value.x, value.y};
}
shared::vec2 toVec(ComplexDouble value) {
    return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}

TEST(FftPacked, PairsAreSeparatedAndJoined) {
    constexpr std::uint32_t kLength = 30;
    const std::vector<ComplexDouble> a = inDouble(randomReals(kLength, 1));
    const std::vector<ComplexDouble> b = inDouble(randomReals(kLength, 2));
    std::vector<ComplexDouble> pair(kLength);
    for (std::uint32_t n = 0; n < kLength; ++n) {
        pair[n] = a[n] + ComplexDouble(0, 1) * b[n];
    }
    const std::vector<ComplexDouble> first = transformInDouble(a, kLength, 1, false);
    const std::vector<ComplexDouble> second = transformInDouble(b, kLength, 1, false);
    const std::vector<ComplexDouble> z = transformInDouble(pair, kLength, 1, false);
    for (std::uint32_t k = 0; k < kLength; ++k) {
        const shared::vec2 value = toVec(z[k]);
        const shared::vec2 mirrored = toVec(z[shared::fftMirror(kLength, k)]);
        EXPECT_LE(std::abs(toDouble(shared::fftFirstOfPair(value, mirrored)) - first[k]), 1e-5) << k;
        EXPECT_LE(std::abs(toDouble(shared::fftSecondOfPair(value, mirrored)) - second[k]), 1e-5) << k;
        EXPECT_LE(std::abs(toDouble(shared::fftPair(toVec(first[k]), toVec(second[k]))) - z[k]), 1e-5) << k;
        EXPECT_LE(std::abs(toDouble(shared::fftMirroredPair(toVec(first[k]), toVec(second[k]))) - toDouble(mirrored)),
                  1e-5)
            << k;
    }
}

TEST(FftHalf, ScalesArePowersOfTwoThatFillTheRange) {
    for (const float largest : {1e-30F, 3e-8F, 0.999F, 1.0F, 1.5F, 65504.0F, 1e10F, 3.4e38F}) {
        const float scale = shared::fftHalfScale(largest);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(scale) & 0x7FFFFFU, 0U) << largest;
        EXPECT_GE(largest / scale, 16384.0F);
        EXPECT_LT(largest / scale, 32768.0F);
    }
    for (const float tiny : {0.0F, 1e-45F, 1e-38F}) {
        const float scale = shared::fftHalfScale(tiny);
        EXPECT_TRUE(std::isnormal(scale)) << tiny;
        EXPECT_LT(tiny / scale, 32768.0F);
    }
}

} // namespace
} // namespace aureole::fft
