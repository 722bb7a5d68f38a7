#include "cli/manual/manual_page.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/manual/manual_text.h"

namespace aureole::cli {

namespace {

/// A text to be filled.
std::string filled(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        words.push_back(escapedForRoff(text.substr(from, end - from)));
        from = end + 1;
    }
    return filledLines(words);
}

std::string bold(const std::string& text) {
    return "\\fB" + escapedForRoff(text) + "\\fR";
}

std::string italic(const std::string& text) {
    return "\\fI" + escapedForRoff(text) + "\\fR";
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

/// A summary as the line NAME has it: no capital, no full stop.
std::string asName(std::string summary) {
    if (summary.ends_with('.')) {
        summary.pop_back();
    }
    if (!summary.empty()) {
        summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
    }
    return summary;
}

std::string section(const std::string& name, const std::string& text) {
    return text.empty() ? "" : fmt::format(".SH {}\n{}", name, text);
}

std::string synopsis(const CommandInfo& command) {
    std::string text = bold(command.path) + " [" + italic("OPTIONS") + "]";
    for (const OptionInfo& argument : command.arguments) {
        const std::string name = italic(argument.value) + (argument.repeated ? "..." : "");
        text += argument.required ? " " + name : " [" + name + "]";
    }
    for (const OptionInfo& option : command.options) {
        if (option.required) {
            text += " " + bold(option.names.front()) + " " + italic(option.value);
        }
    }
    return text + (command.commands.empty() ? "" : " " + italic("COMMAND") + " ...") + "\n";
}

std::string entry(const std::string& term, const OptionInfo& option) {
    return fmt::format(".TP\n{}{}\n{}\n", term, option.required ? " (required)" : "", filled(oneLine(option.help)));
}

std::string arguments(const CommandInfo& command) {
    std::string text;
    for (const OptionInfo& argument : command.arguments) {
        text += entry(italic(argument.value), argument);
    }
    return text;
}

/// The options, group by group as --help has them.
std::string options(const CommandInfo& command) {
    std::vector<std::string> groups;
    for (const OptionInfo& option : command.options) {
        if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
            groups.push_back(option.group);
        }
    }
    std::string text;
    for (const std::string& group : groups) {
        text += groups.size() > 1 && group != groups.front() ? fmt::format(".SS {}\n", escapedForRoff(group)) : "";
        for (const OptionInfo& option : command.options) {
            if (option.group == group) {
                std::vector<std::string> names;
                std::transform(option.names.begin(), option.names.end(), std::back_inserter(names), bold);
                text += entry(
                    fmt::format("{}{}", fmt::join(names, ", "), option.isFlag() ? "" : " " + italic(option.value)),
                    option);
            }
        }
    }
    return text;
}

std::string commands(const CommandInfo& command) {
    std::string text;
    for (const CommandInfo& child : command.commands) {
        text += fmt::format(".TP\n{}(1)\n{}\n", bold(manualName(child)), filled(child.summary));
    }
    return text;
}

std::string notes(const CommandInfo& command) {
    std::vector<std::string> paragraphs;
    std::transform(command.notes.begin(), command.notes.end(), std::back_inserter(paragraphs), filled);
    return paragraphs.empty() ? "" : fmt::format("{}\n", fmt::join(paragraphs, "\n.PP\n"));
}

std::string examples(const CommandInfo& command) {
    std::string text;
    for (const std::string& example : command.examples) {
        text += escapedForRoff(example) + "\n";
    }
    return text.empty() ? "" : fmt::format(".nf\n{}.fi\n", text);
}

std::string seeAlso(const CommandInfo& command, const CommandInfo* parent) {
    std::vector<std::string> pages;
    if (parent != nullptr) {
        pages.push_back(bold(manualName(*parent)) + "(1)");
    }
    for (const CommandInfo& other : parent != nullptr ? parent->commands : command.commands) {
        if (other.path != command.path) {
            pages.push_back(bold(manualName(other)) + "(1)");
        }
    }
    return pages.empty() ? "" : fmt::format("{}\n", fmt::join(pages, ",\n"));
}

} // namespace

std::string manualName(const CommandInfo& command) {
    std::string name = command.path;
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string manualPage(const CommandInfo& command, const CommandInfo* parent, const ManualSource& source,
                       const std::string& text) {
    const std::string name = manualName(command);
    std::string page =
        fmt::format(".\\\" Made by 'aureole manual' from what --help prints and from src/cli/manual/pages.\n"
                    ".TH {} 1 {} \"{}\" \"User Commands\"\n",
                    escapedForRoff(upper(name)), source.date, source.version);
    // Plain hyphens: the indexes of manual pages read this line.
    page += fmt::format(".SH NAME\n{} \\- {}\n", name, asName(command.summary));
    page += section("SYNOPSIS", synopsis(command));
    page += section("DESCRIPTION", filled(command.summary) + (command.summary.ends_with('.') ? "\n" : ".\n"));
    page += section("COMMANDS", commands(command));
    page += section("ARGUMENTS", arguments(command));
    page += section("OPTIONS", options(command));
    page += section("NOTES", notes(command));
    page += manualSections(text);
    page += section("EXIT STATUS", filled(source.exitCodes) + "\n");
    page += section("EXAMPLES", examples(command));
    page += section("SEE ALSO", seeAlso(command, parent));
    return page;
}

} // namespace aureole::cli
