#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/value_hint.h"
#include "core/log.h"
#include "image/exr.h"
#include "image/film.h"

namespace aureole::cli {

namespace {

struct MergeOptions {
    std::vector<std::string> parts;
    std::string output;
    std::string commandLine;
};

constexpr const char* kCommandAttribute = "aureole.command";
constexpr const char* kPartsAttribute = "aureole.parts";

/// The command lines of the parts, one to a line, as aureole.parts; a merged part has such a list of its own.
std::string commandsOf(const std::vector<Image>& parts) {
    std::string lines;
    for (const Image& part : parts) {
        auto commands = part.attributes.find(kPartsAttribute);
        if (commands == part.attributes.end()) {
            commands = part.attributes.find(kCommandAttribute);
        }
        if (commands != part.attributes.end()) {
            lines += (lines.empty() ? "" : "\n") + commands->second;
        }
    }
    return lines;
}

ExitCode merge(const MergeOptions& options) {
    checkOutput(options.output, {ImageFormat::Exr});
    std::vector<Image> parts;
    parts.reserve(options.parts.size());
    for (const std::string& file : options.parts) {
        parts.push_back(readExr(file));
    }
    Image merged = mergeParts(parts, options.parts);
    merged.attributes[kCommandAttribute] = options.commandLine;
    merged.attributes[kPartsAttribute] = commandsOf(parts);
    writeExr(options.output, merged);
    logInfo("{}: {} parts, samples {}", options.output, parts.size(), merged.attributes.at("aureole.samples"));
    return ExitCode::Done;
}

} // namespace

void addMergeCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("merge", "Join the parts of a picture rendered with render --samples");
    const auto options = std::make_shared<MergeOptions>();
    setHint(*command,
            command->add_option("PART", options->parts, "Parts of one picture, their sample ranges apart")
                ->required()
                ->type_name(""),
            {.files = true, .extensions = {"exr"}});
    addFile(*command, "-o,--output", "OUT.exr", "The image to write; can be merged further", {"exr"}, options->output)
        ->required();
    command->footer(
        "Parts must agree in scene, seed, camera, size and crop. The result equals a render of all samples\n"
        "in one go. Bloom and tone mapping come after merging.\n\n"
        "Examples:\n"
        "  aureole render scene.json -o a.exr --samples 0:64\n"
        "  aureole render scene.json -o b.exr --samples 64:128\n"
        "  aureole merge a.exr b.exr -o merged.exr\n"
        "  aureole bloom merged.exr -o final.exr");
    command->callback([options, &invocation] {
        invocation.run = [options, &invocation] {
            options->commandLine = invocation.commandLine;
            return merge(*options);
        };
    });
}

} // namespace aureole::cli
