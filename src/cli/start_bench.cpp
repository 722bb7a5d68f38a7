#include "cli/start_bench.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>

#include "core/companion.h"
#include "core/error.h"

namespace aureole::cli {

namespace {

constexpr const char* kProgram = "aureole-bench";

[[noreturn]] void becomeBench(std::vector<std::string> arguments) {
    const std::string program = findCompanion(kProgram, "the program of the benchmarks and of all commands' options",
                                              "the Debian package and the bundle have it")
                                    .string();
    std::vector<char*> words;
    words.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) {
        words.push_back(argument.data());
    }
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    fail(ExitCode::Internal, "{}: cannot be started: {}", program, std::strerror(errno));
}

} // namespace

void addBenchStarters(CLI::App& app, Invocation& invocation) {
    for (const CommandName& command : {kBenchCommand, kCompletionCommand, kManualCommand}) {
        CLI::App* starter = app.add_subcommand(command.name, command.summary);
        // All words behind the name are the other program's, --help too.
        starter->set_help_flag();
        starter->prefix_command();
        starter->callback(
            [&invocation] { invocation.run = [&invocation]() -> ExitCode { becomeBench(invocation.arguments); }; });
    }
}

} // namespace aureole::cli
