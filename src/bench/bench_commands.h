#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/cli11_forward.h"
#include "core/math.h"
#include "fft/line_shape.h"
#include "gpu/device.h"
#include "session/output.h"

namespace aureole::bench {

/// What every benchmark can be told.
struct BenchOptions {
    gpu::DeviceRequest device;
    std::string jsonFile;  ///< empty: none
    bool pictures = false; ///< beside that file
    std::string commandLine;
    std::uint32_t repeats = 20;
};

/// Adds --repeats, --json, --device and --allow-cpu. `options` outlives the parsing.
void addBenchOptions(CLI::App& command, BenchOptions& options, const cli::Invocation& invocation);

/// Adds --pictures, of the benchmarks that have some to show. `options` outlives the parsing.
CLI::Option* addPictures(CLI::App& command, BenchOptions& options);

/// Adds the argument SCENE, and --size, where it is that of pictures. What gets the value outlives the parsing.
CLI::Option* addScene(CLI::App& command, std::string& file);
void addPictureSize(CLI::App& command, std::optional<glm::uvec2>& size);

/// Samples of a pixel: a power of two, so that parts of Sobol's sequence are even, from a batch of the path tracer to
/// 2^20. Throws Error (Usage).
std::uint32_t parseSampleCount(const std::string& option, const std::string& text);

/// Adds --exchange, of the benchmarks of transforms. `exchange` outlives the parsing.
void addExchange(CLI::App& command, fft::Exchange& exchange);

/// Opens the device, once the file of --json proved writable, of the kind that the option asks for, and none of those
/// that are read. Throws Error (Usage, CannotWrite) and what the device throws.
gpu::Device openBenchDevice(const BenchOptions& options, const std::vector<NamedFile>& read = {});

/// Adds 'aureole bench' and all its benchmarks.
void addBenchCommand(CLI::App& app, cli::Invocation& invocation);

/// Each adds one benchmark to 'aureole bench'. `invocation` outlives the parsing.
void addBenchScan(CLI::App& bench, cli::Invocation& invocation);
void addBenchFft(CLI::App& bench, cli::Invocation& invocation);
void addBenchBloom(CLI::App& bench, cli::Invocation& invocation);
void addBenchTexture(CLI::App& bench, cli::Invocation& invocation);
void addBenchTraverse(CLI::App& bench, cli::Invocation& invocation);
void addBenchRender(CLI::App& bench, cli::Invocation& invocation);
void addBenchDenoise(CLI::App& bench, cli::Invocation& invocation);

/// Adds what compares the reports of benchmarks.
void addBenchCompare(CLI::App& bench, cli::Invocation& invocation);

/// In the order of the help.
inline constexpr std::array kBenchmarks = {addBenchScan,     addBenchFft,    addBenchBloom,  addBenchTexture,
                                           addBenchTraverse, addBenchRender, addBenchDenoise};

} // namespace aureole::bench
