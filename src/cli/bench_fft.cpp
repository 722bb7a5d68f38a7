#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/bench_commands.h"
#include "cli/bench_measure.h"
#include "cli/bench_report.h"
#include "core/error.h"
#include "fft/plan.h"

namespace aureole::cli {

namespace {

using Complex = std::complex<float>;

struct FftBenchOptions {
    BenchOptions common;
    std::vector<std::uint32_t> lengths; ///< empty: those of the device
    std::uint32_t batch = 0;            ///< lines; 0: as many as move the usual bytes
    fft::Exchange exchange = fft::Exchange::Fastest;
};

constexpr std::uint32_t kMostGroups = 65535; ///< that every device takes in one dispatch
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 30;

/// The place of the impulse in a line of the input.
std::uint32_t impulsePlace(std::uint32_t line, std::uint32_t length) {
    return (line * 7919 + 1) % length;
}

class FftBench {
public:
    FftBench(gpu::Device device, FftBenchOptions options)
        : device_(std::move(device))
        , options_(std::move(options))
        , report_("fft", device_.info())
        , copy_(device_) {
        if (options_.lengths.empty()) {
            options_.lengths = device_.info().isCpu
                                   ? std::vector<std::uint32_t>{64, 256}
                                   : std::vector<std::uint32_t>{256, 1024, 1280, 2048, 4096, 8192, 16384};
        }
    }

    void run() {
        report_.beginTable("forward complex transforms of many lines, out of place");
        for (const std::uint32_t length : options_.lengths) {
            benchLength(length);
        }
        if (!options_.common.jsonFile.empty()) {
            report_.write(options_.common.jsonFile);
        }
    }

private:
    /// The lines to transform. Throws Error (Usage) where those asked for are too many.
    std::uint32_t linesOf(const fft::LineShape& shape) const {
        // 64 MiB moved, 16 bytes a value.
        const std::uint32_t usual = (device_.info().isCpu ? 1U << 16 : 1U << 22) / shape.length;
        const std::uint64_t most = std::min(std::uint64_t{kMostGroups} * shape.lines, kMostValues / shape.length);
        if (options_.batch > most) {
            fail(ExitCode::Usage, "--batch: found {}, expected at most {} for lines of {}", options_.batch, most,
                 shape.length);
        }
        return options_.batch > 0 ? options_.batch
                                  : static_cast<std::uint32_t>(std::clamp<std::uint64_t>(usual, 1, most));
    }

    void benchLength(std::uint32_t length) {
        std::optional<double> copyRate;
        for (const bool natural : {true, false}) {
            const fft::Plan plan = fft::plan(
                device_, {.length = length, .inverse = false, .naturalOrder = natural, .exchange = options_.exchange});
            const std::uint32_t batch = linesOf(plan.shape());
            const std::uint64_t bytes = std::uint64_t{batch} * length * sizeof(Complex);
            if (!fitsDevice(device_.info(), 2 * bytes, bytes)) {
                report_.note(fmt::format("{}: skipped, {} lines do not fit the device", length, batch));
                return;
            }
            if (!copyRate) {
                copyRate = copy_.chainedRate(device_, options_.common.repeats, bytes / 16 * 16);
            }
            const double time = measure(plan, natural, batch);
            const double moved = 2.0 * static_cast<double>(bytes);
            report_.add({{"", fmt::format("{}, {} order", length, natural ? "natural" : "slot")},
                         {"length", length},
                         {"radices", radicesText(plan.shape())},
                         {"shuffles", std::popcount(plan.shape().shuffled)},
                         {"batch", batch},
                         {"us", time},
                         {"GB/s", moved / time / 1e3},
                         {"of copy", moved / time / *copyRate}});
        }
    }

    double measure(const fft::Plan& plan, bool natural, std::uint32_t batch) const {
        const std::uint32_t length = plan.shape().length;
        std::vector<Complex> values(std::size_t{batch} * length);
        for (std::uint32_t line = 0; line < batch; ++line) {
            values[std::size_t{line} * length + impulsePlace(line, length)] = 1.0F;
        }
        const gpu::Buffer source = device_.createBufferWith(std::span<const Complex>(values), "bench lines");
        const gpu::Buffer target = device_.createBuffer(source.size(), gpu::MemoryKind::Device, "bench frequencies");
        const double time = chainedMicroseconds(device_, options_.common.repeats, [&](gpu::CommandEncoder& commands) {
            plan.execute(commands, {target.address(), 1, length}, {source.address(), 1, length}, batch);
            commands.dispatchBarrier();
        });
        check(plan.shape(), natural, batch, target);
        return time;
    }

    /// Checks some values of some lines, so that no wrong transform passes for a fast one.
    void check(const fft::LineShape& shape, bool natural, std::uint32_t batch, const gpu::Buffer& target) const {
        constexpr std::uint32_t kSamples = 64;
        constexpr double kTolerance = 1e-5; // all values are of magnitude one
        for (std::uint32_t i = 0; i < kSamples; ++i) {
            // The first line and the last, and others between them.
            const auto line = static_cast<std::uint32_t>(std::uint64_t{batch - 1} * i / (kSamples - 1));
            const std::uint32_t slot = (i * 2654435761U + 5U) % shape.length;
            const std::uint32_t frequency = natural ? slot : shared::fftFrequency(shape.radices, shape.length, slot);
            const std::uint64_t turns = std::uint64_t{frequency} * impulsePlace(line, shape.length) % shape.length;
            const auto expected = std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(turns) / shape.length);
            Complex value;
            device_.download(target, (std::uint64_t{line} * shape.length + slot) * sizeof(Complex),
                             std::as_writable_bytes(std::span(&value, 1)));
            // Written so that NaN fails.
            if (!(std::abs(std::complex<double>(value) - expected) <= kTolerance)) {
                fail(ExitCode::Internal, "bench fft: length {}, line {}, frequency {}: ({}, {}), expected ({}, {})",
                     shape.length, line, frequency, value.real(), value.imag(), expected.real(), expected.imag());
            }
        }
    }

    gpu::Device device_;
    FftBenchOptions options_;
    BenchReport report_;
    CopyKernel copy_;
};

std::vector<std::uint32_t> parseLengths(const std::string& option, const std::string& text) {
    std::vector<std::uint32_t> lengths = parseCounts(option, text, 2, fft::kMaximumLength);
    for (const std::uint32_t length : lengths) {
        if (!fft::isSupported(length)) {
            fail(ExitCode::Usage, "{}: found {}, expected lengths without a prime factor above 7, such as {}", option,
                 length, fft::cheapestLength(length, false));
        }
    }
    return lengths;
}

ExitCode runFftBench(const FftBenchOptions& options) {
    FftBench(openBenchDevice(options.common), options).run();
    return ExitCode::Done;
}

} // namespace

void addBenchFft(CLI::App& bench, Invocation& invocation) {
    CLI::App* command = bench.add_subcommand("fft", "Batches of complex Fourier transforms");
    const auto options = std::make_shared<FftBenchOptions>();
    addValue(*command, "--lengths", "N,N,..",
             "Lengths from 2 to 16384 without a prime factor above 7\n(default: 256 to 16384 on a GPU)",
             [options](const std::string& text) { options->lengths = parseLengths("--lengths", text); });
    addValue(*command, "--batch", "N", "Lines to transform at once (default: as many as move 64 MiB on a GPU)",
             [options](const std::string& text) { options->batch = parseCount("--batch", text, 1); });
    addExchange(*command, options->exchange);
    addBenchOptions(*command, options->common);
    command->footer("GB/s counts 8 bytes read and 8 written a value; 'of copy' holds it against a plain copy of the\n"
                    "same lines. Frequencies are stored in natural order, or in that in which they are computed\n"
                    "('slot'), which convolutions make do with. 'shuffles' counts the exchanges between stages that\n"
                    "shuffles make.\n\n"
                    "Examples:\n"
                    "  aureole bench fft --json fft.json\n"
                    "  aureole bench fft --lengths 1024,1280 --batch 5000\n"
                    "  aureole bench fft --allow-cpu --lengths 64");
    command->callback([options, &invocation] { invocation.run = [options] { return runFftBench(*options); }; });
}

} // namespace aureole::cli
