#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/manual/command_tree.h"
#include "cli/manual/manual_page.h"
#include "cli/options/arguments.h"
#include "core/error.h"
#include "core/file.h"

namespace aureole::cli {

namespace {

struct ManualOptions {
    std::string folder;
    std::string date;
};

void writePages(const CommandInfo& command, const CommandInfo* parent, const ManualSource& source,
                const std::filesystem::path& folder) {
    const std::string page = manualPage(command, parent, source);
    writeFileAtomically(folder / (manualName(command) + ".1"), std::as_bytes(std::span(page)));
    for (const CommandInfo& child : command.commands) {
        writePages(child, &command, source, folder);
    }
}

ExitCode writeManual(CLI::App& app, const ManualOptions& options) {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error) {
        fail(ExitCode::CannotWrite, "{}: cannot be made: {}", options.folder, error.message());
    }
    const CommandInfo program = describeCommands(app);
    writePages(program, nullptr, {app.version(), options.date, program.exitCodes}, options.folder);
    return ExitCode::Done;
}

} // namespace

void addManualCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand(kManualCommand.name, kManualCommand.summary);
    const auto options = std::make_shared<ManualOptions>();
    command->add_option("FOLDER", options->folder, "Made where it is not there")->required()->type_name("");
    addValue(*command, "--date", "YYYY-MM-DD", "Of the pages", [options](const std::string& text) {
        options->date = text;
    })->required();
    command->callback(
        [options, &app, &invocation] { invocation.run = [options, &app] { return writeManual(app, *options); }; });
}

} // namespace aureole::cli
