#include "cli/bench_commands.h"

namespace aureole::cli {

void addBenchCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("bench", "Measure device times against plain copies");
    command->require_subcommand(1);
    for (const auto add : {addBenchScan}) {
        add(*command, invocation);
    }
    for (CLI::App* benchmark : command->get_subcommands(nullptr)) {
        benchmark->group("Benchmarks");
        benchmark->get_help_ptr()->description("Print this help and exit");
    }
    command->footer("Each benchmark has its own help: aureole bench scan --help\n\n"
                    "Examples:\n"
                    "  aureole bench scan\n"
                    "  aureole bench scan --json scan.json");
}

} // namespace aureole::cli
