#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/commands/colour_layer.h"
#include "cli/commands/finish_image.h"
#include "cli/commands/scene_source.h"
#include "cli/commands/shown_picture.h"
#include "cli/options/arguments.h"
#include "cli/options/finish_options.h"
#include "core/error.h"
#include "image/alpha.h"
#include "image/image_file.h"
#include "session/bloom.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct FinishCommandOptions {
    std::string input;
    std::string output;
    std::string layer;
    SceneSource scene; ///< whose finish it is to be
    FinishOptions finish;
    ShowOptions show;
};

/// The steps that are asked for, and the files of the scene that says so.
struct FinishSteps {
    FinishSettings settings;
    std::vector<std::filesystem::path> files;
};

FinishSteps finishSteps(const FinishCommandOptions& options) {
    const std::optional<Scene> scene = loadSource(options.scene, options.finish.given);
    if (!scene) {
        const FinishSettings settings = options.finish.applied({});
        if (!settings.any()) {
            fail(ExitCode::Usage, "found nothing to do, expected --scene or a step such as --vignette");
        }
        return {settings, {}};
    }
    const FinishSettings settings = lookOfImage(*scene, options.input).finish;
    if (!settings.any()) {
        fail(ExitCode::BadInput, "--scene: {}: found a scene without finish, expected one with it", options.scene.file);
    }
    return {settings, scene->files};
}

/// The files that are written take no place of one that is read, but the image may be finished in its own.
void checkFilesApart(const FinishCommandOptions& options, const FinishSteps& steps) {
    std::vector<NamedFile> read = {{"--scene", options.scene.file},
                                   {"--relief", steps.settings.relief ? steps.settings.relief->image : ""}};
    const std::vector<NamedFile> ofScene = filesOfScene(steps.files);
    read.insert(read.end(), ofScene.begin(), ofScene.end());
    checkApart({{"--output", options.output}}, read);
}

ExitCode runFinish(const FinishCommandOptions& options) {
    const FinishSteps steps = finishSteps(options);
    checkFilesApart(options, steps);
    const ImageFormat target = checkOutput(options.output, {ImageFormat::Exr, ImageFormat::Png});
    checkShowOptions(options.show, options.output);
    if (!options.layer.empty() && target == ImageFormat::Png) {
        fail(ExitCode::Usage, "--layer: found it with {}, expected an .exr, which has layers", options.output);
    }
    const Finish finish(steps.settings);
    Image image = readImage(options.input);
    const bool fromScene = isFromScene(options.input);
    if (!fromScene) {
        associateAlpha(image);
    }
    const ColourLayer layer(image, options.layer, options.input);
    finishImage(image, finish, options.layer, options.input,
                options.scene.file.empty() ? options.finish.given.front() : "--scene");
    layer.restore(image);
    if (target == ImageFormat::Png) {
        unassociateAlpha(image);
        image = shown(std::move(image), fromScene, options.show, options.input);
    }
    writeShown(options.output, image, options.show);
    return ExitCode::Done;
}

} // namespace

void addFinishCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "finish", "Finish any image: colours, relief, lens, vignette, grain");
    const auto options = std::make_shared<FinishCommandOptions>();
    require(addFile(*command, "IN", "", "The image to finish; channels other than colour are kept",
                    imageExtensions(ImageUse::Read), options->input));
    require(addOutput(*command, "-o,--output", "OUT", "The image to write, EXR or PNG",
                      imageExtensions(ImageUse::Write), options->output));
    addValue(*command, "--layer", "NAME", "Finish the channels NAME.R, NAME.G, NAME.B instead of R, G, B",
             [options](const std::string& text) { options->layer = text; });
    addFinishOptions(*command, options->finish);
    addFile(*command, "--scene", "SCENE", "Take the finish from this scene instead of options", sceneExtensions(),
            options->scene.file);
    addOverrides(*command, options->scene.overrides);
    addShowOptions(*command, options->show);
    setFooter(*command,
              "The steps from --palette to --grain are done in that order, on linear light, and noted in an EXR as\n"
              "aureole.finish. 'aureole bloom' has the same after its bloom.\n\n"
              "Examples:\n"
              "  aureole finish photo.png -o film.png --vignette 0.4 --grain 0.1 --distortion -0.1\n"
              "  aureole finish render.exr -o final.exr --palette '#000020,#ff8000,#ffffff'\n"
              "  aureole finish merged.exr -o final.exr --scene scenes/balls.json --set /finish/vignette=0.4");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return runFinish(*options); }; });
}

} // namespace aureole::cli
