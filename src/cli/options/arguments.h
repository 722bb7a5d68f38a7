#pragma once

// Adding options to a command. What reads a value throws Error (Usage) that names the option, what was found and what
// was expected.

#include <functional>
#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"
#include "core/progress.h"
#include "scene/load.h"
#include "session/viewer.h"
#include "settings/parse_text.h"
#include "settings/surface_kind.h"

namespace aureole::cli {

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

/// "host", "host:port" or "[::1]:port"; port 14158 unless given.
ViewerAddress parseViewerAddress(const std::string& option, const std::string& text);

/// "/json/pointer=value".
SceneOverride parseOverride(const std::string& option, const std::string& text);

} // namespace aureole::cli
