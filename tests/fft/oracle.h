#pragma once

// Inputs, and FFTW in two dimensions, for the tests of real lines and of images.

#include <cstdint>
#include <vector>

#include "fft_device_test.h"

namespace aureole::fft {

/// What the targets hold before a transform, so that a value that was not written shows.
inline constexpr float kPoison = 1e30F;

/// The relative L2 error that transforms of real lines and of images may have; `length` is that of the longest axis.
inline double allowedError(std::uint32_t length) {
    return length <= 1024 ? 6e-7 : 1.2e-6;
}

std::vector<float> randomReals(std::size_t count, std::uint32_t seed);
std::vector<Complex> randomComplexes(std::size_t count, std::uint32_t seed);

/// The transform of width x height values, row by row; one line where the height is 1.
std::vector<ComplexDouble> transformInDouble(std::vector<ComplexDouble> values, std::uint32_t width,
                                             std::uint32_t height, bool inverse);

double relativeL2(const std::vector<ComplexDouble>& values, const std::vector<ComplexDouble>& expected);

/// The values in double.
template <typename T>
std::vector<ComplexDouble> inDouble(const std::vector<T>& values) {
    std::vector<ComplexDouble> result;
    result.reserve(values.size());
    for (const T& value : values) {
        result.emplace_back(value);
    }
    return result;
}

} // namespace aureole::fft
