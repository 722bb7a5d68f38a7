#include <vector>

#include "bench/bench_commands.h"
#include "cli/program.h"

// All of aureole's commands, since the completion of shells and the manual pages tell of all, and the benchmarks.
int main(int argc, char** argv) {
    std::vector<aureole::cli::AddCommand> commands = aureole::cli::productCommands();
    commands.insert(commands.end(), {aureole::bench::addBenchCommand, aureole::cli::addCompletionCommand,
                                     aureole::cli::addManualCommand});
    return aureole::cli::runProgram(argc, argv, commands);
}
