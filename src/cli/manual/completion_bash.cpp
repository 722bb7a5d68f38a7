#include "cli/manual/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace aureole::cli {

namespace {

/// The part that knows no command. COMP_WORDS breaks words at '=' and ':', which is why these stand as words of their
/// own; what is typed may begin with a quote or have backslashes, which names of files do not.
constexpr const char* kBashFunctions = R"BASH(
# _aureole_names WORDS: those that begin as what is typed.
_aureole_names() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# _aureole_list WORDS: the same for the last part of a list with commas.
_aureole_list() {
    local start=''
    [[ $cur == *,* ]] && start=${cur%,*},
    mapfile -t COMPREPLY < <(compgen -P "$start" -W "$1" -- "${cur##*,}")
    compopt -o nospace 2>/dev/null
}

# _aureole_files EXTENSIONS: folders, and files with one of the extensions; with none, any file.
_aureole_files() {
    local name path ending
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        path=${name/#\~\//$HOME/}
        ending=${name##*.}
        if [[ -z $1 || -d $path || " $1 " == *" ${ending,,} "* ]]; then
            COMPREPLY+=("$name")
        fi
    done < <(compgen -f -- "$cur")
}

_aureole() {
    local command=aureole commands='' options='' valued='' expects='' word i
    local -i position=1
    local cur=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    _aureole_command
    for ((i = 1; i < COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if [[ $word == [=:] ]]; then
            # What follows belongs to the word before.
            [[ -n $expects ]] || ((++i))
        elif [[ -n $expects ]]; then
            expects=''
        elif [[ $word == -* ]]; then
            [[ " $valued " == *" $word "* ]] && expects=$word
        elif [[ " $commands " == *" $word "* ]]; then
            command+=" $word"
            _aureole_command
        else
            ((++position))
        fi
    done
    [[ $cur == = ]] && cur=''
    cur=${cur#[\"\']}
    cur=${cur//\\/}
    if [[ -n $expects ]]; then
        _aureole_value "$command $expects"
    elif [[ $cur == -* ]]; then
        _aureole_names "$options"
    elif [[ -n $commands ]]; then
        _aureole_names "$commands"
    else
        _aureole_value "$command $position"
    fi
}

complete -F _aureole aureole
)BASH";

/// What sets COMPREPLY for a value; empty where nothing is known to.
std::string bashAction(const ValueHint& hint) {
    std::string text;
    if (!hint.names.empty()) {
        text = fmt::format("{} {}", hint.list ? "_aureole_list" : "_aureole_names",
                           quoteForShell(fmt::format("{}", fmt::join(hint.names, " "))));
    }
    if (hint.files) {
        text += fmt::format("{}_aureole_files {}", text.empty() ? "" : "; ",
                            quoteForShell(fmt::format("{}", fmt::join(hint.extensions, " "))));
    }
    return text;
}

/// A case of _aureole_command: the names that a command knows.
std::string commandCase(const CommandInfo& command) {
    std::vector<std::string> names;
    std::vector<std::string> valued;
    std::vector<std::string> commands;
    for (const OptionInfo& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
        if (!option.isFlag()) {
            valued.insert(valued.end(), option.names.begin(), option.names.end());
        }
    }
    for (const CommandInfo& child : command.commands) {
        commands.push_back(child.name);
    }
    return fmt::format("        '{}')\n            commands='{}'\n            options='{}'\n            valued='{}'\n"
                       "            ;;\n",
                       command.path, fmt::join(commands, " "), fmt::join(names, " "), fmt::join(valued, " "));
}

/// The cases of _aureole_value: an action for each value that has one.
std::string valueCases(const CommandInfo& command) {
    std::string cases;
    const auto add = [&](const std::string& patterns, const ValueHint& hint) {
        cases += fmt::format("        {}) {} ;;\n", patterns, bashAction(hint));
    };
    for (const OptionInfo& option : command.options) {
        std::vector<std::string> patterns;
        for (const std::string& name : option.names) {
            patterns.push_back(fmt::format("'{} {}'", command.path, name));
        }
        if (!option.hint.empty()) {
            add(fmt::format("{}", fmt::join(patterns, " | ")), option.hint);
        }
    }
    std::size_t position = 1;
    for (const OptionInfo& argument : command.arguments) {
        if (!argument.hint.empty()) {
            add(argument.repeated ? fmt::format("'{} '[0-9]*", command.path)
                                  : fmt::format("'{} {}'", command.path, position),
                argument.hint);
        }
        ++position;
    }
    return cases;
}

} // namespace

std::string bashCompletion(const CommandInfo& program) {
    std::string text = "# Completion for bash, made by 'aureole completion bash'.\n\n"
                       "# Sets what $command knows: its commands, its options, and those that have a value.\n"
                       "_aureole_command() {\n    case $command in\n";
    std::string values;
    for (const CommandInfo* command : flattened(program)) {
        text += commandCase(*command);
        values += valueCases(*command);
    }
    return text + "    esac\n}\n\n# _aureole_value 'COMMAND OPTION' or 'COMMAND POSITION': completes a value.\n" +
           "_aureole_value() {\n    case $1 in\n" + values + "    esac\n}\n" + kBashFunctions;
}

} // namespace aureole::cli
