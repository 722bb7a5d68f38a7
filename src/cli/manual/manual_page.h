#pragma once

#include <string>

#include "cli/manual/command_tree.h"

namespace aureole::cli {

/// What all pages have in common.
struct ManualSource {
    std::string version; ///< "aureole 0.1.0"
    std::string date;    ///< "2026-11-21"
    std::string exitCodes;
};

/// The name of a command's manual page: "aureole-bench-fft".
std::string manualName(const CommandInfo& command);

/// A manual page of section 1 in roff, of the macros of man(7). `parent` is the command above it, if any. `text` is
/// what the page tells beyond the help, in Markdown; it may be empty.
std::string manualPage(const CommandInfo& command, const CommandInfo* parent, const ManualSource& source,
                       const std::string& text);

} // namespace aureole::cli
