#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace aureole::cli {

/// Each adds one benchmark to 'aureole bench'. `invocation` outlives the parsing.
void addBenchScan(CLI::App& bench, Invocation& invocation);

} // namespace aureole::cli
