// FFTW on the CPU, for scale beside 'aureole bench fft': the same lengths and batches of forward complex fp32
// transforms, out of place, on one thread and on all of them.
//
//   cmake --build build/release --target bench_fftw
//   build/release/tests/bench/bench_fftw --benchmark_filter=length:1024/

#include <algorithm>
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

void transformLines(benchmark::State& state) {
    const auto length = static_cast<int>(state.range(0));
    const auto batch = static_cast<int>(kValues / length);
    const auto count = static_cast<std::size_t>(length) * static_cast<std::size_t>(batch);
    const Values input(fftwf_alloc_complex(count));
    const Values output(fftwf_alloc_complex(count));
    fftwf_plan_with_nthreads(static_cast<int>(state.range(1)));
    // Measuring overwrites the input, which is therefore filled afterwards.
    const fftwf_plan plan = fftwf_plan_many_dft(1, &length, batch, input.get(), nullptr, 1, length, output.get(),
                                                nullptr, 1, length, FFTW_FORWARD, FFTW_MEASURE);
    if (plan == nullptr) {
        state.SkipWithError("FFTW made no plan");
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        input[i][0] = static_cast<float>(i % 7);
        input[i][1] = static_cast<float>(i % 5);
    }
    for ([[maybe_unused]] auto unused : state) {
        fftwf_execute(plan);
        benchmark::ClobberMemory();
    }
    fftwf_destroy_plan(plan);
    state.counters["batch"] = batch;
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(2 * sizeof(fftwf_complex) * count));
}

} // namespace

int main(int argc, char** argv) {
    fftwf_init_threads();
    const auto threads = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
    benchmark::internal::Benchmark* lines = benchmark::RegisterBenchmark("fftw", transformLines);
    lines->ArgNames({"length", "threads"})->Unit(benchmark::kMicrosecond)->UseRealTime();
    for (const std::int64_t length : {256, 1024, 1280, 2048, 4096, 8192, 16384}) {
        lines->Args({length, 1});
        if (threads > 1) {
            lines->Args({length, threads});
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
