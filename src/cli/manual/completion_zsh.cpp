#include "cli/manual/completion.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace aureole::cli {

namespace {

std::string functionOf(const CommandInfo& command) {
    std::string name = "_" + command.path;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

/// A text inside of a specification of _arguments, whose own signs are escaped.
std::string escaped(const std::string& text, const std::string& signs) {
    std::string result;
    for (const char c : text) {
        result += (signs.find(c) != std::string::npos ? "\\" : "") + std::string(1, c);
    }
    return result;
}

/// What completes a value, as the last part of a specification.
std::string zshAction(const ValueHint& hint) {
    const std::string pattern =
        hint.extensions.empty() ? "" : fmt::format(" -g \"*.(#i)({})(-.)\"", fmt::join(hint.extensions, "|"));
    const std::string names = fmt::format("{}", fmt::join(hint.names, " "));
    if (hint.files && !hint.names.empty()) {
        return fmt::format("{{ compadd - {}; _files{} }}", names, pattern);
    }
    if (hint.files) {
        return "_files" + pattern;
    }
    if (hint.list) {
        return "_sequence compadd - " + names;
    }
    return names.empty() ? " " : "(" + names + ")";
}

/// ":MESSAGE:ACTION".
std::string value(const OptionInfo& option) {
    return fmt::format(":{}:{}", escaped(option.value, ":\\"), zshAction(option.hint));
}

std::string optionLine(const OptionInfo& option) {
    const std::string help = escaped(inShort(option.help), "[]\\:");
    const std::string rest = fmt::format("[{}]{}", help, option.isFlag() ? "" : value(option));
    std::string lines;
    for (const std::string& name : option.names) {
        // Given once, it is not offered again under any of its names.
        const std::string others = option.repeated ? "*" : fmt::format("({})", fmt::join(option.names, " "));
        const std::string assigned = option.isFlag() ? "" : name.starts_with("--") ? "=" : "+";
        lines += fmt::format("        {} \\\n", quoteForShell(fmt::format("{}{}{}{}", others, name, assigned, rest)));
    }
    return lines;
}

std::string argumentLine(const OptionInfo& argument) {
    return fmt::format("        {} \\\n", quoteForShell((argument.repeated ? "*" : "") + value(argument)));
}

/// The part of a command that has others below it.
std::string commandPart(const CommandInfo& command) {
    std::string choices;
    std::string cases;
    for (const CommandInfo& child : command.commands) {
        choices += fmt::format("                {}\n", quoteForShell(child.name + ":" + escaped(child.summary, ":\\")));
        cases += fmt::format("                {}) {} ;;\n", child.name, functionOf(child));
    }
    return fmt::format(R"ZSH(        '1:command:->command' \
        '*::argument:->argument' && return
    case $state in
        command)
            local -a commands=(
{}            )
            _describe command commands
            ;;
        argument)
            case $line[1] in
{}            esac
            ;;
    esac
)ZSH",
                       choices, cases);
}

std::string commandFunction(const CommandInfo& command) {
    const bool hasCommands = !command.commands.empty();
    std::string text = fmt::format("\n{}() {{\n", functionOf(command));
    text += hasCommands ? "    local curcontext=$curcontext state line\n    typeset -A opt_args\n" : "";
    text += fmt::format("    _arguments {}\\\n", hasCommands ? "-C " : "");
    for (const OptionInfo& option : command.options) {
        text += optionLine(option);
    }
    for (const OptionInfo& argument : command.arguments) {
        text += argumentLine(argument);
    }
    if (hasCommands) {
        text += commandPart(command);
    } else {
        text.resize(text.size() - std::string(" \\\n").size());
        text += "\n";
    }
    return text + "}\n";
}

} // namespace

std::string zshCompletion(const CommandInfo& program) {
    std::string text = "#compdef aureole\n# Completion for zsh, made by 'aureole completion zsh'.\n";
    for (const CommandInfo* command : flattened(program)) {
        text += commandFunction(*command);
    }
    // As a file of fpath the script is the function's body; sourced, it only defines.
    return text +
           "\nif [[ $funcstack[1] == _aureole ]]; then\n    _aureole \"$@\"\nelse\n    compdef _aureole aureole\nfi\n";
}

} // namespace aureole::cli
