// Transforms on the device against FFTW in double.

#include "core/error.h"
#include "fft_device_test.h"

namespace aureole::fft {
namespace {

class FftPlanTest : public FftDeviceTest {};

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
        const std::vector<ComplexDouble> expected(input.begin(), input.end());
        EXPECT_LE(relativeError(output, expected), 2 * errorBound(length)) << length;
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
            EXPECT_LE(relativeError(after, oracle(before, kRows, false)), errorBound(kRows));
        } else {
            EXPECT_EQ(after, before);
        }
    }
}

TEST_F(FftPlanTest, ColumnsWithLinesFastestEqualFftw) {
    constexpr std::uint32_t kRows = 210;
    constexpr std::uint32_t kColumns = 21;
    const std::vector<Complex> input = randomValues(std::size_t{kRows} * kColumns, 4);
    for (const bool inverse : {false, true}) {
        const PlanOptions options{.length = kRows, .inverse = inverse, .linesFastest = true};
        const Plan made = plan(device(), options);
        EXPECT_TRUE(made.shape().firstLinesFastest);
        const gpu::Buffer values = device().createBufferWith(std::span<const Complex>(input), "values");
        const Lines columns{values.address(), kColumns, 1};
        EXPECT_EQ(sourceBytes(options, columns, kColumns), values.size());
        gpu::CommandEncoder commands = device().encoder();
        made.execute(commands, columns, columns, kColumns);
        commands.barrier();
        device().submit(std::move(commands)).wait();
        std::vector<Complex> output(input.size());
        device().download(values, 0, std::as_writable_bytes(std::span(output)));
        for (std::uint32_t column = 0; column < kColumns; ++column) {
            std::vector<Complex> before;
            std::vector<Complex> after;
            for (std::size_t i = column; i < input.size(); i += kColumns) {
                before.push_back(input[i]);
                after.push_back(output[i]);
            }
            EXPECT_LE(relativeError(after, oracle(before, kRows, inverse)), errorBound(kRows)) << column;
        }
    }
}

TEST_F(FftPlanTest, UnsupportedLengthsAreRefused) {
    EXPECT_THROW(plan(device(), {11}), Error);
    EXPECT_THROW(plan(device(), {16387}), Error);
}

} // namespace
} // namespace aureole::fft
