#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bloom/filter.h"
#include "cli/commands.h"
#include "cli/commands/colour_layer.h"
#include "cli/commands/finish_image.h"
#include "cli/options/arguments.h"
#include "cli/options/bloom_kernel_options.h"
#include "cli/options/bloom_mode_options.h"
#include "cli/options/device_options.h"
#include "cli/options/finish_options.h"
#include "cli/options/setting_options.h"
#include "core/error.h"
#include "core/log.h"
#include "film/picture.h"
#include "image/exr/exr.h"
#include "image/finish/finish.h"
#include "scene/load.h"
#include "session/bloom.h"
#include "session/octree.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct BloomOptions {
    std::string input;
    std::string output;
    std::string layer;
    std::string scene;                    ///< whose bloom and finish it is to be; empty: those of the options
    std::vector<SceneOverride> overrides; ///< of that scene
    KernelOptions kernel;
    ModeOptions mode;
    std::string kernelOutput;
    FinishOptions finish;
    gpu::DeviceRequest device;
    std::vector<std::string> ofSteps;  ///< the options given that a scene has in its bloom and finish
    std::vector<std::string> ofImages; ///< the options given that say how an image is bloomed
};

/// Writes the kernel alone, as there is no image to bloom.
ExitCode writeKernel(const BloomOptions& options, const BloomSettings& settings) {
    if (!options.output.empty()) {
        fail(ExitCode::Usage, "IN.exr is required with --output");
    }
    if (options.kernelOutput.empty()) {
        fail(ExitCode::Usage, "IN.exr and --output are required, or --kernel-out to save a kernel");
    }
    if (!options.ofImages.empty()) {
        fail(ExitCode::Usage, "{}: found it without an image, expected IN.exr; the kernel does not depend on it",
             options.ofImages.front());
    }
    if (isGeneratedBloomKernel(settings.kernel) && settings.kernelSize == 0) {
        fail(ExitCode::Usage, "--kernel-size is required without an image");
    }
    checkOutput(options.kernelOutput, {ImageFormat::Exr});
    Image square;
    square.width = square.height = std::max(settings.kernelSize, 1U);
    const BloomView view = bloomViewOf(square, options.kernel.fieldOfView);
    const BloomKernel kernel = makeBloomKernel(settings, view.size, view.degreesPerPixel);
    writeExr(options.kernelOutput, kernelToImage(kernel));
    return ExitCode::Done;
}

/// What is done to the image.
struct BloomSteps {
    BloomSettings bloom;
    BloomMethod method;
    FinishSettings finish;
    std::vector<std::filesystem::path> files; ///< of the scene that says so
};

/// The files that are written take no place of one that is read, but the image may be bloomed in its own.
void checkFilesApart(const BloomOptions& options, const BloomSteps& steps) {
    const BloomSettings& bloom = steps.bloom;
    std::vector<NamedFile> read = {{"--kernel", isGeneratedBloomKernel(bloom.kernel) ? "" : bloom.kernel},
                                   {"--aperture-image", bloom.aperture.image},
                                   {"--scene", options.scene},
                                   {"--relief", steps.finish.relief ? steps.finish.relief->image : ""}};
    for (const std::filesystem::path& file : steps.files) {
        read.push_back({"a file of the scene", file.string()});
    }
    checkApart({{"--kernel-out", options.kernelOutput}, {"--output", options.output}}, read);
    checkApart({{"--kernel-out", options.kernelOutput}}, {{"--output", options.output}, {"IN.exr", options.input}});
}

BloomSteps stepsOfOptions(const BloomOptions& options) {
    if (!options.overrides.empty()) {
        fail(ExitCode::Usage, "--set: found it without --scene, expected both or none");
    }
    BloomSteps steps{options.kernel.settings, bloomMethod(options.kernel.settings), options.finish.applied({}), {}};
    steps.method.mode = options.mode.mode;
    steps.method.filter = options.mode.chosenFilter();
    return steps;
}

BloomSteps stepsOfScene(const BloomOptions& options) {
    const std::string& file = options.scene;
    if (!options.ofSteps.empty()) {
        fail(ExitCode::Usage, "{}: found it with --scene, expected one of them", options.ofSteps.front());
    }
    const std::optional<SceneCaches> caches = openSceneCaches(true);
    const Scene scene = loadScene(file, options.overrides, caches ? &caches->outlines : nullptr);
    if (!scene.bloom.enabled) {
        fail(ExitCode::BadInput, "--scene: {}: found a scene without bloom, expected one with it", file);
    }
    const Look look = options.input.empty() ? lookOf(scene) : lookOfImage(scene, options.input);
    return {look.bloom, bloomMethod(look.bloom), look.finish, scene.files};
}

/// Blooms and finishes the image that the options name, and writes it, and the kernel where that is asked for.
void bloomImage(const BloomOptions& options, const BloomSteps& steps) {
    std::optional<Finish> finish;
    if (steps.finish.any()) {
        finish.emplace(steps.finish);
    }
    Image image = readImage(options.input);
    if (const std::optional<std::string> before = bloomMarkOf(image, options.layer)) {
        logWarning("{}: found an image that bloom went over before ({}), expected one without: light is spread twice",
                   options.input, *before);
    }
    const ColourLayer layer(image, options.layer, options.input);
    const BloomView view = bloomViewOf(image, options.kernel.fieldOfView);
    const BloomKernel kernel = makeBloomKernel(steps.bloom, view.size, view.degreesPerPixel);
    if (!options.kernelOutput.empty()) {
        writeExr(options.kernelOutput, kernelToImage(kernel));
    }
    const gpu::Device device = gpu::Device::open(options.device);
    ImageBloom bloom(device, image.width, image.height, kernel, steps.method);
    Image bloomed = bloom.apply(std::move(image), options.input);
    markBloomed(bloomed, options.layer, describeBloom(steps.bloom, kernel, steps.method));
    if (finish) {
        finishImage(bloomed, *finish, options.layer, options.input,
                    options.scene.empty() ? options.finish.given.front() : "--scene");
    }
    layer.restore(bloomed);
    writeExr(options.output, bloomed);
    logInfo("{}: bloom with a kernel of {}x{} in {:.2f} ms", options.output, kernel.width, kernel.height,
            bloom.milliseconds());
}

ExitCode runBloom(const BloomOptions& options) {
    checkKernelOptions(options.kernel);
    checkModeOptions(options.mode);
    const BloomSteps steps = options.scene.empty() ? stepsOfOptions(options) : stepsOfScene(options);
    checkFilesApart(options, steps);
    if (options.input.empty()) {
        return writeKernel(options, steps.bloom);
    }
    if (options.output.empty()) {
        fail(ExitCode::Usage, "--output is required");
    }
    checkOutput(options.output, {ImageFormat::Exr});
    if (!options.kernelOutput.empty()) {
        checkOutput(options.kernelOutput, {ImageFormat::Exr});
    }
    bloomImage(options, steps);
    return ExitCode::Done;
}

/// The options given of some, but for those that have a meaning beside a scene's bloom too.
std::vector<std::string> givenSteps(const std::vector<CLI::Option*>& options) {
    constexpr std::array kBeside = {"IN.exr", "--output", "--layer", "--fov", "--kernel-out", "--help"};
    std::vector<std::string> given;
    for (const CLI::Option* option : options) {
        const std::string name = option->get_name();
        if (option->count() > 0 && std::find(kBeside.begin(), kBeside.end(), name) == kBeside.end()) {
            given.push_back(name);
        }
    }
    return given;
}

} // namespace

void addBloomCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("bloom", "Add bloom to a linear image");
    const auto options = std::make_shared<BloomOptions>();
    addFile(*command, "IN.exr", "",
            "The image to bloom; channels other than colour are kept, but for the sums\n"
            "of a part. Without one, only the kernel is made, for --kernel-out",
            {"exr"}, options->input);
    addFile(*command, "-o,--output", "OUT.exr", "The image to write", {"exr"}, options->output);
    addValue(*command, "--layer", "NAME", "Bloom the channels NAME.R, NAME.G, NAME.B instead of R, G, B",
             [options](const std::string& text) { options->layer = text; });
    addKernelOptions(*command, options->kernel);
    addFile(*command, "--kernel-out", "FILE.exr", "Write the kernel that was used", {"exr"}, options->kernelOutput);
    BloomSettings& settings = options->kernel.settings;
    addSettingOf(*command, fieldOf(kBloomFields, "sharpen"), settings);
    addSettingOf(*command, fieldOf(kBloomFields, "padding"), settings);
    addModeOptions(*command, options->mode);
    addFinishOptions(*command, options->finish);
    const std::vector<CLI::Option*> before = command->get_options();
    addFile(*command, "--scene", "SCENE",
            "Take bloom and finish from this scene instead of options, as render does for a\n"
            "picture that is no part",
            sceneExtensions(), options->scene);
    addOverrides(*command, options->overrides);
    addDeviceOptions(*command, options->device);
    command->footer(
        "The result notes the bloom as aureole.bloom and is no part any more: merge refuses it, so that parts\n"
        "are merged first. Blooming it again is warned of. What follows bloom, from --palette to --grain, is done in\n"
        "that order and noted as aureole.finish.\n\n"
        "Examples:\n"
        "  aureole bloom merged.exr -o final.exr\n"
        "  aureole bloom merged.exr -o final.exr --scene scenes/balls.json\n"
        "  aureole bloom in.exr -o out.exr --kernel star.png --sharpen 0.3\n"
        "  aureole bloom merged.exr -o film.exr --vignette 0.4 --grain 0.1 --palette '#000020,#ff8000,#ffffff'\n"
        "  aureole bloom in.exr -o out.exr --kernel aperture --f-number 22 --blades 7 --dust 30\n"
        "  aureole bloom in.exr -o out.exr --kernel eye --adaptation 0.05 --fov 40\n"
        "  aureole bloom --kernel airy --kernel-size 513 --fov 1 --kernel-out kernel.exr");
    command->callback([options, command, before, &invocation] {
        options->ofSteps = givenSteps(before);
        for (const char* name : {"--layer", "--scene", "--set", "--sharpen", "--padding", "--mode", "--resample"}) {
            if (command->count(name) > 0) {
                options->ofImages.emplace_back(name);
            }
        }
        options->ofImages.insert(options->ofImages.end(), options->finish.given.begin(), options->finish.given.end());
        invocation.run = [options] { return runBloom(*options); };
    });
}

} // namespace aureole::cli
