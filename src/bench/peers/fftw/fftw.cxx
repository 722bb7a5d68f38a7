// FFTW beside 'aureole bench bloom', on all cores of the host: three planes transformed, multiplied, and transformed
// back. Arguments: the files of the task and of the kernel.

#include <algorithm>
#include <chrono>
#include <complex>
#include <thread>

#include <fftw3.h>

#include "bloom_task.hpp"

namespace {

constexpr double kPlanningSeconds = 2.0; ///< of each plan: FFTW_MEASURE of large planes would take minutes

/// More than three runs only while they are short.
template <typename Work>
double medianMicroseconds(int repeats, const Work& work) {
    constexpr int kFew = 3;
    constexpr auto kLongEnough = std::chrono::milliseconds(500);
    work(); // the first one touches the memory
    std::vector<double> times;
    const auto first = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats && (i < kFew || std::chrono::steady_clock::now() - first < kLongEnough); ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

} // namespace

int main(int, char** argv) {
    const BloomTask task = readBloomTask(argv[1], argv[2]);
    const int threads = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    fftwf_init_threads();
    fftwf_plan_with_nthreads(threads);
    fftwf_set_timelimit(kPlanningSeconds);
    const int px = task.periodX();
    const int py = task.periodY();
    const int bins = px / 2 + 1;
    const int stride = 2 * bins;
    const std::size_t floats = 3 * static_cast<std::size_t>(stride) * py;
    auto* planes = static_cast<float*>(fftwf_malloc(floats * sizeof(float)));
    auto* spectrum = static_cast<float*>(fftwf_malloc(floats * sizeof(float)));
    const int lengths[2] = {py, px};
    const int reals[2] = {py, stride};
    const int spectra[2] = {py, bins};
    auto* complexPlanes = reinterpret_cast<fftwf_complex*>(planes);
    const fftwf_plan forward = fftwf_plan_many_dft_r2c(2, lengths, 3, planes, reals, 1, py * stride, complexPlanes,
                                                       spectra, 1, py * bins, FFTW_MEASURE);
    const fftwf_plan inverse = fftwf_plan_many_dft_c2r(2, lengths, 3, complexPlanes, spectra, 1, py * bins, planes,
                                                       reals, 1, py * stride, FFTW_MEASURE);

    std::vector<float> kernel = task.wrappedKernel(stride);
    for (float& value : kernel) {
        value /= static_cast<float>(px) * static_cast<float>(py);
    }
    std::copy(kernel.begin(), kernel.end(), spectrum);
    fftwf_execute_dft_r2c(forward, spectrum, reinterpret_cast<fftwf_complex*>(spectrum));

    const std::vector<float> picture = task.picture();
    std::vector<float> result(picture.size());
    const auto core = [&] {
        fftwf_execute(forward);
        auto* own = reinterpret_cast<std::complex<float>*>(planes);
        const auto* other = reinterpret_cast<const std::complex<float>*>(spectrum);
#pragma omp parallel for
        for (std::size_t i = 0; i < floats / 2; ++i) {
            own[i] = {own[i].real() * other[i].real() - own[i].imag() * other[i].imag(),
                      own[i].real() * other[i].imag() + own[i].imag() * other[i].real()};
        }
        fftwf_execute(inverse);
    };
    const auto whole = [&] {
#pragma omp parallel for
        for (int row = 0; row < 3 * py; ++row) {
            float* to = planes + static_cast<std::size_t>(row) * stride;
            std::fill(to, to + stride, 0.0F);
            if (row % py < task.height) {
                const std::size_t from = static_cast<std::size_t>(row / py) * task.height + row % py;
                std::copy_n(picture.begin() + static_cast<std::ptrdiff_t>(from * task.width), task.width, to);
            }
        }
        core();
#pragma omp parallel for
        for (int row = 0; row < 3 * task.height; ++row) {
            const std::size_t from = static_cast<std::size_t>(row / task.height) * py + row % task.height;
            std::copy_n(planes + from * stride, task.width,
                        result.begin() + static_cast<std::ptrdiff_t>(row) * task.width);
        }
    };
    std::fill(planes, planes + floats, 0.0F); // planning left anything there
    const double alone = medianMicroseconds(task.repeats, core);
    const double all = medianMicroseconds(task.repeats, whole);
    std::string version = fftwf_version; // such as fftw-3.3.10-sse2-avx
    version = "FFTW " + version.substr(5, version.find('-', 5) - 5);
    printBloomAnswer(task, version, std::to_string(threads) + " threads", all, alone, result);
}
