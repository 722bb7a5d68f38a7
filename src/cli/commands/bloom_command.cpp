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
#include "cli/commands/scene_source.h"
#include "cli/options/arguments.h"
#include "cli/options/bloom_kernel_options.h"
#include "cli/options/bloom_mode_options.h"
#include "cli/options/device_options.h"
#include "cli/options/finish_options.h"
#include "cli/options/setting_options.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "core/log.h"
#include "core/threads/parallel.h"
#include "film/marks.h"
#include "image/exr/exr.h"
#include "image/finish/finish.h"
#include "session/bloom.h"
#include "session/frame_files.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct BloomOptions {
    std::vector<std::string> inputs;
    std::string output;
    std::string layer;
    SceneSource scene; ///< whose bloom and finish it is to be
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

/// The picture to write of an image: `output`, with the number in the image's name for a run of # in it.
std::string outputOf(const std::string& input, const std::string& output) {
    const std::string name = std::filesystem::path(output).filename().string();
    if (name.find('#') == std::string::npos) {
        return output;
    }
    const std::string stem = std::filesystem::path(input).stem().string();
    const std::size_t last = stem.find_last_of("0123456789");
    const std::size_t before = last == std::string::npos ? last : stem.find_last_not_of("0123456789", last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    constexpr std::size_t kMostDigits = 9;
    if (last == std::string::npos || last + 1 - first > kMostDigits) {
        fail(ExitCode::Usage, "{}: found no number of at most {} digits in its name, expected one for the # of {}",
             input, kMostDigits, output);
    }
    return frameFile(output, static_cast<std::uint32_t>(std::stoul(stem.substr(first, last + 1 - first))));
}

/// The files that are written take no place of one that is read, but a single image may be bloomed in its own.
void checkFilesApart(const BloomOptions& options, const BloomSteps& steps) {
    const BloomSettings& bloom = steps.bloom;
    std::vector<NamedFile> read = {{"--kernel", isGeneratedBloomKernel(bloom.kernel) ? "" : bloom.kernel},
                                   {"--aperture-image", bloom.aperture.image},
                                   {"--scene", options.scene.file},
                                   {"--relief", steps.finish.relief ? steps.finish.relief->image : ""}};
    const std::vector<NamedFile> ofScene = filesOfScene(steps.files);
    read.insert(read.end(), ofScene.begin(), ofScene.end());
    std::vector<NamedFile> written = {{"--kernel-out", options.kernelOutput}};
    std::vector<NamedFile> images;
    for (const std::string& input : options.inputs) {
        written.push_back({"--output", outputOf(input, options.output)});
        images.push_back({"IN.exr", input});
    }
    checkApart(written, read);
    if (options.inputs.size() > 1) {
        checkApart(written, images);
    } else {
        images.push_back({"--output", options.output});
        checkApart({{"--kernel-out", options.kernelOutput}}, images);
    }
}

/// What is done to each image, by the options or by their scene, of which it may hang on what is metered of the image.
class StepsSource {
public:
    explicit StepsSource(const BloomOptions& options)
        : options_(&options)
        , scene_(loadSource(options.scene, options.ofSteps)) {
        if (scene_ && !scene_->bloom.enabled) {
            fail(ExitCode::BadInput, "--scene: {}: found a scene without bloom, expected one with it",
                 options.scene.file);
        }
    }

    /// The steps for the image in a file, or, where `input` is empty, for none.
    BloomSteps of(const std::string& input) const {
        if (scene_) {
            const Look look = input.empty() ? lookOf(*scene_) : lookOfImage(*scene_, input);
            return {look.bloom, bloomMethod(look.bloom), look.finish, scene_->files};
        }
        const BloomSettings& settings = options_->kernel.settings;
        BloomSteps steps{settings, bloomMethod(settings), options_->finish.applied({}), {}};
        steps.method.mode = options_->mode.mode;
        steps.method.filter = options_->mode.chosenFilter();
        return steps;
    }

private:
    const BloomOptions* options_;
    std::optional<Scene> scene_;
};

/// Blooms, finishes and writes images, one after the other. The kernel's spectrum and all else that is made for a size
/// of images stay for those that follow.
class Bloomer {
public:
    explicit Bloomer(const BloomOptions& options)
        : options_(&options) {}

    void bloom(const std::string& input, const BloomSteps& steps) {
        std::optional<Finish> finish;
        if (steps.finish.any()) {
            finish.emplace(steps.finish);
        }
        Image image;
        concurrently({[&] { image = readImage(input); }, [&] { makeReadyFor(input, steps); }});
        if (const std::optional<std::string> before = bloomMarkOf(image, options_->layer)) {
            logWarning(
                "{}: found an image that bloom went over before ({}), expected one without: light is spread twice",
                input, *before);
        }
        const ColourLayer layer(image, options_->layer, input);
        makeReady(shapeOf(image), steps);
        if (!options_->kernelOutput.empty()) {
            writeExr(options_->kernelOutput, kernelToImage(*kernel_));
        }
        const double before = bloom_->milliseconds();
        Image bloomed = bloom_->apply(std::move(image), input);
        markBloomed(bloomed, options_->layer, describeBloom(steps.bloom, *kernel_, steps.method));
        if (finish) {
            finishImage(bloomed, *finish, options_->layer, input,
                        options_->scene.file.empty() ? options_->finish.given.front() : "--scene");
        }
        layer.restore(bloomed);
        const std::string output = outputOf(input, options_->output);
        writeExr(output, bloomed);
        logInfo("{}: bloom with a kernel of {}x{} in {:.2f} ms", output, kernel_->width, kernel_->height,
                bloom_->milliseconds() - before);
    }

private:
    /// What of an image its bloom depends on.
    struct Shape {
        glm::uvec2 size{0};
        BloomView view;
    };

    Shape shapeOf(const Image& image) const {
        return {{image.width, image.height}, bloomViewOf(image, options_->kernel.fieldOfView)};
    }

    /// Makes what an image needs by its head, while a worker decodes its pixels. What is wrong with a file is for the
    /// worker to say.
    void makeReadyFor(const std::string& input, const BloomSteps& steps) {
        isReady_ = false;
        std::optional<Image> head;
        try {
            head = readExrHead(input);
        } catch (const Error&) {
            return;
        }
        makeReady(shapeOf(*head), steps);
    }

    /// Makes the kernel and its bloom, unless they were made by the image's head, or those of the image before serve.
    void makeReady(const Shape& shape, const BloomSteps& steps) {
        const auto& [size, view] = shape;
        if (isReady_ && size == shape_.size && view.size == shape_.view.size &&
            view.degreesPerPixel == shape_.view.degreesPerPixel) {
            return;
        }
        BloomKernel kernel;
        concurrently({[&, &view = view] { kernel = makeBloomKernel(steps.bloom, view.size, view.degreesPerPixel); },
                      [&] {
                          if (!device_) {
                              device_ = gpu::Device::open(options_->device);
                          }
                      }});
        if (bloom_ && size == shape_.size && kernel.width == kernel_->width && kernel.height == kernel_->height &&
            kernel.planes == kernel_->planes) {
            bloom_->setSharpen(steps.method.sharpen); // which may be keyed
        } else {
            bloom_.reset(); // its memory is free before the next one takes as much
            kernel_ = std::move(kernel);
            bloom_.emplace(*device_, size.x, size.y, *kernel_, steps.method);
        }
        shape_ = shape;
        isReady_ = true;
    }

    const BloomOptions* options_;
    std::optional<gpu::Device> device_;
    std::optional<BloomKernel> kernel_;
    std::optional<ImageBloom> bloom_;
    Shape shape_;          ///< of the image that these were made for
    bool isReady_ = false; ///< they are those of the image under way
};

/// Refuses what only one image can have.
void checkSeveral(const BloomOptions& options) {
    if (options.inputs.size() < 2) {
        return;
    }
    if (std::filesystem::path(options.output).filename().string().find('#') == std::string::npos) {
        fail(
            ExitCode::Usage,
            "--output: found {} with {} images, expected one run of # in its name, for the number in each image's name",
            options.output, options.inputs.size());
    }
    if (!options.kernelOutput.empty()) {
        fail(ExitCode::Usage, "--kernel-out: found it with {} images, expected one: each may have its own kernel",
             options.inputs.size());
    }
}

ExitCode runBloom(const BloomOptions& options) {
    checkKernelOptions(options.kernel);
    checkModeOptions(options.mode);
    const StepsSource source(options);
    const BloomSteps steps = source.of(options.inputs.empty() ? "" : options.inputs.front());
    if (!options.output.empty()) {
        checkSeveral(options);
    }
    checkFilesApart(options, steps);
    if (options.inputs.empty()) {
        return writeKernel(options, steps.bloom);
    }
    if (options.output.empty()) {
        fail(ExitCode::Usage, "--output is required");
    }
    for (const std::string& input : options.inputs) {
        checkOutput(outputOf(input, options.output), {ImageFormat::Exr});
    }
    if (!options.kernelOutput.empty()) {
        checkOutput(options.kernelOutput, {ImageFormat::Exr});
    }
    Bloomer bloomer(options);
    for (const std::string& input : options.inputs) {
        bloomer.bloom(input, source.of(input));
    }
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

/// What is bloomed, and how.
void addStepOptions(CLI::App& command, BloomOptions& options) {
    setHint(command,
            addTexts(command, "IN.exr", "",
                     "The image to bloom, or several; channels other than colour are kept, but for the\n"
                     "sums of a part. Without one, only the kernel is made, for --kernel-out",
                     options.inputs),
            {.files = true, .extensions = {"exr"}});
    addOutput(command, "-o,--output", "OUT.exr",
              "The image to write; of several, a run of # in its name stands for the number in each\nimage's name",
              {"exr"}, options.output);
    addValue(command, "--layer", "NAME", "Bloom the channels NAME.R, NAME.G, NAME.B instead of R, G, B",
             [&options](const std::string& text) { options.layer = text; });
    addKernelOptions(command, options.kernel);
    addOutput(command, "--kernel-out", "FILE.exr", "Write the kernel that was used", {"exr"}, options.kernelOutput);
    addSettingOf(command, fieldOf(kBloomFields, "sharpen"), options.kernel.settings);
    addSettingOf(command, fieldOf(kBloomFields, "padding"), options.kernel.settings);
    addModeOptions(command, options.mode);
    addFinishOptions(command, options.finish);
}

} // namespace

void addBloomCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "bloom", "Add bloom to a linear image");
    const auto options = std::make_shared<BloomOptions>();
    addStepOptions(*command, *options);
    const std::vector<CLI::Option*> before = command->get_options();
    addFile(*command, "--scene", "SCENE",
            "Take bloom and finish from this scene instead of options, as render does for a\n"
            "picture that is no part",
            sceneExtensions(), options->scene.file);
    addOverrides(*command, options->scene.overrides);
    addDeviceOptions(*command, options->device);
    setFooter(
        *command,
        "The result notes the bloom as aureole.bloom and is no part any more: merge refuses it, so that parts\n"
        "are merged first. Blooming it again is warned of. What follows bloom, from --palette to --grain, is done in\n"
        "that order and noted as aureole.finish.\n\n"
        "Examples:\n"
        "  aureole bloom merged.exr -o final.exr\n"
        "  aureole bloom merged.exr -o final.exr --scene scenes/balls.json\n"
        "  aureole bloom turn.001.exr turn.002.exr -o bloomed.###.exr\n"
        "  aureole bloom in.exr -o out.exr --kernel star.png --sharpen 0.3\n"
        "  aureole bloom merged.exr -o film.exr --vignette 0.4 --grain 0.1 --palette '#000020,#ff8000,#ffffff'\n"
        "  aureole bloom in.exr -o out.exr --kernel aperture --f-number 22 --blades 7 --dust 30\n"
        "  aureole bloom in.exr -o out.exr --kernel eye --adaptation 0.05 --fov 40\n"
        "  aureole bloom --kernel airy --kernel-size 513 --fov 1 --kernel-out kernel.exr");
    onParsed(*command, [options, command, before, &invocation] {
        options->ofSteps = givenSteps(before);
        for (const char* name : {"--layer", "--scene", "--set", "--sharpen", "--padding", "--mode", "--resample"}) {
            if (isGiven(*command, name)) {
                options->ofImages.emplace_back(name);
            }
        }
        options->ofImages.insert(options->ofImages.end(), options->finish.given.begin(), options->finish.given.end());
        invocation.run = [options] { return runBloom(*options); };
    });
}

} // namespace aureole::cli
