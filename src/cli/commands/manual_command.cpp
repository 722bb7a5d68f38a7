#include <cstdint>
#include <filesystem>
#include <map>
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
#include "session/report_json.h"

namespace aureole::cli {

namespace {

struct ManualOptions {
    std::string folder;
    std::string date;
    std::string texts;
    std::string statsSchema;
};

using Texts = std::map<std::string, std::string>;

/// The files NAME.md of a folder by NAME, that of a manual page.
Texts readTexts(const std::filesystem::path& folder) {
    constexpr std::uintmax_t kMaximumBytes = 1U << 20U;
    std::error_code error;
    std::filesystem::directory_iterator files(folder, error);
    if (error) {
        fail(ExitCode::BadInput, "{}: cannot be read: {}", folder.string(), error.message());
    }
    Texts texts;
    for (const std::filesystem::directory_entry& file : files) {
        texts[file.path().stem()] = readTextFile(file, kMaximumBytes);
    }
    return texts;
}

/// Takes the texts that it uses out of `texts`.
void writePages(const CommandInfo& command, const CommandInfo* parent, const ManualSource& source, Texts& texts,
                const std::filesystem::path& folder) {
    const std::string name = manualName(command);
    const std::string page = manualPage(command, parent, source, texts[name]);
    texts.erase(name);
    writeFileAtomically(folder / (name + ".1"), std::as_bytes(std::span(page)));
    for (const CommandInfo& child : command.commands) {
        writePages(child, &command, source, texts, folder);
    }
}

ExitCode writeManual(CLI::App& app, const ManualOptions& options) {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error) {
        fail(ExitCode::CannotWrite, "{}: cannot be made: {}", options.folder, error.message());
    }
    Texts texts = readTexts(options.texts);
    const CommandInfo program = describeCommands(app);
    writePages(program, nullptr, {app.version(), options.date, program.exitCodes}, texts, options.folder);
    if (!texts.empty()) {
        fail(ExitCode::BadInput, "{}: found the text {}.md, expected one named like the page of a command",
             options.texts, texts.begin()->first);
    }
    writeReportSchema(options.statsSchema);
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
    addValue(*command, "--texts", "FOLDER", "What pages tell beyond the help, as NAME.md",
             [options](const std::string& text) { options->texts = text; })
        ->required();
    require(
        addOutput(*command, "--stats-schema", "FILE", "The schema of --stats-json", {"json"}, options->statsSchema));
    command->callback(
        [options, &app, &invocation] { invocation.run = [options, &app] { return writeManual(app, *options); }; });
}

} // namespace aureole::cli
