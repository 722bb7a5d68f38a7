#include <array>
#include <memory>

#include "cli/commands.h"
#include "cli/manual/command_tree.h"
#include "cli/manual/completion.h"
#include "cli/options/arguments.h"
#include "cli/options/value_hint.h"
#include "cli/standard_output.h"

namespace aureole::cli {

namespace {

ExitCode printCompletion(CLI::App& app, std::size_t shell) {
    constexpr std::array kWriters = {bashCompletion, zshCompletion, fishCompletion};
    const std::string script = kWriters.at(shell)(describeCommands(app));
    writeOutput(script);
    return ExitCode::Done;
}

} // namespace

void addCompletionCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, kCompletionCommand.name, kCompletionCommand.summary);
    const std::vector<std::string> shells = {"bash", "zsh", "fish"};
    const auto chosen = std::make_shared<std::size_t>(0);
    CLI::Option* shell =
        addChoice(*command, "SHELL", "", "bash, zsh or fish", shells, [chosen](std::size_t index) { *chosen = index; });
    require(shell);
    setFooter(*command,
              "Commands, options, the choices of options, and files are completed. 'cmake --install' and the\n"
              "Debian package put the scripts where the shells look for them.\n\n"
              "Examples:\n"
              "  aureole completion bash > ~/.local/share/bash-completion/completions/aureole\n"
              "  aureole completion zsh > ~/.zfunc/_aureole\n"
              "  aureole completion fish > ~/.config/fish/completions/aureole.fish");
    onParsed(*command, [chosen, &app, &invocation] {
        invocation.run = [chosen, &app] { return printCompletion(app, *chosen); };
    });
}

} // namespace aureole::cli
