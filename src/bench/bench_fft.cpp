#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <glm/glm.hpp>

#include "bench/bench_commands.h"
#include "bench/bench_measure.h"
#include "bench/bench_report.h"
#include "cli/options/arguments.h"
#include "core/error.h"
#include "core/lines.h"
#include "fft/plan.h"
#include "fft/plan_2d.h"

namespace aureole::bench {

namespace {

using Complex = std::complex<float>;

struct FftBenchOptions {
    BenchOptions common;
    std::vector<std::uint32_t> lengths; ///< where there are no sizes either: those of the device
    std::vector<glm::uvec2> sizes;      ///< of images; likewise
    std::uint32_t batch = 0;            ///< lines or images; 0: as many as move the usual bytes
    fft::Exchange exchange = fft::Exchange::Memory;
    bool half = false;          ///< images keep fp16 between their axes
    std::uint32_t elements = 0; ///< values of an invocation; 0: the cheapest
};

constexpr std::uint64_t kMostValues = std::uint64_t{1} << 30;

/// A batch of contiguous images to transform; of lines, where the height is 1.
struct FftTask {
    std::uint32_t width = 0;
    std::uint32_t height = 1;
    bool real = false;
    bool natural = true;
    bool half = false;
    std::uint32_t count = 0;

    std::uint64_t values() const { return std::uint64_t{width} * height; }
    /// Bytes of the pixels; the frequencies take as many.
    std::uint64_t bytes() const { return values() * count * (real ? sizeof(float) : sizeof(Complex)); }
    std::uint32_t columns() const { return real ? width / 2 : width; } ///< of frequencies
    std::string name() const {
        const std::string size = height == 1 ? fmt::format("{}", width) : fmt::format("{}x{}", width, height);
        return fmt::format("{} {}, {} order{}", size, real ? "real" : "complex", natural ? "natural" : "slot",
                           half ? ", half" : "");
    }
    /// The place of the impulse in an image of the input.
    std::uint64_t impulse(std::uint32_t image) const { return (std::uint64_t{image} * 7919 + width + 1) % values(); }
};

/// A plan of either kind.
struct FftWork {
    fft::LineShape rows;
    fft::LineShape columns; ///< of images
    std::function<void(gpu::CommandEncoder&, std::uint64_t target, std::uint64_t source)> record;
};

FftWork makeWork(const gpu::Device& device, const FftTask& task, const FftBenchOptions& options) {
    if (task.height == 1) {
        const auto plan = std::make_shared<fft::Plan>(fft::plan(device, {.length = task.width,
                                                                         .naturalOrder = task.natural,
                                                                         .exchange = options.exchange,
                                                                         .real = task.real,
                                                                         .elements = options.elements}));
        return {plan->shape(), {}, [=](gpu::CommandEncoder& commands, std::uint64_t target, std::uint64_t source) {
                    plan->execute(commands, {target, 1, task.columns()}, {source, 1, task.width}, task.count);
                }};
    }
    const auto plan = std::make_shared<fft::Plan2d>(fft::plan2d(device, {.width = task.width,
                                                                         .height = task.height,
                                                                         .naturalOrder = task.natural,
                                                                         .real = task.real,
                                                                         .halfIntermediates = task.half,
                                                                         .exchange = options.exchange,
                                                                         .elements = options.elements}));
    const fft::Images layout{0, 1, task.columns(), std::uint64_t{task.columns()} * task.height};
    const std::uint64_t bytes = fft::scratchBytes(plan->options(), layout, task.count);
    const auto scratch = std::make_shared<const gpu::Buffer>(
        bytes > 0 ? device.createBuffer(bytes, gpu::MemoryKind::Device, "bench scratch") : gpu::Buffer());
    return {
        plan->rows(), plan->columns(), [=](gpu::CommandEncoder& commands, std::uint64_t target, std::uint64_t source) {
            plan->execute(commands, {target, layout.stride, layout.rowStride, layout.imageStride},
                          {source, 1, task.width, task.values()}, task.count, 1.0F, bytes > 0 ? scratch->address() : 0);
        }};
}

class FftBench {
public:
    FftBench(gpu::Device device, FftBenchOptions options)
        : device_(std::move(device))
        , options_(std::move(options))
        , report_("fft", device_.info())
        , copy_(device_) {
        if (options_.lengths.empty() && options_.sizes.empty()) {
            const bool isCpu = device_.info().isCpu;
            options_.lengths = isCpu ? std::vector<std::uint32_t>{64, 256}
                                     : std::vector<std::uint32_t>{256, 1024, 1280, 2048, 4096, 8192, 16384};
            options_.sizes = isCpu ? std::vector<glm::uvec2>{{96, 54}}
                                   : std::vector<glm::uvec2>{{1024, 1024}, {1920, 1080}, {3840, 2160}, {4096, 4096}};
        }
    }

    void run() {
        for (const bool real : {false, true}) {
            if (!options_.lengths.empty()) {
                report_.beginTable(
                    fmt::format("forward {} transforms of many lines, out of place", real ? "real" : "complex"));
            }
            for (const std::uint32_t length : options_.lengths) {
                bench({.width = length, .real = real});
            }
        }
        if (!options_.sizes.empty()) {
            report_.beginTable("forward transforms of images, out of place");
        }
        for (const glm::uvec2 size : options_.sizes) {
            for (const bool real : {false, true}) {
                bench({.width = size.x, .height = size.y, .real = real, .half = options_.half});
            }
        }
        report_.write(options_.common);
    }

private:
    /// The images or lines to transform. Throws Error (Usage) where those asked for are too many.
    std::uint32_t countOf(const FftTask& task) const {
        const std::uint64_t usual = std::uint64_t{device_.info().isCpu ? 1U << 16 : 1U << 22} * (task.real ? 2 : 1);
        const std::uint64_t most = std::max<std::uint64_t>(kMostValues / task.values(), 1);
        if (options_.batch > most) {
            fail(ExitCode::Usage, "--batch: found {}, expected at most {} of {} values", options_.batch, most,
                 task.values());
        }
        return options_.batch > 0
                   ? options_.batch
                   : static_cast<std::uint32_t>(std::clamp<std::uint64_t>(usual / task.values(), 1, most));
    }

    /// A row for each order of the frequencies.
    void bench(FftTask task) {
        if (task.real && task.width % 2 != 0) {
            report_.note(fmt::format("{}: real lines have even lengths", task.width));
            return;
        }
        task.count = countOf(task);
        if (!fitsDevice(device_.info(), 2 * task.bytes(), task.bytes())) {
            report_.note(fmt::format("{}: skipped, {} of them do not fit the device", task.name(), task.count));
            return;
        }
        const double copyRate = copy_.chainedRate(device_, options_.common.repeats, (task.bytes() + 15) / 16 * 16);
        for (const bool natural : {true, false}) {
            task.natural = natural;
            const std::optional<FftWork> made = workIfPossible(task);
            if (!made) {
                return;
            }
            const FftWork& work = *made;
            const bool isImage = task.height > 1;
            const double time = measure(task, work);
            const double passes = !isImage ? 2.0 : task.half ? 3.0 : 4.0; // over the values, in fp32
            const double moved = passes * static_cast<double>(task.bytes());
            BenchRow row = {{"", task.name()}};
            row[isImage ? "width" : "length"] = task.width;
            if (isImage) {
                row["height"] = task.height;
            }
            row["radices"] = radicesText(work.rows) + (isImage ? " " + radicesText(work.columns) : "");
            row["elements"] = work.rows.elements;
            row["shuffles"] = std::popcount(work.rows.shuffled) + std::popcount(work.columns.shuffled);
            row["batch"] = task.count;
            row["us"] = time;
            row["GB/s"] = moved / time / 1e3;
            row["of copy"] = moved / time / copyRate;
            report_.add(row);
        }
    }

    /// None, with a note, where the length cannot have as many values an invocation as are asked for.
    std::optional<FftWork> workIfPossible(const FftTask& task) {
        try {
            return makeWork(device_, task, options_);
        } catch (const Error& error) {
            if (options_.elements == 0 || error.code() != ExitCode::NoDevice) {
                throw;
            }
            report_.note(fmt::format("{}: {}", task.name(), error.what()));
            return std::nullopt;
        }
    }

    double measure(const FftTask& task, const FftWork& work) const {
        const std::uint32_t parts = task.real ? 1 : 2;
        std::vector<float> values(task.values() * task.count * parts);
        for (std::uint32_t image = 0; image < task.count; ++image) {
            values[(image * task.values() + task.impulse(image)) * parts] = 1.0F;
        }
        const gpu::Buffer source = device_.createBufferWith(std::span<const float>(values), "bench values");
        const gpu::Buffer target = device_.createBuffer(source.size(), gpu::MemoryKind::Device, "bench frequencies");
        const double time = chainedMicroseconds(device_, options_.common.repeats, [&](gpu::CommandEncoder& commands) {
            work.record(commands, target.address(), source.address());
            commands.dispatchBarrier();
        });
        check(task, work, target);
        return time;
    }

    /// The frequency (u, v) of an image of the input.
    static std::complex<double> wave(const FftTask& task, std::uint32_t image, std::uint64_t u, std::uint64_t v) {
        const std::uint64_t x = task.impulse(image) % task.width;
        const std::uint64_t y = task.impulse(image) / task.width;
        const double turns = static_cast<double>(u * x % task.width) / task.width +
                             static_cast<double>(v * y % task.height) / task.height;
        return std::polar(1.0, -2.0 * std::numbers::pi * turns);
    }

    /// Checks some values of some images, so that no wrong transform passes for a fast one.
    void check(const FftTask& task, const FftWork& work, const gpu::Buffer& target) const {
        constexpr std::uint32_t kSamples = 64;
        const double tolerance = task.half ? 2e-3 : 1e-5; // all values are of magnitude one or two
        for (std::uint32_t i = 0; i < kSamples; ++i) {
            // The first image and the last, and others between them; the first column too.
            const auto image = static_cast<std::uint32_t>(std::uint64_t{task.count - 1} * i / (kSamples - 1));
            const std::uint32_t place = i % 8 == 0 ? 0 : (i * 2654435761U + 5U) % task.columns();
            const std::uint32_t row = (i * 2246822519U + 3U) % task.height;
            const std::uint32_t u = task.natural ? place : shared::fftFrequency(work.rows.radices, task.width, place);
            const std::uint32_t v =
                task.natural || task.height == 1 ? row : shared::fftFrequency(work.columns.radices, task.height, row);
            // The first column of real images packs Nyquist with DC.
            const std::complex<double> expected =
                wave(task, image, u, v) + (task.real && u == 0
                                               ? std::complex<double>(0, 1) * wave(task, image, task.width / 2, v)
                                               : std::complex<double>(0));
            const std::uint64_t index = (std::uint64_t{image} * task.height + row) * task.columns() + place;
            Complex value;
            device_.download(target, index * sizeof(Complex), std::as_writable_bytes(std::span(&value, 1)));
            // Written so that NaN fails.
            if (!(std::abs(std::complex<double>(value) - expected) <= tolerance)) {
                fail(ExitCode::Internal, "bench fft: {}, number {}, frequency ({}, {}): ({}, {}), expected ({}, {})",
                     task.name(), image, u, v, value.real(), value.imag(), expected.real(), expected.imag());
            }
        }
    }

    gpu::Device device_;
    FftBenchOptions options_;
    BenchReport report_;
    CopyKernel copy_;
};

void checkLength(const std::string& option, std::uint32_t length) {
    if (!fft::isSupported(length)) {
        fail(ExitCode::Usage, "{}: found {}, expected lengths from 2 to {} without a prime factor above 7{}", option,
             length, fft::kMaximumLength,
             length > fft::kMaximumLength ? "" : fmt::format(", such as {}", fft::cheapestLength(length, false)));
    }
}

std::vector<std::uint32_t> parseLengths(const std::string& option, const std::string& text) {
    std::vector<std::uint32_t> lengths = parseCounts(option, text, 2, fft::kMaximumLength);
    for (const std::uint32_t length : lengths) {
        checkLength(option, length);
    }
    return lengths;
}

std::vector<glm::uvec2> parseSizes(const std::string& option, const std::string& text) {
    std::vector<glm::uvec2> sizes;
    for (const std::string& part : splitList(text)) {
        sizes.push_back(parseSize(option, part));
        checkLength(option, sizes.back().x);
        checkLength(option, sizes.back().y);
    }
    return sizes;
}

ExitCode runFftBench(const FftBenchOptions& options) {
    if (options.half && options.sizes.empty() && !options.lengths.empty()) {
        fail(ExitCode::Usage, "--half: found it with --lengths alone, expected --sizes: lines have one axis");
    }
    FftBench(openBenchDevice(options.common), options).run();
    return ExitCode::Done;
}

} // namespace

void addBenchFft(CLI::App& bench, cli::Invocation& invocation) {
    CLI::App* command = cli::addCommand(bench, "fft", "Batches of Fourier transforms, of lines and of images");
    const auto options = std::make_shared<FftBenchOptions>();
    cli::addValue(*command, "--lengths", "N,N,..",
                  "Lengths from 2 to 16384 without a prime factor above 7\n(default: 256 to 16384 on a GPU)",
                  [options](const std::string& text) { options->lengths = parseLengths("--lengths", text); });
    cli::addValue(*command, "--sizes", "WxH,..",
                  "Images of such widths and heights (default: 1024x1024 to\n4096x4096 on a GPU)",
                  [options](const std::string& text) { options->sizes = parseSizes("--sizes", text); });
    cli::addValue(*command, "--batch", "N",
                  "Lines or images to transform at once (default: as many as\nmove 64 MiB on a GPU)",
                  [options](const std::string& text) { options->batch = parseCount("--batch", text, 1); });
    addExchange(*command, options->exchange);
    cli::addFlag(*command, "--half", options->half,
                 "Keep fp16, with a scale for each line, between the axes of images");
    cli::addNameChoice(
        *command, "--elements",
        "Values that an invocation holds, 8, 16 or 24; by default the cheapest for\neach length", {"8", "16", "24"},
        [options](const std::string& text) { options->elements = parseCount("--elements", text, 8, 24); });
    addBenchOptions(*command, options->common, invocation);
    cli::setFooter(*command,
                   "GB/s counts each value read and written, by both passes where images are transformed; 'of copy'\n"
                   "holds it against plain copies of as many bytes. Real lines and images are transformed to half a\n"
                   "spectrum. Frequencies are stored in natural order, or in that in which they are computed\n"
                   "('slot'), which convolutions make do with. 'shuffles' counts the exchanges between stages that\n"
                   "shuffles make. Of --lengths and --sizes, one alone leaves the others out.\n\n"
                   "Examples:\n"
                   "  aureole bench fft --json fft.json\n"
                   "  aureole bench fft --lengths 1024,1280 --batch 5000\n"
                   "  aureole bench fft --sizes 1920x1080 --half\n"
                   "  aureole bench fft --lengths 4096 --elements 8\n"
                   "  aureole bench fft --allow-cpu --lengths 64");
    cli::onParsed(*command, [options, &invocation] { invocation.run = [options] { return runFftBench(*options); }; });
}

} // namespace aureole::bench
