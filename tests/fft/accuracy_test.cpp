// Errors of the transforms, length by length, against FFTW in double.

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "fft_device_test.h"
#include "full_sweep.h"

namespace aureole::fft {
namespace {

struct Input {
    const char* name;
    std::function<Complex(std::uint32_t place, std::uint32_t length, std::mt19937& random)> value;
};

Complex wave(double turns, float amplitude = 1.0F) {
    return std::polar(amplitude, static_cast<float>(2.0 * std::numbers::pi * (turns - std::floor(turns))));
}

Complex normal(std::mt19937& random) {
    std::normal_distribution<float> distribution;
    const float x = distribution(random);
    return {x, distribution(random)};
}

/// True once in `every`, on average.
bool now(std::mt19937& random, std::uint32_t every) {
    return random() % every == 0;
}

const std::array<Input, 8>& inputs() {
    using Random = std::mt19937;
    static const std::array<Input, 8> kInputs = {{
        {"normal", [](std::uint32_t, std::uint32_t, Random& random) { return normal(random); }},
        {"uniform",
         [](std::uint32_t, std::uint32_t, Random& random) {
             std::uniform_real_distribution<float> uniform;
             const float x = uniform(random);
             return Complex(x, uniform(random));
         }},
        // One always, so that none is empty.
        {"impulses",
         [](std::uint32_t n, std::uint32_t length, Random& random) {
             return n == length / 3 || now(random, 1 + length / 4) ? normal(random) : Complex();
         }},
        {"constant", [](std::uint32_t, std::uint32_t, Random&) { return Complex(0.7F, -0.3F); }},
        {"ramp",
         [](std::uint32_t n, std::uint32_t length, Random&) {
             return Complex(static_cast<float>(n + 1) / static_cast<float>(length), static_cast<float>(n));
         }},
        {"sinusoid",
         [](std::uint32_t n, std::uint32_t length, Random&) {
             const std::uint32_t frequency = length * 2 / 7;
             return wave(static_cast<double>(std::uint64_t{n} * frequency % length) / length, 3.0F);
         }},
        {"sinusoid between frequencies",
         [](std::uint32_t n, std::uint32_t length, Random&) { return wave(n * (length / 5 + 0.37) / length); }},
        {"a few large values",
         [](std::uint32_t n, std::uint32_t length, Random& random) {
             const float scale = n == length / 2 || now(random, 1 + length / 3) ? 1e4F : 1.0F;
             return scale * normal(random);
         }},
    }};
    return kInputs;
}

/// A line of each kind of input.
std::vector<Complex> inputLines(std::uint32_t length) {
    std::mt19937 random(length);
    std::vector<Complex> values;
    values.reserve(std::size_t{length} * inputs().size());
    for (const Input& input : inputs()) {
        for (std::uint32_t n = 0; n < length; ++n) {
            values.push_back(input.value(n, length, random));
        }
    }
    return values;
}

/// Lines from natural to slot order, or back.
std::vector<Complex> reordered(const std::vector<Complex>& values, const LineShape& shape, bool toSlots) {
    std::vector<Complex> result(values.size());
    for (std::size_t line = 0; line < values.size(); line += shape.length) {
        for (std::uint32_t slot = 0; slot < shape.length; ++slot) {
            const std::uint32_t frequency = shared::fftFrequency(shape.radices, shape.length, slot);
            result[line + (toSlots ? slot : frequency)] = values[line + (toSlots ? frequency : slot)];
        }
    }
    return result;
}

class FftAccuracyTest : public FftDeviceTest {
protected:
    void compare(std::uint32_t length, bool inverse, bool natural) {
        const Plan made = plan(device(), {length, inverse, natural});
        const std::vector<Complex> input = inputLines(length);
        const std::vector<ComplexDouble> expected = oracle(input, length, inverse);
        std::vector<Complex> output = run(made, inverse && !natural ? reordered(input, made.shape(), true) : input);
        if (!inverse && !natural) {
            output = reordered(output, made.shape(), false);
        }
        for (std::size_t i = 0; i < inputs().size(); ++i) {
            const double error = relativeError(std::span(output).subspan(i * length, length),
                                               std::span(expected).subspan(i * length, length));
            EXPECT_LE(error, errorBound(length)) << "length " << length << (inverse ? ", inverse, " : ", forward, ")
                                                 << (natural ? "natural" : "slot") << " order, " << inputs().at(i).name;
            Worst& worst = worst_[std::bit_ceil(length)];
            worst.error = std::max(worst.error, error);
            worst.share = std::max(worst.share, error / errorBound(length));
        }
    }

    /// A length forward and inverse, one in natural and the other in slot order; in a quick sweep one of the two.
    void compareLength(std::uint32_t length) {
        const bool natural = count_ % 2 == 0;
        const bool inverse = count_ / 2 % 2 != 0;
        ++count_;
        compare(length, inverse, natural);
        if (fullSweep()) {
            compare(length, !inverse, !natural);
        }
    }

    /// Some lengths always come near to the bound; a full sweep has one in each class.
    void expectCloseBound() {
        double closest = 0;
        for (const auto& [most, worst] : worst_) {
            RecordProperty("worst_error_up_to_" + std::to_string(most), fmt::format("{:.3g}", worst.error));
            closest = std::max(closest, worst.share);
            if (fullSweep()) {
                EXPECT_GE(worst.share, kLeastShare) << "up to length " << most;
            }
        }
        EXPECT_GE(closest, kLeastShare);
    }

private:
    struct Worst {
        double error = 0;
        double share = 0; ///< of the bound
    };
    static constexpr double kLeastShare = 1.0 / 3;

    std::map<std::uint32_t, Worst> worst_; ///< by the power of two that lengths reach up to
    std::uint32_t count_ = 0;
};

// A software device compiles for up to a second a length: there, most of them are left out.

TEST_F(FftAccuracyTest, LengthsUpTo4096KeepWithinTheirBound) {
    const std::uint32_t every = device().info().isCpu ? quickOrFull(9U, 4U) : 1;
    std::uint32_t count = 0;
    for (const std::uint32_t length : supportedLengths(fullSweep() ? 4096 : 512)) {
        if (length <= 36 || count % every == 0) {
            compareLength(length);
        }
        ++count;
    }
    expectCloseBound();
}

TEST_F(FftAccuracyTest, LongLengthsKeepWithinTheirBound) {
    // Three to six stages; values exchanged whole, parts in turn, parts in rounds; 16 and 24 values an invocation. A
    // software device compiles for long.
    std::vector<std::uint32_t> lengths = {1250, 4096, 12960};
    if (fullSweep()) {
        lengths = {4374, 5120, 6561, 7500, 8192, 9375, 12500, 12960, 14406, 15625, 16200, 16384};
    } else if (!device().info().isCpu) {
        lengths = {625,  1024, 1250, 1280, 2048,  2401,  3125,  3375,  3750,  4096,
                   6561, 7500, 8192, 9375, 12500, 12960, 14406, 15625, 16200, 16384};
    }
    for (const std::uint32_t length : lengths) {
        compareLength(length);
    }
    expectCloseBound();
}

TEST(FftErrorBound, GrowsAndStaysWithinWhatIsPromised) {
    double last = 0;
    for (const std::uint32_t length : supportedLengths()) {
        EXPECT_GT(errorBound(length), last);
        EXPECT_LE(errorBound(length), length <= 1024 ? 6e-7 : 1.2e-6) << length;
        last = errorBound(length);
    }
}

} // namespace
} // namespace aureole::fft
