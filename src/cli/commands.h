#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"
#include "core/error.h"
#include "sandbox/settings.h"

namespace aureole::cli {

/// What the user asked for. A subcommand's parsing leaves its work in `run`; main calls it once all is parsed.
struct Invocation {
    std::string commandLine;  ///< as typed, quoted for a shell
    sandbox::Settings assets; ///< how files from strangers are read
    std::function<ExitCode()> run;
};

/// What runs the program with these arguments, as Invocation::commandLine has it.
std::string joinCommandLine(const std::vector<std::string>& words);

/// Each adds one subcommand to the app. `invocation` outlives the app.
void addRenderCommand(CLI::App& app, Invocation& invocation);
void addVoxelizeCommand(CLI::App& app, Invocation& invocation);
void addExportCommand(CLI::App& app, Invocation& invocation);
void addBloomCommand(CLI::App& app, Invocation& invocation);
void addTextureCommand(CLI::App& app, Invocation& invocation);
void addMergeCommand(CLI::App& app, Invocation& invocation);
void addCompareCommand(CLI::App& app, Invocation& invocation);
void addConvertCommand(CLI::App& app, Invocation& invocation);
void addInfoCommand(CLI::App& app, Invocation& invocation);
void addValidateCommand(CLI::App& app, Invocation& invocation);
void addDevicesCommand(CLI::App& app, Invocation& invocation);
void addBenchCommand(CLI::App& app, Invocation& invocation);
void addCompletionCommand(CLI::App& app, Invocation& invocation);
/// Hidden: the build runs it.
void addManualCommand(CLI::App& app, Invocation& invocation);

/// Parses the command line and runs its subcommand. Throws Error; wrong usage is (Usage).
ExitCode runCommandLine(int argc, const char* const* argv);

} // namespace aureole::cli
