#include "cli/options/arguments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include "cli/options/value_hint.h"
#include "core/error.h"
#include "core/lines.h"
#include "core/suggest.h"
#include "core/to_number.h"
#include "import/import.h"

namespace aureole::cli {

CLI::App* addCommand(CLI::App& app, const std::string& name, const std::string& help) {
    return app.add_subcommand(name, help);
}

void setFooter(CLI::App& command, const std::string& text) {
    command.footer(text);
}

void onParsed(CLI::App& command, const std::function<void()>& action) {
    command.callback(action);
}

bool isGiven(const CLI::App& command, const std::string& name) {
    return command.count(name) > 0;
}

void require(CLI::Option* option) {
    option->required();
}

void exclude(CLI::Option* option, CLI::Option* other) {
    option->excludes(other);
}

void setGroup(CLI::Option* option, const std::string& heading) {
    option->group(heading);
}

CLI::Option* addFlag(CLI::App& command, const std::string& name, bool& given, const std::string& help) {
    return command.add_flag(name, given, help);
}

CLI::Option* addFlag(CLI::App& command, const std::string& name, const std::function<void()>& action,
                     const std::string& help) {
    return command.add_flag_callback(name, action, help);
}

CLI::Option* addTexts(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                      std::vector<std::string>& texts) {
    const bool positional = !name.starts_with('-');
    return command.add_option(name, texts, help)->type_name(type)->allow_extra_args(positional);
}

CLI::Option* addValue(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                      const std::function<void(const std::string&)>& read) {
    return command.add_option_function<std::string>(name, read, help)->type_name(type);
}

CLI::Option* addChoice(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                       const std::vector<std::string>& names, const std::function<void(std::size_t)>& read) {
    CLI::Option* option =
        addValue(command, name, type, help, [=](const std::string& text) { read(parseIndex(name, text, names)); });
    setHint(command, option, {.names = names});
    return option;
}

void mayStandAlone(CLI::App& command, CLI::Option* option, const std::string& name) {
    ValueHint hint = hintOf(command, option);
    hint.alone = name;
    setHint(command, option, std::move(hint));
    option->type_name(fmt::format("[{}]", option->get_type_name()));
}

CLI::Option* addNameChoice(CLI::App& command, const std::string& name, const std::string& help,
                           const std::vector<std::string>& names, const std::function<void(const std::string&)>& read) {
    return addChoice(command, name, "NAME", help, names, [=](std::size_t index) { read(names.at(index)); });
}

CLI::Option* addFile(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                     const std::vector<std::string>& extensions, std::string& file) {
    CLI::Option* option = command.add_option(name, file, help)->type_name(type);
    setHint(command, option, {.files = true, .extensions = extensions});
    return option;
}

CLI::Option* addOutput(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
                       const std::vector<std::string>& extensions, std::string& file) {
    CLI::Option* option = addFile(command, name, type, help, extensions, file);
    ValueHint hint = hintOf(command, option);
    hint.written = true;
    setHint(command, option, std::move(hint));
    return option;
}

std::vector<std::string> sceneExtensions() {
    std::vector<std::string> extensions = {"json"};
    const std::span<const std::string> models = modelExtensions();
    extensions.insert(extensions.end(), models.begin(), models.end());
    return extensions;
}

std::string modelHelp() {
    return "Scene (.json) or model:\n" +
           wrapped(fmt::format(".{}", fmt::join(modelExtensions(), ", .")), kOptionHelpColumns);
}

CLI::Option* addOverrides(CLI::App& command, std::vector<SceneOverride>& overrides, const std::string& help) {
    const auto read = [&overrides](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            overrides.push_back(parseOverride("--set", text));
        }
    };
    return command.add_option_function<std::vector<std::string>>("--set", read, help)
        ->type_name("/POINTER=VALUE")
        ->allow_extra_args(false);
}

CLI::Option* addCamera(CLI::App& command, std::string& camera) {
    return addValue(command, "--camera", "NAME", "Camera of the scene, by name; by default the one that it chooses",
                    [&camera](const std::string& text) { camera = text; });
}

void addProgress(CLI::App& command, ProgressStyle& style) {
    addChoice(command, "--progress", "STYLE",
              "auto (default: a bar on a terminal), bar, json (an object per line of stderr), none",
              {"auto", "bar", "json", "none"}, [&style](std::size_t index) {
                  constexpr std::array<ProgressStyle, 4> kStyles = {ProgressStyle::Auto, ProgressStyle::Bar,
                                                                    ProgressStyle::Json, ProgressStyle::None};
                  style = kStyles.at(index);
              });
}

ViewerAddress parseViewerAddress(const std::string& option, const std::string& text) {
    ViewerAddress address{text, "14158"};
    const std::size_t colon = text.rfind(':');
    const bool bracketed = text.starts_with('[');
    const bool hasPort = colon != std::string::npos && (bracketed ? text[colon - 1] == ']' : text.find(':') == colon);
    if (hasPort) {
        address = {text.substr(0, colon), text.substr(colon + 1)};
    }
    if (bracketed && address.host.ends_with(']')) {
        address.host = address.host.substr(1, address.host.size() - 2);
    }
    if (address.host.empty() || toNumber<std::uint16_t>(address.port).value_or(0) == 0) {
        fail(ExitCode::Usage, "{}: found '{}', expected HOST:PORT, as in 127.0.0.1:14158 or [::1]:14158", option, text);
    }
    return address;
}

SceneOverride parseOverride(const std::string& option, const std::string& text) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || text.front() != '/') {
        fail(ExitCode::Usage, "{}: found '{}', expected /json/pointer=value, as in /integrator/seed=7", option, text);
    }
    return {text.substr(0, at), text.substr(at + 1)};
}

} // namespace aureole::cli
