#include "cli/manual/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace aureole::cli {

namespace {

constexpr const char* kFishFunctions = R"FISH(# Completion for fish, made by 'aureole completion fish'.

# The words before the cursor that are no options: commands come first.
function __aureole_words
    string match --invert -- '-*' (commandline -opc)[2..-1]
end

# Whether the command under way is this one, and no command below it was chosen yet.
function __aureole_at
    test "$(__aureole_words)" = "$argv"
end

# Whether the command under way is this one, whatever follows.
function __aureole_in
    set -l words (__aureole_words)
    test (count $words) -ge (count $argv); and test "$words[1..$(count $argv)]" = "$argv"
end

# Folders, and files with one of the extensions; with none, any file.
function __aureole_files
    set -l typed (commandline -ct | string replace --regex -- '^--[a-z-]+=' '')
    set -l endings (string join '|' $argv)
    __fish_complete_path $typed | string match --entire --regex --ignore-case "(/|\\.($endings))(\t|\$)"
end

complete -c aureole -f
)FISH";

/// A text in fish's single quotes, where a backslash escapes.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        result += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
    }
    return result + "'";
}

/// What completes a value: the argument of -a, empty where nothing is known to.
std::string candidates(const ValueHint& hint) {
    const std::string names = fmt::format("{}", fmt::join(hint.names, " "));
    std::string text = hint.list ? fmt::format(R"((__fish_complete_list , "printf '%s\n' {}"))", names) : names;
    if (hint.files) {
        const std::string files = hint.extensions.empty()
                                      ? "(__fish_complete_path (commandline -ct))"
                                      : fmt::format("(__aureole_files {})", fmt::join(hint.extensions, " "));
        text += (text.empty() ? "" : " ") + files;
    }
    return text;
}

/// The condition under which a command's own options and arguments are offered.
std::string condition(const CommandInfo& command) {
    const std::size_t space = command.path.find(' ');
    const std::string path = space == std::string::npos ? "" : command.path.substr(space);
    return quoted((command.commands.empty() ? "__aureole_in" : "__aureole_at") + path);
}

std::string optionLine(const CommandInfo& command, const OptionInfo& option) {
    std::string line = "complete -c aureole -n " + condition(command);
    for (const std::string& name : option.names) {
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!option.isFlag()) {
        const std::string values = candidates(option.hint);
        line += " -x" + (values.empty() ? "" : " -a " + quoted(values));
    }
    return line + " -d " + quoted(inShort(option.help)) + "\n";
}

} // namespace

std::string fishCompletion(const CommandInfo& program) {
    std::string text = kFishFunctions;
    for (const CommandInfo* command : flattened(program)) {
        text += "\n# " + command->path + "\n";
        for (const CommandInfo& child : command->commands) {
            text += fmt::format("complete -c aureole -n {} -a {} -d {}\n", condition(*command), child.name,
                                quoted(child.summary));
        }
        for (const OptionInfo& argument : command->arguments) {
            if (!argument.hint.empty()) {
                text += fmt::format("complete -c aureole -n {} -a {}\n", condition(*command),
                                    quoted(candidates(argument.hint)));
            }
        }
        for (const OptionInfo& option : command->options) {
            text += optionLine(*command, option);
        }
    }
    return text;
}

} // namespace aureole::cli
