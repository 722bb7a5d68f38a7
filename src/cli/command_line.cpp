#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/manual/command_tree.h"
#include "cli/options/arguments.h"
#include "cli/options/asset_options.h"
#include "cli/options/value_hint.h"
#include "cli/standard_output.h"
#include "core/lines.h"
#include "core/suggest.h"
#include "ranks/launch.h"

namespace aureole::cli {

namespace {

/// An argument as a POSIX shell would need it, in quotes only where they are needed.
std::string quoted(const std::string& argument) {
    constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
    if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
        return argument;
    }
    return quoteForShell(argument);
}

std::string pathOf(const CLI::App& command) {
    return command.get_parent() == nullptr ? "aureole" : pathOf(*command.get_parent()) + " " + command.get_name();
}

/// The innermost subcommand that was given, else the app itself.
const CLI::App& commandOf(const CLI::App& app) {
    const std::vector<CLI::App*> given = app.get_subcommands();
    return given.empty() ? app : commandOf(*given.front());
}

std::vector<std::string> optionNames(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

std::vector<std::string> subcommandNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        if (!command->get_group().empty()) { // not a hidden one
            names.push_back(command->get_name());
        }
    }
    return names;
}

/// An option that has a value too many or too few; `text` of CLI11's starts with its name.
[[noreturn]] void failMismatch(const CLI::App& command, const std::string& text) {
    constexpr std::string_view kOverride = " was given a disallowed flag override";
    if (text.ends_with(kOverride)) {
        fail(ExitCode::Usage,
             "--{}: found a value after it, expected none: it is on where it stands and off where it does not; see {} "
             "--help",
             text.substr(0, text.size() - kOverride.size()), pathOf(command));
    }
    const std::string name = text.substr(0, text.find(':'));
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option != nullptr && option->count() > 1) {
        fail(ExitCode::Usage, "{}: found it {} times, with '{}', expected it once; see {} --help", name,
             option->count(), fmt::join(option->results(), "', '"), pathOf(command));
    }
    if (option != nullptr) {
        fail(ExitCode::Usage, "{}: found nothing after it, expected {}; see {} --help", name, option->get_type_name(),
             pathOf(command));
    }
    fail(ExitCode::Usage, "{}; see {} --help", text, pathOf(command));
}

/// CLI11 reports a missing option before an unknown one, but a slip in the name is the likelier cause of both.
[[noreturn]] void failUsage(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = commandOf(app);
    const std::vector<std::string> unknown = command.remaining();
    if (!unknown.empty()) {
        const std::string word = unknown.front().substr(0, unknown.front().find('='));
        const std::vector<std::string> subcommands = subcommandNames(command);
        const bool subcommand = !subcommands.empty() && !word.starts_with('-');
        const std::string nearest = didYouMean(word, subcommand ? subcommands : optionNames(command));
        fail(ExitCode::Usage, "found '{}', which {} does not know{}{}; see {} --help", word, pathOf(command),
             subcommand ? fmt::format(", expected {}", fmt::join(subcommands, ", ")) : "", nearest, pathOf(command));
    }
    if (!subcommandNames(command).empty() && command.get_subcommands().empty()) {
        fail(ExitCode::Usage, "found no command, expected {} and one of {}; see {} --help", pathOf(command),
             fmt::join(subcommandNames(command), ", "), pathOf(command));
    }
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
        failMismatch(command, error.what());
    }
    fail(ExitCode::Usage, "{}; see {} --help", error.what(), pathOf(command));
}

/// Makes --flag=no an error: CLI11 would take it for a flag that is not there.
void refuseFlagValues(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0) {
            option->disable_flag_override();
        }
    }
    for (CLI::App* command : app.get_subcommands(nullptr)) {
        refuseFlagValues(*command);
    }
}

/// Refuses standard streams for all that are to be files: outputs are renamed to their names, and some inputs are read
/// more than once.
void refuseStreams(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (!hintOf(command, option).files) {
            continue;
        }
        for (const std::string& file : option->results()) {
            const bool isStream = file == "-" || file.starts_with("/dev/std") || file.starts_with("/dev/fd/") ||
                                  file.starts_with("/proc/self/fd/");
            if (isStream) {
                fail(ExitCode::Usage, "{}: found '{}', expected the name of a file, not a standard stream{}",
                     option->get_name(), file, file == "-" ? "; a file of that name is ./-" : "");
            }
        }
    }
}

/// Refuses several processes of mpirun where each would write the same file; render shares its work.
void refuseCompany(const CLI::App& command) {
    const std::vector<const CLI::Option*> options = command.get_options();
    const bool writes = std::any_of(options.begin(), options.end(), [&](const CLI::Option* option) {
        return option->count() > 0 && hintOf(command, option).written;
    });
    const std::optional<Launch> launch = findLaunch(&std::getenv);
    if (writes && launch && launch->hasMpi && launch->processes != 1) {
        fail(ExitCode::Usage,
             "found {} processes of {} ({}), expected one: only 'aureole render' shares its work, '{}' would write the "
             "same files in each; for one with files of its own, unset {}",
             launch->processes > 0 ? fmt::to_string(launch->processes) : "several", launch->launcher, launch->sign,
             command.get_name(), launch->sign);
    }
}

const CLI::App* findCommand(const CLI::App& app, const std::string& name) {
    const std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CLI::App* command) { return command->get_name() == name; });
    return found == commands.end() ? nullptr : *found;
}

/// The words of the command line; those of "aureole help render" as "aureole render --help".
std::vector<std::string> wordsOf(int argc, const char* const* argv, const CLI::App& app) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words.empty() || words.front() != "help") {
        return words;
    }
    words.erase(words.begin());
    const CLI::App* command = &app;
    for (const std::string& word : words) {
        command = command == nullptr ? nullptr : findCommand(*command, word);
    }
    if (command != nullptr) { // else the word that is none is told of
        words.emplace_back("--help");
    }
    return words;
}

void setLabels(CLI::App& app) {
    app.get_formatter()->column_width(kOptionNameColumns);
    app.get_formatter()->label("REQUIRED", "(required)");
    app.get_formatter()->label("Positionals", "Arguments");
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("SUBCOMMANDS", "COMMAND");
}

/// Adds the commands, and says how help shows them.
void addCommands(CLI::App& app, std::span<const AddCommand> commands, Invocation& invocation) {
    for (const AddCommand add : commands) {
        add(app, invocation);
    }
    addAssetOptions(app, invocation.assets);
    for (CLI::App* command : app.get_subcommands(nullptr)) {
        command->group("Commands");
        if (CLI::Option* help = command->get_help_ptr(); help != nullptr) { // not of those that aureole-bench runs
            help->description("Print this help and exit");
        }
    }
    app.get_subcommand(kManualCommand.name)->group("");
    refuseFlagValues(app);
}

/// "Exit codes: 0 done, ...", in lines.
std::string exitCodesText() {
    std::vector<std::string> codes;
    codes.reserve(kExitCodes.size());
    for (const ExitCodeMeaning& code : kExitCodes) {
        codes.push_back(fmt::format("{} {}", static_cast<int>(code.code), code.meaning));
    }
    return wrapped(fmt::format("Exit codes: {}.", fmt::join(codes, ", ")), kHelpColumns);
}

void describe(CLI::App& app) {
    app.get_help_ptr()->description("Print this help and exit");
    app.footer(
        std::string(
            "Each command has its own help: aureole render --help, or aureole help render. Files are named; '-' and\n"
            "/dev/stdout are refused.\n\n"
            "Octrees and compiled shaders are kept in ~/.cache/aureole, or in aureole below $XDG_CACHE_HOME, to\n"
            "start faster the next time; the folder may be removed at any time.\n\n"
            "Examples:\n"
            "  aureole render scenes/cornell.json -o cornell.png\n"
            "  aureole render model.glb -o model.exr --spp 256 --size 1920x1080\n"
            "  aureole devices\n\n") +
        exitCodesText());
}

/// Gives options that stand without a value (arguments.h: mayStandAlone) the one that is meant, as CLI11 would take
/// the next word for it, whatever that is. A word without an extension is no file that a command takes: it is a value,
/// misspelt where it is none of the names.
void fillIn(std::vector<std::string>& words, const CLI::App& app) {
    const CLI::App* const command = words.empty() ? nullptr : findCommand(app, words.front());
    for (std::size_t i = 1; command != nullptr && i < words.size(); ++i) {
        const CLI::Option* const option = words[i].starts_with("--") ? command->get_option_no_throw(words[i]) : nullptr;
        const ValueHint hint = option == nullptr ? ValueHint{} : hintOf(*command, option);
        const std::string next = i + 1 < words.size() ? words[i + 1] : "-";
        const bool hasValue = !next.starts_with('-') && std::filesystem::path(next).extension().empty();
        if (!hint.alone.empty() && !hasValue) {
            words[i] += "=" + hint.alone;
        }
    }
}

/// Parses the words of the command line. Returns false where they asked for help or the version, which is printed then.
bool parse(CLI::App& app, int argc, const char* const* argv) {
    try {
        std::vector<std::string> words = wordsOf(argc, argv, app);
        fillIn(words, app);
        std::reverse(words.begin(), words.end()); // as CLI11 takes them
        app.parse(words);
        return true;
    } catch (const CLI::Success& request) { // --help and --version
        std::ostringstream text;
        app.exit(request, text, text);
        writeOutput(text.str());
        flushOutput();
        return false;
    } catch (const CLI::ParseError& error) {
        failUsage(app, error);
    }
}

} // namespace

std::string joinCommandLine(const std::vector<std::string>& words) {
    std::string line = "aureole";
    for (const std::string& word : words) {
        line += " " + quoted(word);
    }
    return line;
}

std::vector<AddCommand> productCommands() {
    return {addRenderCommand, addVoxelizeCommand, addExportCommand, addDenoiseCommand, addBloomCommand,
            addFinishCommand, addTextureCommand,  addMergeCommand,  addCompareCommand, addConvertCommand,
            addInfoCommand,   addValidateCommand, addDevicesCommand};
}

ExitCode runCommandLine(int argc, const char* const* argv, std::span<const AddCommand> commands) {
    CLI::App app("Offline voxel path tracer with FFT bloom.", "aureole");
    keepHints(app);
    setLabels(app);
    app.set_version_flag("--version", "aureole " AUREOLE_VERSION, "Print the version and exit");
    app.require_subcommand(1);
    Invocation invocation;
    invocation.arguments.assign(argv, argv + argc);
    invocation.commandLine = joinCommandLine({argv + std::min(argc, 1), argv + argc});
    addCommands(app, commands, invocation);
    describe(app);
    if (!parse(app, argc, argv)) {
        return ExitCode::Done;
    }
    refuseStreams(commandOf(app));
    refuseCompany(commandOf(app));
    sandbox::configure(invocation.assets);
    const ExitCode code = invocation.run();
    flushOutput();
    return code;
}

} // namespace aureole::cli
