#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/cli11_forward.h"
#include "fft/line_shape.h"
#include "gpu/device.h"
#include "session/output.h"

namespace aureole::cli {

/// What every benchmark can be told.
struct BenchOptions {
    gpu::DeviceRequest device;
    std::string jsonFile;   ///< empty: none
    std::string reportFile; ///< likewise
    std::string commandLine;
    std::uint32_t repeats = 20;
};

/// Adds --repeats, --json, --report, --device and --allow-cpu. `options` outlives the parsing.
void addBenchOptions(CLI::App& command, BenchOptions& options, const Invocation& invocation);

/// Adds --exchange, of the benchmarks of transforms. `exchange` outlives the parsing.
void addExchange(CLI::App& command, fft::Exchange& exchange);

/// Opens the device, once the files to write proved writable, of the kind that their options ask for, and none of those
/// that are read. A benchmark names the files that it alone has. Throws Error (Usage, CannotWrite) and what the device
/// throws.
gpu::Device openBenchDevice(const BenchOptions& options, const std::vector<NamedFile>& written = {},
                            const std::vector<NamedFile>& read = {});

/// Each adds one benchmark to 'aureole bench'. `invocation` outlives the parsing.
void addBenchScan(CLI::App& bench, Invocation& invocation);
void addBenchFft(CLI::App& bench, Invocation& invocation);
void addBenchBloom(CLI::App& bench, Invocation& invocation);
void addBenchTexture(CLI::App& bench, Invocation& invocation);
void addBenchTraverse(CLI::App& bench, Invocation& invocation);
void addBenchRender(CLI::App& bench, Invocation& invocation);

} // namespace aureole::cli
