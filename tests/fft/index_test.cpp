// The index maps shared with the shaders: each one a bijection, and the frequency order that of the plain recursion.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "fft/line_shape.h"
#include "shared/fft/fft_index.h"

namespace aureole::fft {
namespace {

std::vector<std::uint32_t> sampledLengths() {
    std::vector<std::uint32_t> lengths = supportedLengths(600);
    for (const std::uint32_t length : {1280U, 2048U, 2401U, 3125U, 4096U, 6561U, 8192U, 14406U, 15625U, 16384U}) {
        lengths.push_back(length);
    }
    return lengths;
}

bool isPermutation(std::vector<std::uint32_t> values) {
    std::sort(values.begin(), values.end());
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        if (values[i] != i) {
            return false;
        }
    }
    return true;
}

/// The frequencies of a block after decimation in frequency, straight from its definition: the first stage sends the
/// frequencies j, j + r, j + 2 r... to sub-block j.
void decimate(const std::vector<std::uint32_t>& radices, std::size_t stage, std::uint32_t first, std::uint32_t step,
              std::uint32_t length, std::vector<std::uint32_t>& order) {
    if (stage == radices.size()) {
        order.push_back(first);
        return;
    }
    for (std::uint32_t j = 0; j < radices[stage]; ++j) {
        decimate(radices, stage + 1, first + j * step, step * radices[stage], length / radices[stage], order);
    }
}

std::vector<std::uint32_t> radicesOf(const LineShape& shape) {
    std::vector<std::uint32_t> radices;
    radices.reserve(shape.stages);
    for (std::uint32_t stage = 0; stage < shape.stages; ++stage) {
        radices.push_back(shared::fftRadix(shape.radices, stage));
    }
    return radices;
}

TEST(FftIndex, PositionsAndFrequenciesAreInverseBijections) {
    for (const std::uint32_t length : sampledLengths()) {
        const LineShape shape = shapeLines(length, {});
        std::vector<std::uint32_t> expected;
        decimate(radicesOf(shape), 0, 0, 1, length, expected);
        ASSERT_TRUE(isPermutation(expected)) << "length " << length;
        for (std::uint32_t position = 0; position < length; ++position) {
            const std::uint32_t frequency = shared::fftPositionFrequency(shape.radices, length, position);
            ASSERT_EQ(frequency, expected[position]) << "length " << length << " position " << position;
            ASSERT_EQ(shared::fftFrequencyPosition(shape.radices, length, frequency), position) << "length " << length;
        }
    }
}

TEST(FftIndex, SlotsAndFrequenciesAreInverseBijections) {
    for (const std::uint32_t length : sampledLengths()) {
        const LineShape shape = shapeLines(length, {});
        std::vector<std::uint32_t> order;
        decimate(radicesOf(shape), 0, 0, 1, length, order);
        // All butterflies' first legs, then all second ones...
        const std::uint32_t lastRadix = radicesOf(shape).back();
        ASSERT_EQ(shared::fftLastRadix(shape.radices), lastRadix);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t leg = 0; leg < lastRadix; ++leg) {
            for (std::uint32_t position = leg; position < length; position += lastRadix) {
                expected.push_back(order[position]);
            }
        }
        for (std::uint32_t slot = 0; slot < length; ++slot) {
            const std::uint32_t frequency = shared::fftFrequency(shape.radices, length, slot);
            ASSERT_EQ(frequency, expected[slot]) << "length " << length << " slot " << slot;
            ASSERT_EQ(shared::fftSlot(shape.radices, length, frequency), slot) << "length " << length;
            // The runs are in natural order.
            ASSERT_EQ(slot * lastRadix / length, frequency * lastRadix / length) << "length " << length;
        }
    }
}

TEST(FftIndex, DcAndNyquistAreWhereTheFunctionsSay) {
    for (const std::uint32_t length : sampledLengths()) {
        const LineShape shape = shapeLines(length, {});
        EXPECT_EQ(shared::fftFrequency(shape.radices, length, shared::fftDcSlot()), 0U);
        if (length % 2 == 0) {
            EXPECT_EQ(shared::fftFrequency(shape.radices, length, shared::fftNyquistSlot(shape.radices, length)),
                      length / 2);
        }
    }
}

TEST(FftIndex, MirrorSlotsAreAnInvolutionWithDcAndNyquistFixed) {
    for (const std::uint32_t length : sampledLengths()) {
        const LineShape shape = shapeLines(length, {});
        for (std::uint32_t slot = 0; slot < length; ++slot) {
            const std::uint32_t mirror = shared::fftMirrorSlot(shape.radices, length, slot);
            const std::uint32_t sum =
                shared::fftFrequency(shape.radices, length, slot) + shared::fftFrequency(shape.radices, length, mirror);
            ASSERT_EQ(sum % length, 0U);
            ASSERT_EQ(shared::fftMirrorSlot(shape.radices, length, mirror), slot);
            const std::uint32_t frequency = shared::fftFrequency(shape.radices, length, slot);
            ASSERT_EQ(mirror == slot, frequency == 0 || 2 * frequency == length);
        }
    }
}

TEST(FftIndex, StagePositionsCoverALineOnce) {
    for (const std::uint32_t length : sampledLengths()) {
        const LineShape shape = shapeLines(length, {});
        for (std::uint32_t stage = 0; stage < shape.stages; ++stage) {
            const std::uint32_t radix = shared::fftRadix(shape.radices, stage);
            const std::uint32_t span = shared::fftSpan(shape.radices, length, stage);
            std::vector<std::uint32_t> positions;
            for (std::uint32_t butterfly = 0; butterfly < length / radix; ++butterfly) {
                for (std::uint32_t leg = 0; leg < radix; ++leg) {
                    positions.push_back(shared::fftPosition(span, radix, butterfly, leg));
                }
            }
            ASSERT_TRUE(isPermutation(positions)) << "length " << length << " stage " << stage;
        }
    }
}

} // namespace
} // namespace aureole::fft
