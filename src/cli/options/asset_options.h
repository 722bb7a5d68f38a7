#pragma once

#include "cli/options/cli11_forward.h"
#include "sandbox/settings.h"

namespace aureole::cli {

/// Adds the options of how files from strangers are read to a command. `settings` gets what they say; it outlives the
/// parsing.
void addAssetOptionsTo(CLI::App& command, sandbox::Settings& settings);

/// Gives `settings` its defaults, and the options to every command of the product that reads such files. To be called
/// when all commands are there.
void addAssetOptions(CLI::App& app, sandbox::Settings& settings);

} // namespace aureole::cli
