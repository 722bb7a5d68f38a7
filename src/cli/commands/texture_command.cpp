#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/options/device_options.h"
#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/stopwatch.h"
#include "image/attributes.h"
#include "image/image_file.h"
#include "session/frame_files.h"
#include "session/output.h"
#include "session/textures.h"

namespace aureole::cli {

namespace {

struct TextureOptions {
    std::string spec;
    std::string output;
    std::uint32_t frames = 0; ///< 0: one picture, of the end
    std::vector<SceneOverride> overrides;
    bool reference = false;
    std::string ofDevice; ///< an option given that chooses a device
    gpu::DeviceRequest device;
    ProgressStyle progress = ProgressStyle::Auto;
};

/// Frame `frame` shows the state after so many of the steps; the first shows the start, the last the end.
std::uint32_t stepsOfFrame(std::uint32_t steps, std::uint32_t frame, std::uint32_t frames) {
    return static_cast<std::uint32_t>(std::uint64_t{steps} * frame / (frames - 1));
}

ReactionTexture load(const TextureOptions& options) {
    std::vector<std::filesystem::path> files;
    ReactionTexture texture = loadReactionTexture(options.spec, options.overrides, files);
    if (const std::string why = whyNoSeed(texture); !why.empty()) {
        fail(ExitCode::BadInput, "{}: /seed_image: {}", options.spec, why);
    }
    std::vector<NamedFile> read = {{"SPEC.json", options.spec}};
    for (const std::filesystem::path& file : files) {
        read.push_back({"a file of the texture", file.string()});
    }
    std::vector<NamedFile> written;
    for (std::uint32_t frame = 0; frame < options.frames; ++frame) {
        written.push_back({"--output", frameFile(options.output, frame)});
    }
    if (options.frames == 0) {
        written.push_back({"--output", options.output});
    }
    checkApart(written, read);
    return texture;
}

void write(const ReactionRun& run, const TextureOptions& options, std::uint32_t steps, const std::string& file,
           const std::string& commandLine) {
    Image image = run.picture();
    image.attributes[kVersionAttribute] = AUREOLE_VERSION;
    image.attributes[kCommandAttribute] = commandLine;
    image.attributes["aureole.texture"] = fmt::format("{}, {} steps", options.spec, steps);
    writeImage(file, image);
}

ExitCode runTexture(const TextureOptions& options, const std::string& commandLine) {
    if (options.reference && !options.ofDevice.empty()) {
        fail(ExitCode::Usage, "{}: found it with --backend reference, expected it with gpu: nothing runs on a device",
             options.ofDevice);
    }
    setProgressStyle(options.progress);
    checkOutput(options.frames > 0 ? frameFile(options.output, 0) : options.output,
                {ImageFormat::Exr, ImageFormat::Png});
    const ReactionTexture texture = load(options);
    const std::optional<gpu::Device> device =
        options.reference ? std::nullopt : std::optional(gpu::Device::open(options.device));
    const Stopwatch clock;
    ReactionRun run(texture, device ? &*device : nullptr);
    std::uint32_t done = 0;
    {
        Progress progress("texture", std::max(texture.steps, 1U));
        const auto advance = [&](std::uint32_t steps) {
            run.advance(steps - done, [&](std::uint32_t some) { progress.update(done + some); });
            done = steps;
        };
        for (std::uint32_t frame = 0; frame < options.frames; ++frame) {
            advance(stepsOfFrame(texture.steps, frame, options.frames));
            write(run, options, done, frameFile(options.output, frame), commandLine);
        }
        advance(texture.steps);
    }
    if (options.frames == 0) {
        write(run, options, done, options.output, commandLine);
    }
    logInfo("{}: {} steps of {}x{} cells in {}", options.output, done, texture.size.x, texture.size.y,
            formatDuration(clock.seconds()));
    return ExitCode::Done;
}

} // namespace

void addTextureCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "texture", "Grow a reaction-diffusion texture");
    const auto options = std::make_shared<TextureOptions>();
    require(addFile(*command, "SPEC.json", "", "The texture, as scenes have them", {"json"}, options->spec));
    require(addOutput(*command, "-o,--output", "OUT", "The picture to write, EXR (linear) or PNG",
                      imageExtensions(ImageUse::Write), options->output));
    addValue(*command, "--frames", "N",
             "Write N pictures of its growth, from the start to the last step; in the name\n"
             "of OUT, a run of # stands for the picture's number",
             [options](const std::string& text) { options->frames = parseCount("--frames", text, 2, 100000); });
    addOverrides(*command, options->overrides, "Replace a value of the texture first; can be repeated");
    addChoice(*command, "--backend", "gpu|reference", "Compute shaders in fp32 (the default), or the CPU in double",
              {"gpu", "reference"}, [options](std::size_t index) { options->reference = index == 1; });
    addProgress(*command, options->progress);
    addDeviceOptions(*command, options->device);
    setFooter(*command,
              "A texture is a JSON object: { \"type\": \"reaction_diffusion\", \"size\": [512, 512], \"steps\": "
              "8000,\n\"feed\": 0.037, \"kill\": 0.06, \"seed_image\": { \"text\": \"GLOW\" }, \"palette\": "
              "[\"#000000\",\n\"#ff8800\"] }. scenes/FORMAT.md lists all keys.\n\n"
              "Examples:\n"
              "  aureole texture labyrinth.json -o labyrinth.png\n"
              "  aureole texture labyrinth.json -o labyrinth.exr --set /steps=20000 --set /seed=7\n"
              "  aureole texture labyrinth.json -o grows.###.png --frames 48\n"
              "  aureole texture labyrinth.json -o exact.exr --backend reference");
    onParsed(*command, [options, command, &invocation] {
        for (const char* name : {"--device", "--allow-cpu"}) {
            if (isGiven(*command, name)) {
                options->ofDevice = name;
            }
        }
        invocation.run = [options, &invocation] { return runTexture(*options, invocation.commandLine); };
    });
}

} // namespace aureole::cli
