#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/bench/bench_commands.h"
#include "cli/options/arguments.h"
#include "cli/options/device_options.h"
#include "core/file.h"

namespace aureole::cli {

void addBenchOptions(CLI::App& command, BenchOptions& options, const Invocation& invocation) {
    options.commandLine = invocation.commandLine;
    addValue(command, "--repeats", "N", fmt::format("Runs, of which the median counts (default {})", options.repeats),
             [&options](const std::string& text) { options.repeats = parseCount("--repeats", text, 1, 10000); });
    addFile(command, "--json", "FILE", "Write the tables as JSON", {"json"}, options.jsonFile);
    addFile(command, "--report", "FILE.html", "Write plots, tables and pictures as a page for browsers", {"html"},
            options.reportFile);
    addDeviceOptions(command, options.device);
}

void addExchange(CLI::App& command, fft::Exchange& exchange) {
    addChoice(
        command, "--exchange", "memory|shuffle",
        "Exchanges between stages through workgroup memory, or by shuffles\nwhere the stride allows (default: the "
        "device's best)",
        {"memory", "shuffle"},
        [&](std::size_t index) { exchange = index == 1 ? fft::Exchange::Shuffle : fft::Exchange::Memory; });
}

gpu::Device openBenchDevice(const BenchOptions& options, const std::vector<NamedFile>& written,
                            const std::vector<NamedFile>& read) {
    std::vector<NamedFile> outputs = {{"--json", options.jsonFile}, {"--report", options.reportFile}};
    checkExtension(outputs[0], ".json");
    checkExtension(outputs[1], ".html");
    outputs.insert(outputs.end(), written.begin(), written.end());
    for (const NamedFile& output : outputs) {
        if (!output.file.empty()) {
            checkWritable(output.file);
        }
    }
    checkApart(outputs, read);
    return gpu::Device::open(options.device);
}

void addBenchCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand(
        "bench", "Measure scans, transforms, bloom, textures, ray traversal and rendering on the device");
    command->require_subcommand(1);
    for (const auto add :
         {addBenchScan, addBenchFft, addBenchBloom, addBenchTexture, addBenchTraverse, addBenchRender}) {
        add(*command, invocation);
    }
    for (CLI::App* benchmark : command->get_subcommands(nullptr)) {
        benchmark->group("Benchmarks");
        benchmark->get_help_ptr()->description("Print this help and exit");
    }
    command->footer("Each benchmark has its own help: aureole bench scan --help\n\n"
                    "Examples:\n"
                    "  aureole bench scan --json scan.json\n"
                    "  aureole bench fft --report fft.html\n"
                    "  aureole bench bloom --symmetric\n"
                    "  aureole bench texture --sizes 4096\n"
                    "  aureole bench traverse --gyroid 256,1024 --plot traverse.svg\n"
                    "  aureole bench render scenes/cornell.json --report cornell.html");
}

} // namespace aureole::cli
