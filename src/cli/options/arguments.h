#pragma once

// Adding commands and their options. What reads a value throws Error (Usage) that names the option, what was found and
// what was expected.
//
// Commands are added by these functions, so that their files need not include CLI11, which takes the compiler longer
// than most of them.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"
#include "core/progress.h"
#include "scene/load.h"
#include "session/viewer.h"
#include "settings/parse_text.h"

namespace aureole::cli {

/// How long lines of the help are that are not broken by hand.
inline constexpr std::size_t kHelpColumns = 96;
/// And of the texts of options, which stand behind their names.
inline constexpr std::size_t kOptionNameColumns = 36;
inline constexpr std::size_t kOptionHelpColumns = 120 - kOptionNameColumns;

/// Adds a subcommand. `help` is its line in the list of commands.
CLI::App* addCommand(CLI::App& app, const std::string& name, const std::string& help);

/// What the help has below the options: notes, examples, exit codes.
void setFooter(CLI::App& command, const std::string& text);

/// What is to be done once the command line has been read and is one of this command.
void onParsed(CLI::App& command, const std::function<void()>& action);

/// Whether the command line has the option of that name.
bool isGiven(const CLI::App& command, const std::string& name);

/// The option must be given.
void require(CLI::Option* option);

/// The two options may not be given together.
void exclude(CLI::Option* option, CLI::Option* other);

/// The heading below which the help lists the option.
void setGroup(CLI::Option* option, const std::string& heading);

/// Adds an option without a value: `given` becomes true where it is given, or `action` is done.
CLI::Option* addFlag(CLI::App& command, const std::string& name, bool& given, const std::string& help);
CLI::Option* addFlag(CLI::App& command, const std::string& name, const std::function<void()>& action,
                     const std::string& help);

/// Adds an option that may be given many times, with one value each, or an argument of any number of values.
CLI::Option* addTexts(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                      std::vector<std::string>& texts);

/// Adds an option with one value. `type` stands for the value in the help; `read` gets the text.
CLI::Option* addValue(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                      const std::function<void(const std::string&)>& read);

/// Adds an option whose value is one of `names`; `read` gets its place among them.
CLI::Option* addChoice(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                       const std::vector<std::string>& names, const std::function<void(std::size_t)>& read);

/// An option of addChoice may stand without its value, and means `name` then: the next word is its value unless that is
/// another option or has an extension, as files have.
void mayStandAlone(CLI::App& command, CLI::Option* option, const std::string& name);

/// addChoice where `read` gets the name.
CLI::Option* addNameChoice(CLI::App& command, const std::string& name, const std::string& help,
                           const std::vector<std::string>& names, const std::function<void(const std::string&)>& read);

/// Adds an option, or an argument where `name` has no dash, whose value is the name of a file. `extensions` are those
/// that shells complete, lower case, without the dot; none: any file.
CLI::Option* addFile(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                     const std::vector<std::string>& extensions, std::string& file);

/// addFile where the command writes the file: several processes of mpirun, each of which would, are refused. Of a file
/// that they write together, as `render` does, it is addFile.
CLI::Option* addOutput(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                       const std::vector<std::string>& extensions, std::string& file);

/// Extensions of what `render` takes: scenes, models and octrees.
std::vector<std::string> sceneExtensions();

/// What help says of an argument that is one of these.
std::string modelHelp();

/// Adds --set, whose values go behind `overrides`. Returns the option.
CLI::Option* addOverrides(CLI::App& command, std::vector<SceneOverride>& overrides,
                          const std::string& help = "Replace a value of the scene, by its JSON pointer; null removes "
                                                    "it, so that its\ndefault holds. Can be repeated");

/// Adds --camera.
CLI::Option* addCamera(CLI::App& command, std::string& camera);

/// Adds --progress.
void addProgress(CLI::App& command, ProgressStyle& style);

/// "host", "host:port" or "[::1]:port"; port 14158 unless given.
ViewerAddress parseViewerAddress(const std::string& option, const std::string& text);

/// "/json/pointer=value".
SceneOverride parseOverride(const std::string& option, const std::string& text);

} // namespace aureole::cli
