#include "oracle.h"

#include <random>

namespace aureole::fft {

std::vector<float> randomReals(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(random);
    }
    return values;
}

std::vector<Complex> randomComplexes(std::size_t count, std::uint32_t seed) {
    const std::vector<float> parts = randomReals(2 * count, seed);
    std::vector<Complex> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = {parts[2 * i], parts[2 * i + 1]};
    }
    return values;
}

std::vector<ComplexDouble> transformInDouble(std::vector<ComplexDouble> values, std::uint32_t width,
                                             std::uint32_t height, bool inverse) {
    auto* data = reinterpret_cast<fftw_complex*>(values.data());
    fftw_plan made = fftw_plan_dft_2d(static_cast<int>(height), static_cast<int>(width), data, data,
                                      inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_execute(made);
    fftw_destroy_plan(made);
    return values;
}

double relativeL2(const std::vector<ComplexDouble>& values, const std::vector<ComplexDouble>& expected) {
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        error += std::norm(values[i] - expected[i]);
        norm += std::norm(expected[i]);
    }
    return std::sqrt(error / norm);
}

} // namespace aureole::fft
