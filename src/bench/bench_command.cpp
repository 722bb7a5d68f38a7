#include <bit>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/bench_commands.h"
#include "cli/options/arguments.h"
#include "cli/options/device_options.h"
#include "core/error.h"
#include "core/file.h"
#include "render/path_tracer.h"

namespace aureole::bench {

void addBenchOptions(CLI::App& command, BenchOptions& options, const cli::Invocation& invocation) {
    options.commandLine = invocation.commandLine;
    cli::addValue(command, "--repeats", "N",
                  fmt::format("Runs, of which the median counts (default {})", options.repeats),
                  [&options](const std::string& text) { options.repeats = parseCount("--repeats", text, 1, 10000); });
    cli::addOutput(command, "--json", "FILE", "Write the tables as JSON", {"json"}, options.jsonFile);
    cli::addDeviceOptions(command, options.device);
}

CLI::Option* addPictures(CLI::App& command, BenchOptions& options) {
    return cli::addFlag(command, "--pictures", options.pictures,
                        "Write what a report shows of them as PNG files beside that of --json");
}

void addExchange(CLI::App& command, fft::Exchange& exchange) {
    cli::addChoice(
        command, "--exchange", "memory|shuffle",
        "Exchanges between stages through workgroup memory (default), or by shuffles\nwhere the stride allows",
        {"memory", "shuffle"},
        [&](std::size_t index) { exchange = index == 1 ? fft::Exchange::Shuffle : fft::Exchange::Memory; });
}

CLI::Option* addScene(CLI::App& command, std::string& file) {
    return cli::addFile(command, "SCENE", "", "Scene (.json), model (.glb, .obj...) or octree (.avo)",
                        cli::sceneExtensions(), file);
}

void addPictureSize(CLI::App& command, std::optional<glm::uvec2>& size) {
    cli::addValue(command, "--size", "WxH", "Size of the pictures (default: 640x360; on a software device, 64x36)",
                  [&size](const std::string& text) { size = parseSize("--size", text); });
}

std::uint32_t parseSampleCount(const std::string& option, const std::string& text) {
    constexpr std::uint32_t kMost = 1U << 20;
    const std::uint32_t samples = parseCount(option, text, PathTracer::kBatchSize, kMost);
    if (!std::has_single_bit(samples)) {
        fail(ExitCode::Usage, "{}: found {}, expected a power of two from {} to {}", option, samples,
             PathTracer::kBatchSize, kMost);
    }
    return samples;
}

gpu::Device openBenchDevice(const BenchOptions& options, const std::vector<NamedFile>& read) {
    const NamedFile json{"--json", options.jsonFile};
    checkExtension(json, ".json");
    if (options.pictures && json.file.empty()) {
        fail(ExitCode::Usage, "--pictures: found it without --json, beside whose file pictures are written");
    }
    if (!json.file.empty()) {
        checkWritable(json.file);
    }
    checkApart({json}, read);
    gpu::DeviceRequest request = options.device;
    request.kernelFigures = true;
    return gpu::Device::open(request);
}

void addBenchCommand(CLI::App& app, cli::Invocation& invocation) {
    CLI::App* command = cli::addCommand(app, cli::kBenchCommand.name, cli::kBenchCommand.summary);
    command->require_subcommand(1);
    for (const auto add : kBenchmarks) {
        add(*command, invocation);
    }
    for (CLI::App* benchmark : command->get_subcommands(nullptr)) {
        benchmark->group("Benchmarks");
    }
    addBenchCompare(*command, invocation);
    command->get_subcommand("compare")->group("Reports");
    for (CLI::App* benchmark : command->get_subcommands(nullptr)) {
        benchmark->get_help_ptr()->description("Print this help and exit");
    }
    cli::setFooter(*command,
                   "Each benchmark has its own help: aureole bench scan --help\n\n"
                   "tools/bench/report.py, which is installed in share/aureole as well, draws what --json writes as a\n"
                   "page for browsers: report.py scan.json -o scan.html; suite.sh beside it runs all benchmarks\n"
                   "beside the peers that the machine has, for one page.\n\n"
                   "Examples:\n"
                   "  aureole bench scan --json scan.json\n"
                   "  aureole bench render scenes/cornell.json --json cornell.json --pictures");
}

} // namespace aureole::bench
