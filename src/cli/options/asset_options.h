#pragma once

#include "cli/options/cli11_forward.h"
#include "sandbox/settings.h"

namespace aureole::cli {

/// Adds the options of how files from strangers are read to every command that reads some. `settings` gets what they
/// say, or the defaults; it outlives the parsing. To be called when all commands are there.
void addAssetOptions(CLI::App& app, sandbox::Settings& settings);

} // namespace aureole::cli
