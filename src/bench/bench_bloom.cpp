#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/bench_commands.h"
#include "bench/bench_measure.h"
#include "bench/bench_report.h"
#include "bench/bloom_approximations.h"
#include "bench/bloom_lights.h"
#include "bench/bloom_peers.h"
#include "bench/bloom_pictures.h"
#include "bloom/filter.h"
#include "cli/options/arguments.h"
#include "cli/options/bloom_mode_options.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "fft/specialization.h"

namespace aureole::bench {

namespace {

struct BloomBenchOptions {
    BenchOptions common;
    std::optional<glm::uvec2> size;
    std::uint32_t kernelSize = 0; ///< 0: the default rows
    ConvolutionWishes wishes;
    PeerChoice against;            ///< of bloomPeerNames
    std::vector<std::size_t> near; ///< of approximationNames
    cli::ModeOptions mode;
    bool symmetric = false;
};

/// Random texels, other ones in each plane; mirrored about the centre where the task says so. With `fading`, they fade
/// away from it as glare does: copies of bright tails would hide what else is wrong with a resampled spectrum.
BloomKernel makeKernel(const BloomTask& task, bool fading) {
    std::mt19937 random(task.kernelSize);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    BloomKernel kernel{task.kernelSize, task.kernelSize, {}};
    for (std::vector<float>& plane : kernel.planes) {
        plane.resize(std::size_t{task.kernelSize} * task.kernelSize);
        std::generate(plane.begin(), plane.end(), [&] { return uniform(random); });
        const std::uint32_t centre = task.kernelSize / 2;
        for (std::size_t i = 0; fading && i < plane.size(); ++i) {
            const std::size_t row = i / task.kernelSize;
            const double distance =
                std::hypot(static_cast<double>(i % task.kernelSize) - centre, static_cast<double>(row) - centre);
            plane[i] = static_cast<float>(plane[i] / std::pow(1.0 + 16.0 * distance / task.kernelSize, 3.0));
        }
        if (task.symmetric) {
            std::copy_n(plane.begin(), plane.size() / 2, plane.rbegin());
        }
    }
    return kernel;
}

/// Three planes on the device, one after the other.
class Film {
public:
    Film(const gpu::Device& device, const BloomTask& task, const std::string& name)
        : width_(task.width)
        , planeBytes_(sizeof(float) * std::uint64_t{task.width} * task.height)
        , buffer_(device.createBuffer(kBloomColours * planeBytes_, gpu::MemoryKind::Device, name)) {
        gpu::CommandEncoder commands = device.encoder();
        commands.fill(buffer_, 0, buffer_.size(), 0);
        device.submit(std::move(commands)).wait();
    }

    DevicePlanes planes() const {
        const std::uint64_t first = buffer_.address();
        return {{first, first + planeBytes_, first + 2 * planeBytes_}, width_};
    }
    void set(const gpu::Device& device, std::size_t colour, glm::uvec2 pixel, float value) const {
        device.upload(buffer_, offset(colour, pixel), std::as_bytes(std::span(&value, 1)));
    }
    float get(const gpu::Device& device, std::size_t colour, glm::uvec2 pixel) const {
        float value = 0.0F;
        device.download(buffer_, offset(colour, pixel), std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }

private:
    std::uint64_t offset(std::size_t colour, glm::uvec2 pixel) const {
        return colour * planeBytes_ + sizeof(float) * (std::uint64_t{pixel.y} * width_ + pixel.x);
    }

    std::uint32_t width_;
    std::uint64_t planeBytes_;
    gpu::Buffer buffer_;
};

void draw(const gpu::Device& device, const Film& film, const TwoLights& lights) {
    for (const TwoLights::Light& light : lights.lights()) {
        for (std::size_t colour = 0; colour < kBloomColours; ++colour) {
            film.set(device, colour, light.pixel, light.value);
        }
    }
}

class BloomBench {
public:
    BloomBench(gpu::Device device, BloomBenchOptions options)
        : device_(std::move(device))
        , options_(std::move(options))
        , report_("bloom", device_.info())
        , copy_(device_) {}

    void run() {
        const std::vector<BloomTask> tasks = listTasks();
        std::vector<ConvolutionShape> shapes;
        report_.beginTable("shapes");
        for (const BloomTask& task : tasks) {
            shapes.push_back(shapeOf(task));
            report_.add(shapeRow(task, shapes.back()));
        }
        report_.beginTable("from film to output");
        if (!options_.against.peers.empty()) {
            peers_.emplace(device_.info(), options_.against, options_.common.repeats, report_);
        }
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            benchTask(tasks[i], shapes[i]);
        }
        if (peers_) {
            peers_->addTable(report_);
        }
        std::vector<PicturePair> pictures;
        if (options_.common.pictures) {
            pictures.push_back(bloomPictures(device_, options_.mode));
        }
        if (!options_.near.empty()) {
            const std::vector<PicturePair> near = benchApproximations(tasks);
            pictures.insert(pictures.end(), near.begin(), near.end());
        }
        report_.write(options_.common, pictures);
    }

private:
    std::vector<BloomTask> listTasks() const {
        std::vector<BloomTask> tasks;
        if (options_.size) {
            tasks = {{options_.size->x, options_.size->y, options_.kernelSize}};
        } else if (device_.info().isCpu) {
            tasks = {{64, 48, 17}};
        } else {
            tasks = {{1280, 720, 256},  {1280, 720, 512},   {1920, 1080, 256}, {1920, 1080, 512},
                     {3840, 2160, 512}, {3840, 2160, 1024}, {7680, 4320, 1024}};
        }
        if (!options_.symmetric) {
            return tasks;
        }
        std::vector<BloomTask> both;
        for (BloomTask task : tasks) {
            both.push_back(task);
            // Only odd sizes have a texel in the middle; the reach stays, and so do the periods.
            task.kernelSize |= 1U;
            task.symmetric = true;
            both.push_back(task);
        }
        return both;
    }

    /// Throws Error (Usage) where a period that was asked for is too short.
    ConvolutionShape shapeOf(const BloomTask& task) const {
        const bool whole = options_.mode.resampled();
        const KernelWindow all = wholeWindow(task.kernelSize);
        const KernelWindow columns = whole ? all : usedWindow(task.width, task.kernelSize);
        const KernelWindow rows = whole ? all : usedWindow(task.height, task.kernelSize);
        ConvolutionShape shape = shapeConvolution(task.width, task.height, columns, rows,
                                                  fft::limitsOf(device_, options_.wishes.exchange), options_.wishes);
        const std::uint32_t alongRows = leastPeriod(task.width, columns);
        const std::uint32_t alongColumns = leastPeriod(task.height, rows);
        const auto expect = [&](const char* option, std::uint32_t period, bool isColumns) {
            const std::uint32_t least = isColumns ? alongColumns : alongRows;
            if (period < least) {
                fail(ExitCode::Usage, "{}: found {}, expected at least {} along the {} of {}", option, period, least,
                     isColumns ? "columns" : "rows", task.name());
            }
        };
        expect("--first-period", shape.first.length, shape.columnsFirst);
        expect("--second-period", shape.second.length, !shape.columnsFirst);
        return shape;
    }

    static BenchRow shapeRow(const BloomTask& task, const ConvolutionShape& shape) {
        return {{"", task.name()},
                {"first axis", shape.columnsFirst ? "columns" : "rows"},
                {"1st period", shape.first.length},
                {"1st radices", radicesText(shape.first)},
                {"pairs", shape.first.lines},
                {"2nd period", shape.second.length},
                {"2nd radices", radicesText(shape.second)},
                {"bins", shape.second.lines}};
    }

    BloomFilter makeFilter(const BloomTask& task, const ConvolutionShape& shape, const BloomKernel& kernel) const {
        ConvolutionWishes wishes = options_.wishes;
        wishes.columnsFirst = shape.columnsFirst;
        if (!options_.mode.resampled()) {
            return {device_, task.width, task.height, kernel, wishes};
        }
        const KernelSpectrumOptions options{options_.mode.chosenFilter(), 0.0, shape.columnsFirst};
        return {device_, task.width, task.height, std::make_shared<const KernelSpectrum>(device_, kernel, options),
                wishes};
    }

    /// What the kernel's spectrum allows, of the brightest pixel.
    double tolerance() const {
        if (!options_.mode.resampled()) {
            return 1e-5;
        }
        return options_.mode.chosenFilter() == BloomResampling::Kaiser ? 3e-5 : 3e-2;
    }

    void benchTask(const BloomTask& task, const ConvolutionShape& shape) {
        const std::uint64_t most = convolutionBytes(shape, exactKernelBytes(shape, false));
        // The copy's buffers, and the filter's beside them; the bytes count the spectrum four times.
        if (!fitsDevice(device_.info(), 2 * most, most / 3)) {
            report_.note(fmt::format("{}: skipped, {} bytes do not fit the device", task.name(), 2 * most));
            return;
        }
        const BloomKernel kernel = makeKernel(task, options_.mode.resampled());
        const BloomFilter filter = makeFilter(task, shape, kernel);
        if (task.symmetric && !filter.realKernel()) {
            fail(ExitCode::Internal, "bench bloom: {}: the kernel's spectrum is not real", task.name());
        }
        const std::uint64_t bytes = convolutionBytes(shape, filter.kernelBytes());
        const std::uint64_t copied = std::min(bytes / 2, device_.info().maxAllocationBytes) / 16 * 16;
        const double copyRate = copy_.chainedRate(device_, options_.common.repeats, copied);
        const double floor = static_cast<double>(bytes) / copyRate;

        const Film film(device_, task, "bench film");
        const Film output(device_, task, "bench output");
        const TwoLights lights(task);
        draw(device_, film, lights);
        const auto record = [&](gpu::CommandEncoder& commands) {
            filter.execute(commands, output.planes(), film.planes());
        };
        const double whole = chainedMicroseconds(device_, options_.common.repeats, record);
        const auto passes = medianPasses(device_, options_.common.repeats, record);
        const double error = lights.check(task.name(), kernel, tolerance(), [&](std::size_t colour, glm::uvec2 pixel) {
            return double{output.get(device_, colour, pixel)};
        });
        if (peers_) {
            peers_->measure(task, kernel, whole, error, tolerance());
        }
        report_.add({{"", task.name()},
                     {"whole us", whole},
                     {"first us", passes.at("bloom.first")},
                     {"second us", passes.at("bloom.second")},
                     {"third us", passes.at("bloom.third")},
                     {"MB", static_cast<double>(bytes) / 1e6},
                     {"copy GB/s", copyRate / 1e3},
                     {"floor us", floor},
                     {"of floor", whole / floor}});
    }

    /// Adds their table, and returns pictures of them where there are to be any.
    std::vector<PicturePair> benchApproximations(const std::vector<BloomTask>& tasks) {
        BloomApproximations near(device_, options_.near, options_.common.repeats, options_.common.pictures);
        for (const BloomTask& task : tasks) {
            if (!task.symmetric) {
                near.measure(task);
            }
        }
        near.addTable(report_);
        return near.pictures();
    }

    gpu::Device device_;
    BloomBenchOptions options_;
    BenchReport report_;
    CopyKernel copy_;
    std::optional<BloomPeers> peers_;
};

std::uint32_t parsePeriod(const std::string& option, const std::string& text, bool even) {
    const std::uint32_t period = parseCount(option, text, 4, fft::kMaximumLength);
    if (!fft::isSupported(period) || (even && period % 2 != 0)) {
        fail(ExitCode::Usage, "{}: found {}, expected {} without a prime factor above 7, such as {}", option, period,
             even ? "an even length" : "a length", fft::cheapestLength(period, even));
    }
    return period;
}

std::uint32_t parseLineCount(const std::string& option, const std::string& text) {
    const std::uint32_t lines = parseCount(option, text, 1, 64);
    if ((lines & (lines - 1)) != 0) {
        fail(ExitCode::Usage, "{}: found {}, expected a power of two", option, lines);
    }
    return lines;
}

std::vector<std::string> allPeerNames() {
    std::vector<std::string> names = bloomPeerNames();
    names.insert(names.end(), approximationNames().begin(), approximationNames().end());
    return names;
}

void choosePeers(BloomBenchOptions& options, const std::string& text) {
    const std::size_t here = bloomPeerNames().size();
    const PeerChoice choice = parsePeers(text, allPeerNames());
    options.against.all = choice.all;
    for (const std::size_t peer : choice.peers) {
        if (peer < here) {
            options.against.peers.push_back(peer);
        } else {
            options.near.push_back(peer - here);
        }
    }
}

ExitCode runBloomBench(const BloomBenchOptions& options) {
    cli::checkModeOptions(options.mode);
    if (options.size.has_value() != (options.kernelSize > 0)) {
        fail(ExitCode::Usage, "--size and --kernel-size replace the default rows together; found only {}",
             options.size ? "--size" : "--kernel-size");
    }
    BloomBench(openBenchDevice(options.common), options).run();
    return ExitCode::Done;
}

void addTuning(CLI::App& command, ConvolutionWishes& wishes) {
    cli::addChoice(command, "--axis", "rows|columns", "Tuning: the axis transformed first", {"rows", "columns"},
                   [&](std::size_t index) { wishes.columnsFirst = index == 1; });
    cli::addValue(command, "--first-period", "N", "Tuning: the period along the first axis",
                  [&](const std::string& text) { wishes.firstPeriod = parsePeriod("--first-period", text, false); });
    cli::addValue(command, "--second-period", "N", "Tuning: the period along the second axis, an even one",
                  [&](const std::string& text) { wishes.secondPeriod = parsePeriod("--second-period", text, true); });
    cli::addValue(command, "--pairs", "N",
                  "Tuning: pairs of lines of a workgroup of the first and third pass,\n1 to 64, as far as they fit",
                  [&](const std::string& text) { wishes.firstLines = parseLineCount("--pairs", text); });
    cli::addValue(command, "--bins", "N", "Tuning: bins of a workgroup of the second pass, 1 to 64, as far as they fit",
                  [&](const std::string& text) { wishes.secondLines = parseLineCount("--bins", text); });
    addExchange(command, wishes.exchange);
}

} // namespace

void addBenchBloom(CLI::App& bench, cli::Invocation& invocation) {
    CLI::App* command = cli::addCommand(bench, "bloom", "The bloom from film to output, and each of its passes");
    const auto options = std::make_shared<BloomBenchOptions>();
    cli::addValue(*command, "--size", "WxH", "Image size; with --kernel-size, instead of the default rows",
                  [options](const std::string& text) { options->size = parseSize("--size", text); });
    cli::addValue(
        *command, "--kernel-size", "N", "Kernel width and height in texels",
        [options](const std::string& text) { options->kernelSize = parseCount("--kernel-size", text, 1, 16384); });
    cli::addFlag(*command, "--symmetric", options->symmetric,
                 "Also a kernel that is symmetric about its centre, of the next odd size");
    cli::addModeOptions(*command, options->mode);
    CLI::Option* against = cli::addValue(
        *command, "--against", "LIST",
        "Of fftw, cufft, vkfft: peers that convolve the same planes, each a program that\na compiler of this machine "
        "makes first; of boxes, pyramid: peers that come near;\nor all: those that this machine has (default: none)",
        [options](const std::string& text) { choosePeers(*options, text); });
    cli::setHint(*command, against, {.names = withAll(allPeerNames()), .list = true});
    addTuning(*command, options->wishes);
    addBenchOptions(*command, options->common, invocation);
    addPictures(*command, options->common);
    cli::setFooter(
        *command, "'whole' is the time of one run in a chain; the passes are timed apart, with timestamps between\n"
                  "them, and add up to more. 'MB' is what the passes must read and write; the floor is the time of\n"
                  "a plain copy that moves as much.\n"
                  "Peers of --against: 'cufft' and 'vkfft' on the same GPU, by nvcc; 'fftw' on all cores of the host.\n"
                  "'core us' leaves out padding and cropping; errors are shares of the brightest pixel's.\n"
                  "'boxes' and 'pyramid' are sums of blurs fitted to a Gaussian, to the default kernel and to a star,\n"
                  "and their errors those of lights at night against the convolution, in the mean square.\n\n"
                  "Examples:\n"
                  "  aureole bench bloom --symmetric --json bloom.json --pictures\n"
                  "  aureole bench bloom --against fftw,boxes,pyramid --json bloom.json\n"
                  "  aureole bench bloom --mode resampled\n"
                  "  aureole bench bloom --size 1920x1080 --kernel-size 256 --axis columns --pairs 8\n"
                  "  aureole bench bloom --allow-cpu --size 64x48 --kernel-size 17");
    cli::onParsed(*command, [options, &invocation] { invocation.run = [options] { return runBloomBench(*options); }; });
}

} // namespace aureole::bench
