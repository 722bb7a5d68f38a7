#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/options/value_hint.h"
#include "core/log.h"
#include "core/plural.h"
#include "film/merge.h"
#include "image/attributes.h"
#include "image/exr/exr.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct MergeOptions {
    std::vector<std::string> parts;
    std::string output;
};

constexpr const char* kPartsAttribute = "aureole.parts";

/// The command lines of parts, one to a line, as aureole.parts; a merged part has such a list of its own.
void addCommands(const Image& part, std::string& lines) {
    auto commands = part.attributes.find(kPartsAttribute);
    if (commands == part.attributes.end()) {
        commands = part.attributes.find(kCommandAttribute);
    }
    if (commands != part.attributes.end()) {
        lines += (lines.empty() ? "" : "\n") + commands->second;
    }
}

ExitCode merge(const MergeOptions& options) {
    checkOutput(options.output, {ImageFormat::Exr});
    std::vector<NamedFile> parts;
    for (const std::string& part : options.parts) {
        parts.push_back({"PART", part});
    }
    checkApart({{"--output", options.output}}, parts);
    // In the order of the samples, so that the file does not depend on the order in which its parts were named.
    std::vector<std::string> command = {"merge"};
    std::string commands;
    PartSource source;
    source.files = options.parts;
    source.head = [&](std::size_t part) { return readExrHead(options.parts[part]); };
    source.image = [&](std::size_t part) { return readExr(options.parts[part]); };
    source.onAdded = [&](std::size_t part, const Image& image) {
        command.push_back(options.parts[part]);
        addCommands(image, commands);
    };
    Image merged = mergeParts(source);
    command.insert(command.end(), {"-o", options.output});
    merged.attributes[kCommandAttribute] = joinCommandLine(command);
    merged.attributes[kPartsAttribute] = commands;
    writeExr(options.output, merged);
    const auto samples = merged.attributes.find(kSamplesAttribute);
    logInfo("{}: {}, {}x{}, {}", options.output, countOf(options.parts.size(), "part"), merged.width, merged.height,
            samples != merged.attributes.end() ? "samples " + samples->second
                                               : "samples per pixel: " + merged.attributes.at(kCountsAttribute));
    return ExitCode::Done;
}

} // namespace

void addMergeCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command =
        addCommand(app, "merge", "Join the parts of a picture rendered with render --samples or --crop");
    const auto options = std::make_shared<MergeOptions>();
    CLI::Option* const parts = addTexts(
        *command, "PART", "", "Parts of one picture: ranges of its samples, of all of it or of crops", options->parts);
    require(parts);
    setHint(*command, parts, {.files = true, .extensions = {"exr"}});
    require(addOutput(*command, "-o,--output", "OUT.exr", "The image to write; can be merged further", {"exr"},
                      options->output));
    setFooter(
        *command,
        "Parts are EXR files of render --samples, with --crop or without. They must agree in scene, seed,\n"
        "camera, size, exposure, layers and the version of aureole, and no two may have the same samples of\n"
        "the same pixels. The result is that of a render of all samples in one go, to the last bit of a float or\n"
        "one beside it, as parts hold means, and spans all crops; what is missing is a warning. Any number of\n"
        "parts is merged, a few in memory at a time. Denoising, bloom and tone mapping come after merging.\n\n"
        "Examples:\n"
        "  aureole render scene.json -o a.exr --samples 0:64\n"
        "  aureole render scene.json -o b.exr --samples 64:128\n"
        "  aureole merge a.exr b.exr -o merged.exr\n"
        "  aureole render scene.json -o left.exr --samples 0:64 --crop 0,0,640,720\n"
        "  aureole render scene.json -o right.exr --samples 0:64 --crop 640,0,1280,720\n"
        "  aureole merge left.exr right.exr -o whole.exr\n"
        "  aureole bloom merged.exr -o final.exr");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return merge(*options); }; });
}

} // namespace aureole::cli
