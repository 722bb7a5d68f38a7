#pragma once

#include <span>

#include "cli/commands.h"

namespace aureole::cli {

/// What main does, of every program that has a command line: standard streams and signals are made ready, the commands
/// run, and errors are reported. Returns the exit code.
int runProgram(int argc, char** argv, std::span<const AddCommand> commands);

} // namespace aureole::cli
