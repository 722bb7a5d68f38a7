#pragma once

#include "cli/commands.h"

namespace aureole::cli {

/// Adds the commands that another program runs, aureole-bench: the benchmarks, and what writes down the options of all
/// commands, theirs among them. That program takes the place of this one, with the same arguments, terminal and exit
/// code. Running one throws Error (Internal) where aureole-bench is missing or cannot be started.
void addBenchStarters(CLI::App& app, Invocation& invocation);

} // namespace aureole::cli
