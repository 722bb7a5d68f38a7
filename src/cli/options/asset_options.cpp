#include "cli/options/asset_options.h"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/arguments.h"

namespace aureole::cli {

namespace {

constexpr std::uint32_t kMostFiles = 1'000'000;

const char* const kGroup = "Files from strangers";

} // namespace

void addAssetOptionsTo(CLI::App& command, sandbox::Settings& settings) {
    addChoice(command, "--asset-isolation", "strict|limits|none",
              "Models and pictures are each read by a process with limits and\nno way to files and the network "
              "(strict, the default), by one\nwith limits alone, or by aureole itself",
              {"strict", "limits", "none"},
              [&](std::size_t choice) { settings.isolation = static_cast<sandbox::Isolation>(choice); })
        ->group(kGroup);
    addValue(command, "--asset-memory", "BYTES",
             "Memory that reading one of them may take, and that a scene may\ntake with all it places, such as 8G "
             "(default: three quarters\nof this machine's)",
             [&](const std::string& text) { settings.memory = parseBytes("--asset-memory", text); })
        ->group(kGroup);
    addValue(command, "--asset-time", "DURATION", "Time that it may take (default 10m)", [&](const std::string& text) {
        settings.seconds = parseDuration("--asset-time", text);
    })->group(kGroup);
    addValue(command, "--asset-files", "N", "Files that a model may read beside its own (default 4096)",
             [&](const std::string& text) { settings.files = parseCount("--asset-files", text, 0, kMostFiles); })
        ->group(kGroup);
}

void addAssetOptions(CLI::App& app, sandbox::Settings& settings) {
    settings.isolation = sandbox::Isolation::Strict;
    settings.memory = sandbox::defaultMemory();
    settings.seconds = sandbox::kDefaultSeconds;
    settings.files = sandbox::kDefaultFiles;
    for (const char* name :
         {"render", "voxelize", "bloom", "texture", "merge", "compare", "convert", "info", "validate"}) {
        addAssetOptionsTo(*app.get_subcommand(name), settings);
    }
}

} // namespace aureole::cli
