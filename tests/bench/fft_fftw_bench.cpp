// FFTW on the CPU, for scale beside 'aureole bench fft': the same batches of forward fp32 transforms of complex and
// real lines and images, out of place, on one thread and on all of them.
//
//   cmake --build build/release --target bench_fftw
//   build/release/tests/bench/bench_fftw --benchmark_filter=width:1024/

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <thread>

#include <benchmark/benchmark.h>
#include <fftw3.h>

namespace {

struct FreeFftw {
    void operator()(fftwf_complex* values) const { fftwf_free(values); }
};
using Values = std::unique_ptr<fftwf_complex[], FreeFftw>;

constexpr std::int64_t kValues = 1 << 22; // 64 MiB moved, 16 bytes a value

void transform(benchmark::State& state) {
    const std::array<int, 2> size = {static_cast<int>(state.range(1)), static_cast<int>(state.range(0))};
    const bool real = state.range(2) != 0;
    const std::int64_t pixels = state.range(0) * state.range(1);
    const std::int64_t spectrum = real ? (state.range(0) / 2 + 1) * state.range(1) : pixels; // FFTW's has Nyquist apart
    const auto batch = static_cast<int>(std::max<std::int64_t>(kValues * (real ? 2 : 1) / pixels, 1));
    const Values input(fftwf_alloc_complex(static_cast<std::size_t>(pixels * batch)));
    const Values output(fftwf_alloc_complex(static_cast<std::size_t>(spectrum * batch)));
    auto* reals = reinterpret_cast<float*>(input.get());
    fftwf_plan_with_nthreads(static_cast<int>(state.range(3)));
    const int rank = size[0] > 1 ? 2 : 1;
    const int* const lengths = size.data() + (2 - rank);
    const auto sourceStep = static_cast<int>(pixels);
    const auto targetStep = static_cast<int>(spectrum);
    // Measuring overwrites the input, which is therefore filled afterwards.
    auto* const plan = real ? fftwf_plan_many_dft_r2c(rank, lengths, batch, reals, nullptr, 1, sourceStep, output.get(),
                                                      nullptr, 1, targetStep, FFTW_MEASURE)
                            : fftwf_plan_many_dft(rank, lengths, batch, input.get(), nullptr, 1, sourceStep,
                                                  output.get(), nullptr, 1, targetStep, FFTW_FORWARD, FFTW_MEASURE);
    if (plan == nullptr) {
        state.SkipWithError("FFTW made no plan");
        return;
    }
    const std::int64_t floats = pixels * batch * (real ? 1 : 2);
    for (std::int64_t i = 0; i < floats; ++i) {
        reals[i] = static_cast<float>(i % 7);
    }
    for ([[maybe_unused]] auto unused : state) {
        fftwf_execute(plan);
        benchmark::ClobberMemory();
    }
    fftwf_destroy_plan(plan);
    state.counters["batch"] = batch;
    // As 'aureole bench fft' counts them: each value read and written, by both passes of images.
    state.SetBytesProcessed(state.iterations() * floats * static_cast<std::int64_t>(2 * sizeof(float)) * rank);
}

} // namespace

int main(int argc, char** argv) {
    fftwf_init_threads();
    const auto threads = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
    benchmark::internal::Benchmark* all = benchmark::RegisterBenchmark("fftw", transform);
    all->ArgNames({"width", "height", "real", "threads"})->Unit(benchmark::kMicrosecond)->UseRealTime();
    const auto add = [&](std::int64_t width, std::int64_t height) {
        for (const std::int64_t real : {0, 1}) {
            all->Args({width, height, real, 1});
            if (threads > 1) {
                all->Args({width, height, real, threads});
            }
        }
    };
    for (const std::int64_t length : {256, 1024, 1280, 2048, 4096, 8192, 16384}) {
        add(length, 1);
    }
    add(1024, 1024);
    add(1920, 1080);
    add(3840, 2160);
    add(4096, 4096);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
