// Transforms on the device against FFTW in double.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include <fftw3.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "fft/plan.h"
#include "gpu_test/gpu_test.h"

namespace aureole::fft {
namespace {

using Complex = std::complex<float>;
using ComplexDouble = std::complex<double>;

constexpr float kPoison = 1e30F;

std::vector<Complex> randomValues(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<Complex> values(count);
    for (Complex& value : values) {
        value = {normal(random), normal(random)};
    }
    return values;
}

std::vector<ComplexDouble> oracle(const std::vector<Complex>& input, std::size_t length, bool inverse) {
    std::vector<ComplexDouble> output(input.begin(), input.end());
    for (std::size_t line = 0; line < input.size() / length; ++line) {
        auto* data = reinterpret_cast<fftw_complex*>(&output[line * length]);
        fftw_plan made = fftw_plan_dft_1d(static_cast<int>(length), data, data, inverse ? FFTW_BACKWARD : FFTW_FORWARD,
                                          FFTW_ESTIMATE);
        fftw_execute(made);
        fftw_destroy_plan(made);
    }
    return output;
}

double relativeError(const std::vector<Complex>& values, const std::vector<ComplexDouble>& expected) {
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        error += std::norm(ComplexDouble(values[i]) - expected[i]);
        norm += std::norm(expected[i]);
    }
    return std::sqrt(error / norm);
}

class FftPlanTest : public gpu::GpuTest {
protected:
    /// Transforms contiguous lines out of place, into poisoned memory.
    std::vector<Complex> run(const Plan& made, const std::vector<Complex>& input, float scale = 1.0F) {
        const gpu::Buffer source = device().createBufferWith(std::span<const Complex>(input), "source");
        const std::vector<Complex> poison(input.size(), Complex(kPoison, kPoison));
        const gpu::Buffer target = device().createBufferWith(std::span<const Complex>(poison), "target");
        const std::uint32_t length = made.shape().length;
        gpu::CommandEncoder commands = device().encoder();
        made.execute(commands, {target.address(), 1, length}, {source.address(), 1, length},
                     static_cast<std::uint32_t>(input.size() / length), scale);
        commands.barrier();
        device().submit(std::move(commands)).wait();
        std::vector<Complex> output(input.size());
        device().download(target, 0, std::as_writable_bytes(std::span(output)));
        return output;
    }

    static double bound(std::uint32_t length) { return length <= 1024 ? 6e-7 : 1.2e-6; }

    void compareWithFftw(std::uint32_t length, std::uint32_t lines, bool inverse) {
        const std::vector<Complex> input = randomValues(std::size_t{length} * lines, length);
        const std::vector<Complex> output = run(plan(device(), {length, inverse, true}), input);
        const double error = relativeError(output, oracle(input, length, inverse));
        EXPECT_LE(error, bound(length)) << "length " << length << (inverse ? " inverse" : " forward");
        worst_ = std::max(worst_, error / bound(length));
    }

    double worst_ = 0;
};

TEST_F(FftPlanTest, ShortLengthsEqualFftw) {
    // A software device compiles for up to a second a length: there the longer ones are sampled.
    const std::uint32_t every = device().info().isCpu ? 9 : 1;
    std::uint32_t count = 0;
    for (const std::uint32_t length : supportedLengths(512)) {
        if (length <= 36 || count % every == 0) {
            compareWithFftw(length, 3, count % 2 == 1);
        }
        ++count;
    }
    RecordProperty("worst_share_of_bound", std::to_string(worst_));
}

TEST_F(FftPlanTest, LongLengthsEqualFftw) {
    // Three to six stages; values exchanged whole, parts in turn, parts in rounds; 16 and 24 values an invocation.
    std::vector<std::uint32_t> lengths = {1250, 2048, 4096, 12960, 16384};
    if (!device().info().isCpu) {
        lengths = {625,  1024, 1250, 1280, 2048,  2401,  3125,  3375,  3750,  4096,
                   6561, 7500, 8192, 9375, 12500, 12960, 14406, 15625, 16200, 16384};
    }
    bool inverse = false;
    for (const std::uint32_t length : lengths) {
        compareWithFftw(length, 2, inverse);
        inverse = !inverse;
    }
    RecordProperty("worst_share_of_bound", std::to_string(worst_));
}

TEST_F(FftPlanTest, ImpulsesBecomeWaves) {
    constexpr std::uint32_t kLength = 60;
    const Plan forward = plan(device(), {kLength});
    std::vector<Complex> input(std::size_t{kLength} * kLength);
    for (std::uint32_t n = 0; n < kLength; ++n) {
        input[n * kLength + n] = 1.0F;
    }
    const std::vector<Complex> output = run(forward, input);
    for (std::uint32_t n = 0; n < kLength; ++n) {
        for (std::uint32_t k = 0; k < kLength; ++k) {
            const ComplexDouble wave = std::polar(1.0, -2 * 3.14159265358979323846 * n * k / kLength);
            ASSERT_LE(std::abs(ComplexDouble(output[n * kLength + k]) - wave), 4e-7) << n << " " << k;
        }
    }
}

TEST_F(FftPlanTest, SlotOrderIsTheDocumentedOne) {
    constexpr std::uint32_t kLength = 1280;
    const std::vector<Complex> input = randomValues(kLength, 3);
    const Plan slots = plan(device(), {kLength, false, false});
    const std::vector<Complex> natural = run(plan(device(), {kLength}), input);
    const std::vector<Complex> stored = run(slots, input);
    for (std::uint32_t slot = 0; slot < kLength; ++slot) {
        ASSERT_EQ(stored[slot], natural[shared::fftFrequency(slots.shape().radices, kLength, slot)]);
    }
}

TEST_F(FftPlanTest, RoundTripsInPlaceAreTheIdentity) {
    for (const std::uint32_t length : {2U, 98U, 1280U}) {
        constexpr std::uint32_t kLines = 5;
        const std::vector<Complex> input = randomValues(std::size_t{length} * kLines, length);
        const gpu::Buffer values = device().createBufferWith(std::span<const Complex>(input), "values");
        const Plan forward = plan(device(), {length, false, false});
        const Plan inverse = plan(device(), {length, true, false});
        const Lines lines{values.address(), 1, length};
        gpu::CommandEncoder commands = device().encoder();
        forward.execute(commands, lines, lines, kLines);
        commands.barrier();
        inverse.execute(commands, lines, lines, kLines, 1.0F / static_cast<float>(length));
        commands.barrier();
        device().submit(std::move(commands)).wait();
        std::vector<Complex> output(input.size());
        device().download(values, 0, std::as_writable_bytes(std::span(output)));
        EXPECT_LE(relativeError(output, {input.begin(), input.end()}), 2 * bound(length)) << length;
    }
}

TEST_F(FftPlanTest, TransformsAreLinear) {
    constexpr std::uint32_t kLength = 480;
    const Plan forward = plan(device(), {kLength});
    const std::vector<Complex> a = randomValues(kLength, 1);
    const std::vector<Complex> b = randomValues(kLength, 2);
    std::vector<Complex> mixed(kLength);
    std::transform(a.begin(), a.end(), b.begin(), mixed.begin(),
                   [](Complex x, Complex y) { return 2.0F * x - 0.5F * y; });
    const std::vector<Complex> fa = run(forward, a);
    const std::vector<Complex> fb = run(forward, b);
    std::vector<ComplexDouble> expected(kLength);
    std::transform(fa.begin(), fa.end(), fb.begin(), expected.begin(),
                   [](Complex x, Complex y) { return 2.0 * ComplexDouble(x) - 0.5 * ComplexDouble(y); });
    EXPECT_LE(relativeError(run(forward, mixed), expected), 1e-6);
}

TEST_F(FftPlanTest, StridesTransformColumnsAndLeaveTheRestAlone) {
    constexpr std::uint32_t kRows = 48;
    constexpr std::uint32_t kColumns = 7;
    constexpr std::uint32_t kUsed = 5;
    const std::vector<Complex> input = randomValues(std::size_t{kRows} * kColumns, 9);
    const gpu::Buffer values = device().createBufferWith(std::span<const Complex>(input), "values");
    const Plan forward = plan(device(), {kRows});
    const Lines columns{values.address(), kColumns, 1};
    gpu::CommandEncoder commands = device().encoder();
    forward.execute(commands, columns, columns, kUsed);
    commands.barrier();
    device().submit(std::move(commands)).wait();
    std::vector<Complex> output(input.size());
    device().download(values, 0, std::as_writable_bytes(std::span(output)));
    for (std::uint32_t column = 0; column < kColumns; ++column) {
        std::vector<Complex> before(kRows);
        std::vector<Complex> after(kRows);
        for (std::uint32_t row = 0; row < kRows; ++row) {
            before[row] = input[row * kColumns + column];
            after[row] = output[row * kColumns + column];
        }
        if (column < kUsed) {
            EXPECT_LE(relativeError(after, oracle(before, kRows, false)), 6e-7);
        } else {
            EXPECT_EQ(after, before);
        }
    }
}

TEST_F(FftPlanTest, UnsupportedLengthsAreRefused) {
    EXPECT_THROW(plan(device(), {11}), Error);
}

} // namespace
} // namespace aureole::fft
