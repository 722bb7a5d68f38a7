#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/commands/image_layer.h"
#include "cli/commands/shown_picture.h"
#include "cli/options/arguments.h"
#include "film/picture.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct ConvertOptions {
    std::string input;
    std::string output;
    ShowOptions show;
    std::string layer; ///< empty: the picture's own channels, and in an EXR all
};

ExitCode convert(const ConvertOptions& options) {
    const ImageFormat target = checkOutput(options.output, {ImageFormat::Exr, ImageFormat::Png});
    checkShowOptions(options.show, options.output);
    Image image = readImage(options.input);
    if (!options.layer.empty()) {
        image = takeLayer(std::move(image), options.layer, options.input);
    }
    const bool fromScene = isFromScene(options.input);
    if (target == ImageFormat::Png && fromScene) {
        unassociateAlpha(image);
    } else if (target == ImageFormat::Exr && !fromScene) {
        associateAlpha(image);
    }
    if (target == ImageFormat::Png) {
        image = shown(std::move(image), fromScene, options.show, options.input);
    }
    writeImage(options.output, image);
    return ExitCode::Done;
}

} // namespace

void addConvertCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "convert", "Convert between EXR (linear) and PNG (for display)");
    const auto options = std::make_shared<ConvertOptions>();
    require(addFile(*command, "IN", "", "The image to read, EXR or PNG", imageExtensions(), options->input));
    require(
        addFile(*command, "-o,--output", "OUT", "The image to write, EXR or PNG", imageExtensions(), options->output));
    addShowOptions(*command, options->show);
    addValue(*command, "--layer", "NAME",
             "Take this layer of an EXR, such as albedo, N or depth, as the picture; X, Y and Z\nbecome R, G and B",
             [options](const std::string& text) { options->layer = text; });
    setFooter(*command,
              "Of a PNG, gAMA and sRGB chunks count; another colour profile is warned of. PNG output is sRGB.\n\n"
              "Examples:\n"
              "  aureole convert render.exr -o render.png\n"
              "  aureole convert render.exr -o render.png --exposure 1.5 --tonemap agx\n"
              "  aureole convert render.exr -o albedo.png --layer albedo --tonemap linear\n"
              "  aureole convert photo.png -o photo.exr");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return convert(*options); }; });
}

} // namespace aureole::cli
