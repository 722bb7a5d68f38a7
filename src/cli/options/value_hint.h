#pragma once

// What the value of an option may be, for the completion of shells, and whether it is a file that is written: CLI11
// keeps only a word for the help.

#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"

namespace aureole::cli {

/// What completes a value. Empty: nothing is known to complete it.
struct ValueHint {
    std::vector<std::string> names{};      ///< words that it may be
    bool list = false;                     ///< many of the names, with commas between
    bool files = false;                    ///< the name of a file, beside the names
    bool written = false;                  ///< the command alone writes that file
    std::vector<std::string> extensions{}; ///< of the files, lower case, without the dot; empty: any
    std::string alone{};                   ///< the name that is meant where the option has no value

    bool empty() const { return names.empty() && !files; }
};

/// Gives the root of a tree of commands the place where hints are kept. To be called before commands are added.
void keepHints(CLI::App& root);

/// Keeps the hint for the values of an option of `command`, in whose tree keepHints was called.
void setHint(const CLI::App& command, const CLI::Option* option, ValueHint hint);

/// The hint that was kept; an empty one where there is none.
ValueHint hintOf(const CLI::App& command, const CLI::Option* option);

} // namespace aureole::cli
