// Transforms of real lines on the device against FFTW in double.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "fft/plan.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "oracle.h"
#include "shared/fft/fft_packed.h"

namespace aureole::fft {
namespace {

/// The packed half of a spectrum, in natural order.
std::vector<ComplexDouble> packed(const std::vector<ComplexDouble>& spectrum) {
    std::vector<ComplexDouble> half(spectrum.begin(),
                                    spectrum.begin() + static_cast<std::ptrdiff_t>(spectrum.size()) / 2);
    half[0] = {spectrum[0].real(), spectrum[spectrum.size() / 2].real()};
    return half;
}

/// The packed halves of the spectra of contiguous lines, in the order of a plan.
std::vector<ComplexDouble> packedSpectra(const std::vector<float>& lines, const LineShape& shape, bool naturalOrder) {
    const std::uint32_t length = shape.length;
    std::vector<ComplexDouble> result;
    for (std::size_t begin = 0; begin < lines.size(); begin += length) {
        const std::vector<float> line(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                      lines.begin() + static_cast<std::ptrdiff_t>(begin + length));
        const std::vector<ComplexDouble> natural = packed(transformInDouble(inDouble(line), length, 1, false));
        for (std::uint32_t place = 0; place < length / 2; ++place) {
            result.push_back(natural[naturalOrder ? place : shared::fftPackedFrequency(shape.radices, length, place)]);
        }
    }
    return result;
}

class FftRealTest : public gpu::GpuTest {
protected:
    template <typename To, typename From>
    static std::vector<To> transform(const Plan& made, const std::vector<From>& input, std::size_t outputs,
                                     const Lines& targetLayout, const Lines& sourceLayout, std::uint32_t count,
                                     float scale = 1.0F) {
        const gpu::Buffer source = device().createBufferWith(std::span<const From>(input), "source");
        std::vector<To> output(outputs, To(kPoison));
        const gpu::Buffer target = device().createBufferWith(std::span<const To>(output), "target");
        Lines to = targetLayout;
        Lines from = sourceLayout;
        to.address += target.address();
        from.address += source.address();
        gpu::CommandEncoder commands = device().encoder();
        made.execute(commands, to, from, count, scale);
        commands.barrier();
        device().submit(std::move(commands)).wait();
        device().download(target, 0, std::as_writable_bytes(std::span(output)));
        return output;
    }

    /// Contiguous lines to contiguous halves.
    static std::vector<Complex> forward(const Plan& made, const std::vector<float>& lines, float scale = 1.0F) {
        const std::uint32_t length = made.shape().length;
        return transform<Complex>(made, lines, lines.size() / 2, {0, 1, length / 2}, {0, 1, length},
                                  static_cast<std::uint32_t>(lines.size() / length), scale);
    }
    static std::vector<float> inverse(const Plan& made, const std::vector<Complex>& halves, float scale = 1.0F) {
        const std::uint32_t length = made.shape().length;
        return transform<float>(made, halves, halves.size() * 2, {0, 1, length}, {0, 1, length / 2},
                                static_cast<std::uint32_t>(halves.size() * 2 / length), scale);
    }

    /// Both directions, the inverse from the spectrum in double.
    void compareWithFftw(std::uint32_t length, std::uint32_t count, bool naturalOrder) {
        const std::vector<float> lines = randomReals(std::size_t{length} * count, length + count);
        const Plan there = plan(device(), {.length = length, .naturalOrder = naturalOrder, .real = true});
        const Plan back =
            plan(device(), {.length = length, .inverse = true, .naturalOrder = naturalOrder, .real = true});
        const std::vector<ComplexDouble> expected = packedSpectra(lines, there.shape(), naturalOrder);
        const double error = relativeL2(inDouble(forward(there, lines)), expected);
        EXPECT_LE(error, allowedError(length)) << "length " << length << (naturalOrder ? " natural" : " slots");
        std::vector<Complex> halves;
        for (const ComplexDouble& value : expected) {
            halves.emplace_back(value);
        }
        const std::vector<float> output = inverse(back, halves, 1.0F / static_cast<float>(length));
        const double backError = relativeL2(inDouble(output), inDouble(lines));
        EXPECT_LE(backError, allowedError(length)) << "length " << length << " inverse";
        worst_ = std::max({worst_, error / allowedError(length), backError / allowedError(length)});
    }

    double worst_ = 0;
};

TEST_F(FftRealTest, LinesEqualFftw) {
    // One to six stages; values exchanged whole, parts in turn, parts in rounds; a software device compiles for long.
    std::vector<std::uint32_t> lengths = {2, 4, 30, 98, 480, 10000};
    if (fullSweep()) {
        lengths = supportedLengths(device().info().isCpu ? 400 : 4096);
        lengths.insert(lengths.end(), {4374, 6250, 8192, 12960, 14406, 16200, 16384});
    }
    bool naturalOrder = false;
    for (const std::uint32_t length : lengths) {
        if (length % 2 == 0) {
            compareWithFftw(length, length % 4 == 0 ? 4 : 3, naturalOrder);
            naturalOrder = !naturalOrder;
        }
    }
    RecordProperty("worst_share_of_bound", std::to_string(worst_));
}

TEST_F(FftRealTest, AnyCountIsTransformed) {
    const Plan there = plan(device(), {.length = 48, .real = true});
    for (const std::uint32_t count : {1U, 2U, 3U, 2 * there.shape().lines - 1, 2 * there.shape().lines + 1, 131U}) {
        const std::vector<float> lines = randomReals(std::size_t{48} * count, count);
        EXPECT_LE(relativeL2(inDouble(forward(there, lines)), packedSpectra(lines, there.shape(), true)), 6e-7)
            << count;
    }
}

TEST_F(FftRealTest, ExchangesByShufflesGiveTheSame) {
    // 8 x 8 for subgroups of 8, 16 x 16 for those of 16 and 32: workgroup memory then serves the pairs alone.
    const std::uint32_t length = device().info().subgroupSize < 16 ? 64 : 256;
    const std::vector<float> lines = randomReals(std::size_t{length} * 5, 1);
    for (const bool naturalOrder : {false, true}) {
        const PlanOptions options{
            .length = length, .naturalOrder = naturalOrder, .exchange = Exchange::Shuffle, .real = true};
        PlanOptions inverted = options;
        inverted.inverse = true;
        const Plan there = plan(device(), options);
        ASSERT_NE(there.shape().shuffled, 0U);
        const std::vector<Complex> output = forward(there, lines);
        EXPECT_LE(relativeL2(inDouble(output), packedSpectra(lines, there.shape(), naturalOrder)), 6e-7);
        const std::vector<float> restored =
            inverse(plan(device(), inverted), output, 1.0F / static_cast<float>(length));
        EXPECT_LE(relativeL2(inDouble(restored), inDouble(lines)), 6e-7);
    }
}

TEST_F(FftRealTest, MoreLinesThanADispatchTakes) {
    const Plan there = plan(device(), {.length = 2, .real = true});
    const std::uint32_t count = 65535 * 2 * there.shape().lines + 3;
    std::vector<float> lines(2 * std::size_t{count});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i] = static_cast<float>(i * 2654435761U % 65537U);
    }
    const std::vector<Complex> output = forward(there, lines);
    for (std::size_t line = 0; line < count; ++line) {
        const Complex expected(lines[2 * line] + lines[2 * line + 1], lines[2 * line] - lines[2 * line + 1]);
        if (output[line] != expected) {
            FAIL() << line << ": " << output[line] << ", expected " << expected;
        }
    }
}

TEST_F(FftRealTest, SlotOrderIsTheDocumentedOne) {
    constexpr std::uint32_t kLength = 1280;
    const std::vector<float> lines = randomReals(std::size_t{2} * kLength, 5);
    const Plan slots = plan(device(), {.length = kLength, .naturalOrder = false, .real = true});
    const std::vector<Complex> natural = forward(plan(device(), {.length = kLength, .real = true}), lines);
    const std::vector<Complex> stored = forward(slots, lines);
    for (std::uint32_t i = 0; i < kLength; ++i) {
        const std::uint32_t frequency = shared::fftPackedFrequency(slots.shape().radices, kLength, i % (kLength / 2));
        ASSERT_EQ(stored[i], natural[i / (kLength / 2) * (kLength / 2) + frequency]) << i;
    }
}

TEST_F(FftRealTest, RoundTripsInPlaceAreTheIdentity) {
    for (const std::uint32_t length : {2U, 70U, 1280U}) {
        constexpr std::uint32_t kCount = 5;
        const std::vector<float> lines = randomReals(std::size_t{length} * kCount, length);
        const gpu::Buffer values = device().createBufferWith(std::span<const float>(lines), "values");
        const Plan there = plan(device(), {.length = length, .naturalOrder = false, .real = true});
        const Plan back = plan(device(), {.length = length, .inverse = true, .naturalOrder = false, .real = true});
        gpu::CommandEncoder commands = device().encoder();
        there.execute(commands, {values.address(), 1, length / 2}, {values.address(), 1, length}, kCount);
        commands.barrier();
        back.execute(commands, {values.address(), 1, length}, {values.address(), 1, length / 2}, kCount,
                     1.0F / static_cast<float>(length));
        commands.barrier();
        device().submit(std::move(commands)).wait();
        std::vector<float> output(lines.size());
        device().download(values, 0, std::as_writable_bytes(std::span(output)));
        EXPECT_LE(relativeL2(inDouble(output), inDouble(lines)), 2 * allowedError(length)) << length;
    }
}

TEST_F(FftRealTest, StridesTransformColumnsAndLeaveTheRestAlone) {
    // Five of seven columns, every second of nine complex ones.
    constexpr std::uint32_t kRows = 60;
    constexpr std::uint32_t kUsed = 5;
    for (const bool linesFastest : {false, true}) {
        const std::vector<float> input = randomReals(std::size_t{kRows} * 7, 3);
        const PlanOptions options{.length = kRows, .real = true, .linesFastest = linesFastest};
        const Plan there = plan(device(), options);
        const Lines source{0, 7, 1};
        const Lines target{0, 9, 2};
        const std::size_t outputs = targetBytes(options, target, kUsed) / sizeof(Complex);
        EXPECT_EQ(outputs, 29U * 9 + 4 * 2 + 1);
        EXPECT_EQ(sourceBytes(options, source, kUsed), 4U * (59 * 7 + 4 + 1));
        const std::vector<Complex> output = transform<Complex>(there, input, outputs, target, source, kUsed);
        std::vector<bool> written(outputs);
        for (std::uint32_t column = 0; column < kUsed; ++column) {
            std::vector<float> line(kRows);
            std::vector<Complex> half(kRows / 2);
            for (std::uint32_t row = 0; row < kRows; ++row) {
                line[row] = input[row * 7 + column];
            }
            for (std::uint32_t k = 0; k < kRows / 2; ++k) {
                half[k] = output[k * 9 + column * 2];
                written[k * 9 + column * 2] = true;
            }
            EXPECT_LE(relativeL2(inDouble(half), packedSpectra(line, there.shape(), true)), 6e-7) << column;
        }
        for (std::size_t i = 0; i < outputs; ++i) {
            ASSERT_EQ(output[i] == Complex(kPoison), !written[i]) << i;
        }
    }
}

TEST_F(FftRealTest, ImpulsesBecomeWaves) {
    // Every shift of an impulse, so that lines of both places of a pair meet every bin.
    constexpr std::uint32_t kLength = 36;
    std::vector<float> lines(std::size_t{kLength} * kLength);
    for (std::uint32_t n = 0; n < kLength; ++n) {
        lines[n * kLength + n] = 1.0F;
    }
    const std::vector<Complex> output = forward(plan(device(), {.length = kLength, .real = true}), lines, 2.0F);
    for (std::uint32_t n = 0; n < kLength; ++n) {
        for (std::uint32_t k = 0; k < kLength / 2; ++k) {
            ComplexDouble wave = std::polar(2.0, -2 * 3.14159265358979323846 * n * k / kLength);
            if (k == 0) {
                wave = {2.0, n % 2 == 0 ? 2.0 : -2.0};
            }
            ASSERT_LE(std::abs(ComplexDouble(output[n * kLength / 2 + k]) - wave), 1e-6) << n << " " << k;
        }
    }
}

TEST_F(FftRealTest, ShiftsTurnThePhases) {
    constexpr std::uint32_t kLength = 210;
    constexpr std::uint32_t kShift = 17;
    std::vector<float> lines = randomReals(kLength, 8);
    for (std::uint32_t n = 0; n < kLength; ++n) {
        lines.push_back(lines[(n + kShift) % kLength]);
    }
    const std::vector<Complex> output = forward(plan(device(), {.length = kLength, .real = true}), lines);
    std::vector<ComplexDouble> turned;
    std::vector<ComplexDouble> shifted;
    for (std::uint32_t k = 1; k < kLength / 2; ++k) {
        turned.push_back(ComplexDouble(output[k]) * std::polar(1.0, 2 * 3.14159265358979323846 * k * kShift / kLength));
        shifted.emplace_back(output[kLength / 2 + k]);
    }
    EXPECT_LE(relativeL2(shifted, turned), 1e-6);
    EXPECT_NEAR(output[0].real(), output[kLength / 2].real(), 1e-4);
    EXPECT_NEAR(output[0].imag(), -output[kLength / 2].imag(), 1e-4) << "Nyquist changes its sign at odd shifts";
}

TEST_F(FftRealTest, TransformsAreLinearAndKeepTheEnergy) {
    constexpr std::uint32_t kLength = 480;
    const Plan there = plan(device(), {.length = kLength, .real = true});
    std::vector<float> lines = randomReals(std::size_t{2} * kLength, 4);
    double energy = 0;
    for (std::uint32_t n = 0; n < kLength; ++n) {
        lines.push_back(2.0F * lines[n] - 0.5F * lines[kLength + n]);
        energy += std::norm(ComplexDouble(lines[n]));
    }
    const std::vector<Complex> output = forward(there, lines);
    std::vector<ComplexDouble> mixed;
    std::vector<ComplexDouble> expected;
    double spectral = 0;
    for (std::uint32_t k = 0; k < kLength / 2; ++k) {
        expected.push_back(2.0 * ComplexDouble(output[k]) - 0.5 * ComplexDouble(output[kLength / 2 + k]));
        mixed.emplace_back(output[kLength + k]);
        spectral += (k == 0 ? 1.0 : 2.0) * std::norm(ComplexDouble(output[k]));
    }
    EXPECT_LE(relativeL2(mixed, expected), 1e-6);
    EXPECT_NEAR(spectral / kLength / energy, 1.0, 1e-6);
}

TEST_F(FftRealTest, ShapesAndErrorsAreToldWithoutAPipeline) {
    const PlanOptions options{.length = 96, .real = true};
    const LineShape shape = shapeFor(device(), options);
    EXPECT_EQ(shape.lastRadix() % 2, 0U);
    EXPECT_EQ(shape.workgroupSize(), plan(device(), options).shape().workgroupSize());
    EXPECT_THROW(plan(device(), {.length = 45, .real = true}), Error);
    EXPECT_THROW(plan(device(), {.length = 22, .real = true}), Error);
    EXPECT_THROW(targetBytes(options, {0, 0xFFFFFFFFU, 0xFFFFFFFFU}, 0xFFFFFFFFU), Error);
    EXPECT_EQ(targetBytes(options, {0, 1, 48}, 0), 0U);
    gpu::CommandEncoder commands = device().encoder();
    EXPECT_THROW(plan(device(), options).execute(commands, {0, 0x20000000U, 1}, {0, 1, 96}, 1), Error);
}

} // namespace
} // namespace aureole::fft
