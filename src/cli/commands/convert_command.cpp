#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/commands/image_layer.h"
#include "cli/commands/shown_picture.h"
#include "cli/options/arguments.h"
#include "cli/options/setting_options.h"
#include "image/alpha.h"
#include "image/image_file.h"
#include "session/adaptation.h"
#include "session/frame_files.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct ConvertOptions {
    std::string input;
    std::string output;
    ShowOptions show;
    std::string layer; ///< empty: the picture's own channels, and in an EXR all
    std::optional<IndexRange> frames;
};

/// Converts a file. `before` are the stops of the frame before it, and then its own.
void convertFile(const ConvertOptions& options, const std::string& input, const std::string& output,
                 std::optional<double>& before) {
    const ImageFormat target = checkOutput(output, {ImageFormat::Exr, ImageFormat::Png});
    Image image = readImage(input);
    if (!options.layer.empty()) {
        image = takeLayer(std::move(image), options.layer, input);
    }
    const bool fromScene = isFromScene(input);
    if (target == ImageFormat::Png && fromScene) {
        unassociateAlpha(image);
    } else if (target == ImageFormat::Exr && !fromScene) {
        associateAlpha(image);
    }
    if (target == ImageFormat::Png) {
        image = shown(std::move(image), fromScene, options.show, input, before);
    }
    writeShown(output, image, options.show);
    if (options.show.film.isMetered()) {
        before = exposureOf(image, output);
    }
}

ExitCode convert(const ConvertOptions& options) {
    checkShowOptions(options.show, options.output);
    const FilmSettings& film = options.show.film;
    checkFrameOptions({{"--exposure-frames", film.exposureFrames.has_value()}}, options.frames.has_value());
    std::optional<double> before;
    if (!options.frames) {
        convertFile(options, options.input, options.output, before);
        return ExitCode::Done;
    }
    const auto [first, end] = *options.frames;
    if (film.isMetered() && film.framesToAdapt() > 0.0) {
        before = exposureBefore(options.output, first);
    }
    for (std::uint32_t frame = first; frame < end; ++frame) {
        convertFile(options, frameFile(options.input, frame), frameFile(options.output, frame), before);
    }
    return ExitCode::Done;
}

} // namespace

void addConvertCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "convert", "Convert between EXR (linear) and PNG (for display)");
    const auto options = std::make_shared<ConvertOptions>();
    require(addFile(*command, "IN", "", "The image to read: " + imageFormatNames(ImageUse::Read),
                    imageExtensions(ImageUse::Read), options->input));
    require(addOutput(*command, "-o,--output", "OUT", "The image to write, EXR or PNG",
                      imageExtensions(ImageUse::Write), options->output));
    addShowOptions(*command, options->show);
    addValue(*command, "--layer", "NAME",
             "Take this layer of an EXR, such as albedo, N or depth, as the picture; X, Y and Z\nbecome R, G and B",
             [options](const std::string& text) { options->layer = text; });
    addValue(*command, "--frames", "A:B", "Convert frames A to B-1: a run of # in both names stands for the number",
             [options](const std::string& text) { options->frames = parseRange("--frames", text); });
    const Field<FilmSettings>& toAdapt = fieldOf(kFilmFields, "exposureFrames");
    addShowOption(*command, toAdapt, std::string(toAdapt.help), options->show);
    setFooter(*command,
              "Of a PNG, gAMA and sRGB chunks count; another colour profile is warned of. PNG output is sRGB.\n\n"
              "Examples:\n"
              "  aureole convert render.exr -o render.png\n"
              "  aureole convert render.exr -o render.png --exposure 1.5 --tonemap agx\n"
              "  aureole convert turn.##.exr -o turn.##.png --frames 0:48 --exposure auto\n"
              "  aureole convert render.exr -o albedo.png --layer albedo --tonemap linear\n"
              "  aureole convert photo.png -o photo.exr");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return convert(*options); }; });
}

} // namespace aureole::cli
