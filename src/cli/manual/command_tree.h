#pragma once

// The commands of the program and their options as plain values, read back from CLI11: what the manual pages and the
// completion of shells are made from, so that they say what --help says.

#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"
#include "cli/options/value_hint.h"

namespace aureole::cli {

/// An option, or an argument that has its place instead of a name.
struct OptionInfo {
    std::vector<std::string> names; ///< with their dashes, the short one first; of an argument none
    std::string value;              ///< what stands for its value; of a flag empty, of an argument its name
    std::string help;
    std::string group;
    bool required = false;
    bool repeated = false; ///< may be given many times
    ValueHint hint;

    bool isFlag() const { return value.empty(); }
};

struct CommandInfo {
    std::string path; ///< "aureole bench fft"
    std::string name; ///< "fft"
    std::string summary;
    std::vector<OptionInfo> options;
    std::vector<OptionInfo> arguments;
    std::vector<CommandInfo> commands;
    std::vector<std::string> notes;    ///< paragraphs below the options
    std::vector<std::string> examples; ///< command lines
    std::string exitCodes;             ///< of the program only
};

/// The whole tree below `app`, without what its help hides.
CommandInfo describeCommands(CLI::App& app);

/// The command and all below it, parents first.
std::vector<const CommandInfo*> flattened(const CommandInfo& command);

/// A help text on one line, as the width of the terminal no longer matters.
std::string oneLine(const std::string& text);

/// A help text for a menu of completions: whole where it is short, else up to the end of a sentence or clause.
std::string inShort(const std::string& help);

/// A text for a shell, in single quotes. Quotes within are `'\''`.
std::string quoteForShell(const std::string& text);

} // namespace aureole::cli
