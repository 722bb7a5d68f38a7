#pragma once

// Scripts that let shells complete commands, options, their choices and files, all from the tree of commands.

#include <string>

#include "cli/manual/command_tree.h"

namespace aureole::cli {

/// For bash 4.4 or newer; needs nothing of the package bash-completion.
std::string bashCompletion(const CommandInfo& program);

/// The script for zsh's compinit: a file _aureole on its fpath, or sourced after it.
std::string zshCompletion(const CommandInfo& program);

/// The script for fish 3.2 or newer.
std::string fishCompletion(const CommandInfo& program);

} // namespace aureole::cli
