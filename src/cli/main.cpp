#include <vector>

#include "cli/program.h"
#include "cli/start_bench.h"

int main(int argc, char** argv) {
    std::vector<aureole::cli::AddCommand> commands = aureole::cli::productCommands();
    commands.push_back(aureole::cli::addBenchStarters);
    return aureole::cli::runProgram(argc, argv, commands);
}
