#include "cli/manual/command_tree.h"

#include <algorithm>
#include <cstddef>

#include <CLI/CLI.hpp>

namespace aureole::cli {

namespace {

constexpr const char* kExamples = "Examples:\n";
constexpr const char* kExitCodes = "Exit codes: ";

std::vector<std::string> split(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(separator, from), text.size());
        if (end > from) {
            parts.push_back(text.substr(from, end - from));
        }
        from = end + separator.size();
    }
    return parts;
}

OptionInfo describeOption(const CLI::App& command, const CLI::Option& option) {
    OptionInfo info;
    for (const std::string& name : option.get_snames()) {
        info.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        info.names.push_back("--" + name);
    }
    const bool takesValue = option.get_items_expected_max() > 0;
    info.value = option.get_positional() ? option.get_name(true) : takesValue ? option.get_type_name() : "";
    info.help = option.get_description();
    info.group = option.get_group();
    info.required = option.get_required();
    info.repeated = option.get_items_expected_max() > 1 ||
                    (takesValue && option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
    info.hint = hintOf(command, &option);
    return info;
}

/// The paragraphs of a footer: notes, then examples, then exit codes.
void describeFooter(const std::string& footer, CommandInfo& info) {
    for (const std::string& paragraph : split(footer, "\n\n")) {
        if (paragraph.starts_with(kExamples)) {
            for (const std::string& line : split(paragraph.substr(std::string(kExamples).size()), "\n")) {
                info.examples.push_back(line.substr(line.find_first_not_of(' ')));
            }
        } else if (paragraph.starts_with(kExitCodes)) {
            info.exitCodes = oneLine(paragraph.substr(std::string(kExitCodes).size()));
        } else {
            info.notes.push_back(oneLine(paragraph));
        }
    }
}

} // namespace

CommandInfo describeCommands(CLI::App& app) {
    CommandInfo info;
    info.name = app.get_name();
    info.path = info.name;
    for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent()) {
        info.path = parent->get_name() + " " + info.path;
    }
    info.summary = app.get_description();
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty()) {
            (option->get_positional() ? info.arguments : info.options).push_back(describeOption(app, *option));
        }
    }
    for (CLI::App* command : app.get_subcommands(nullptr)) {
        if (!command->get_group().empty()) {
            info.commands.push_back(describeCommands(*command));
        }
    }
    describeFooter(app.get_footer(), info);
    return info;
}

std::vector<const CommandInfo*> flattened(const CommandInfo& command) {
    std::vector<const CommandInfo*> all = {&command};
    for (const CommandInfo& child : command.commands) {
        const std::vector<const CommandInfo*> below = flattened(child);
        all.insert(all.end(), below.begin(), below.end());
    }
    return all;
}

std::string oneLine(const std::string& text) {
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

std::string inShort(const std::string& help) {
    std::string line = oneLine(help);
    constexpr std::size_t kLongest = 72;
    if (line.size() <= kLongest) {
        return line;
    }
    for (const char* const separator : {". ", "; ", ": ", ", "}) {
        const std::size_t end = line.find(separator);
        if (end != std::string::npos && end >= 16 && end <= kLongest) {
            return line.substr(0, end);
        }
    }
    return line.substr(0, line.rfind(' ', kLongest)) + " ...";
}

std::string quoteForShell(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

} // namespace aureole::cli
