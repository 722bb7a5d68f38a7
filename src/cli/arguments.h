#pragma once

// Commands and their options, and reading the texts of options. Every function that reads throws Error (Usage) that
// names the option, what was found and what was expected.
//
// Commands are added by these functions, so that their files need not include CLI11, which takes the compiler longer
// than most of them.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli11_forward.h"
#include "cli/viewer.h"
#include "core/math.h"
#include "core/progress.h"
#include "image/aov.h"
#include "scene/load.h"

namespace aureole::cli {

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

/// The same where `read` gets the name.
CLI::Option* addNameChoice(CLI::App& command, const std::string& name, const std::string& help,
                           const std::vector<std::string>& names, const std::function<void(const std::string&)>& read);

/// Adds an option, or an argument where `name` has no dash, whose value is the name of a file. `extensions` are those
/// that shells complete, lower case, without the dot; none: any file.
CLI::Option* addFile(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                     const std::vector<std::string>& extensions, std::string& file);

/// Extensions of images, and of what `render` takes: scenes, models and octrees.
const std::vector<std::string>& imageExtensions();
std::vector<std::string> sceneExtensions();

/// Adds --set, whose values go behind `overrides`. Returns the option.
CLI::Option* addOverrides(CLI::App& command, std::vector<SceneOverride>& overrides);

/// Adds --surface.
void addSurface(CLI::App& command, const std::string& help, const std::function<void(SurfaceKind)>& read);

/// Adds --progress.
void addProgress(CLI::App& command, ProgressStyle& style);

/// The parts of a list; an empty text is one empty part.
std::vector<std::string> splitList(std::string_view text, char separator = ',');

/// A whole number from minimum to maximum.
std::uint32_t parseCount(const std::string& option, const std::string& text, std::uint32_t minimum,
                         std::uint32_t maximum = std::numeric_limits<std::uint32_t>::max());

/// Whole numbers from minimum to maximum, separated by commas.
std::vector<std::uint32_t> parseCounts(const std::string& option, const std::string& text, std::uint32_t minimum,
                                       std::uint32_t maximum);

/// A finite number from minimum to maximum.
double parseNumber(const std::string& option, const std::string& text, double minimum, double maximum);

/// One of `names`.
std::string parseChoice(const std::string& option, const std::string& text, std::span<const std::string> names);

/// The place of one of `names` among them.
std::size_t parseIndex(const std::string& option, const std::string& text, std::span<const std::string> names);

/// The places of some of `names`, separated by commas, among them.
std::vector<std::size_t> parseIndices(const std::string& option, const std::string& text,
                                      const std::vector<std::string>& names);

/// Names of AOVs, separated by commas, or "all".
AovSet parseAovs(const std::string& option, const std::string& text);

/// How far planes may lie from the surface, in voxels.
double parseSurfaceError(const std::string& option, const std::string& text);

/// An exposure that a scene may have.
double parseExposure(const std::string& option, const std::string& text);

/// "1280x720", of a size that a film may have.
glm::uvec2 parseSize(const std::string& option, const std::string& text);

/// A rectangle of pixels, x1 and y1 exclusive.
struct Crop {
    glm::uvec2 low{0};
    glm::uvec2 high{0};
};

/// "x0,y0,x1,y1" with x0 < x1 and y0 < y1.
Crop parseCrop(const std::string& option, const std::string& text);

/// "first:end" with first < end, of absolute sample indices: any that 32 bits hold.
std::pair<std::uint32_t, std::uint32_t> parseSampleRange(const std::string& option, const std::string& text);

/// "90", "90s", "10m" or "2h", above 0, in seconds.
double parseDuration(const std::string& option, const std::string& text);

/// "500M" or "4G": bytes, with K, M, G or T for powers of 1024, above 0.
std::uint64_t parseBytes(const std::string& option, const std::string& text);

/// "host", "host:port" or "[::1]:port"; port 14158 unless given.
ViewerAddress parseViewerAddress(const std::string& option, const std::string& text);

/// "/json/pointer=value".
SceneOverride parseOverride(const std::string& option, const std::string& text);

} // namespace aureole::cli
