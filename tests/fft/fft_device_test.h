#pragma once

// What the tests of transforms on the device share: FFTW in double, errors, and running a plan.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include <fftw3.h>
#include <gtest/gtest.h>

#include "fft/plan.h"
#include "gpu_test/gpu_test.h"

namespace aureole::fft {

using Complex = std::complex<float>;
using ComplexDouble = std::complex<double>;

inline std::vector<Complex> randomValues(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<Complex> values(count);
    for (Complex& value : values) {
        value = {normal(random), normal(random)};
    }
    return values;
}

/// The transforms of lines, by FFTW.
inline std::vector<ComplexDouble> oracle(std::span<const Complex> input, std::size_t length, bool inverse) {
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

/// A bound of the relative L2 error of one line, ||X' - X|| / ||X||, of a transform of that length from 2, forward or
/// inverse, on its fp32 input: 1.2 u (2 sqrt(log2 N) - 1) with u = 2^-24. Rounding errors of the log2 N levels of
/// additions add up like noise, hence the root (Gentleman and Sande 1966 have the same growth); an inner one also
/// rounds its twiddle factors' products. The constants are fitted to the worst of eight kinds of input
/// (src/fft/README.md).
inline double errorBound(std::uint32_t length) {
    constexpr double kUnitRoundoff = 0x1p-24;
    return 1.2 * kUnitRoundoff * (2 * std::sqrt(std::log2(static_cast<double>(length))) - 1);
}

/// The L2 norm of the differences over that of the expected values.
inline double relativeError(std::span<const Complex> values, std::span<const ComplexDouble> expected) {
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        error += std::norm(ComplexDouble(values[i]) - expected[i]);
        norm += std::norm(expected[i]);
    }
    return std::sqrt(error / norm);
}

class FftDeviceTest : public gpu::GpuTest {
protected:
    /// Transforms contiguous lines out of place, into poisoned memory.
    static std::vector<Complex> run(const Plan& made, const std::vector<Complex>& input, float scale = 1.0F) {
        constexpr float kPoison = 1e30F;
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
};

} // namespace aureole::fft
