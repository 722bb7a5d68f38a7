#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"
#include "core/error.h"
#include "sandbox/settings.h"

namespace aureole::cli {

/// What the user asked for. A subcommand's parsing leaves its work in `run`; main calls it once all is parsed.
struct Invocation {
    std::vector<std::string> arguments; ///< of the process, its name the first
    std::string commandLine;            ///< as typed, quoted for a shell
    sandbox::Settings assets;           ///< how files from strangers are read
    std::function<ExitCode()> run;
};

/// A command and what the help says of it in short.
struct CommandName {
    const char* name;
    const char* summary;
};
/// The commands that aureole lists and aureole-bench runs.
inline constexpr CommandName kBenchCommand{
    "bench", "Measure scans, transforms, bloom, textures, ray traversal and rendering on the device"};
inline constexpr CommandName kCompletionCommand{"completion",
                                                "Print a script that lets a shell complete command lines"};
inline constexpr CommandName kManualCommand{"manual",
                                            "Write the manual pages and the schema of statistics, for the build"};

/// Adds a subcommand to the app. `invocation` outlives the app.
using AddCommand = void (*)(CLI::App& app, Invocation& invocation);

/// What runs the program with these arguments, as Invocation::commandLine has it.
std::string joinCommandLine(const std::vector<std::string>& words);

void addRenderCommand(CLI::App& app, Invocation& invocation);
void addVoxelizeCommand(CLI::App& app, Invocation& invocation);
void addExportCommand(CLI::App& app, Invocation& invocation);
void addDenoiseCommand(CLI::App& app, Invocation& invocation);
void addBloomCommand(CLI::App& app, Invocation& invocation);
void addFinishCommand(CLI::App& app, Invocation& invocation);
void addTextureCommand(CLI::App& app, Invocation& invocation);
void addMergeCommand(CLI::App& app, Invocation& invocation);
void addCompareCommand(CLI::App& app, Invocation& invocation);
void addConvertCommand(CLI::App& app, Invocation& invocation);
void addInfoCommand(CLI::App& app, Invocation& invocation);
void addValidateCommand(CLI::App& app, Invocation& invocation);
void addDevicesCommand(CLI::App& app, Invocation& invocation);
void addCompletionCommand(CLI::App& app, Invocation& invocation);
/// Hidden: the build runs it.
void addManualCommand(CLI::App& app, Invocation& invocation);

/// The commands that both programs have, in the order of the help. Others follow: those of aureole are stand-ins
/// (start_bench.h) for those of aureole-bench, which has the benchmarks.
std::vector<AddCommand> productCommands();

/// Parses the command line and runs its subcommand, one of those given. Throws Error; wrong usage is (Usage).
ExitCode runCommandLine(int argc, const char* const* argv, std::span<const AddCommand> commands);

} // namespace aureole::cli
