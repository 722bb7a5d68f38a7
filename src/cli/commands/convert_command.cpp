#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/commands/image_layer.h"
#include "cli/options/arguments.h"
#include "cli/options/setting_options.h"
#include "film/picture.h"
#include "image/colour/tonemap.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct ConvertOptions {
    std::string input;
    std::string output;
    std::optional<double> exposure;
    std::optional<ToneMap> tonemap;
    std::string layer; ///< empty: the picture's own channels, and in an EXR all
};

ExitCode convert(const ConvertOptions& options) {
    const ImageFormat target = checkOutput(options.output, {ImageFormat::Exr, ImageFormat::Png});
    const bool asked = options.exposure.has_value() || options.tonemap.has_value();
    checkPngOptions({{"--exposure", options.exposure.has_value()}, {"--tonemap", options.tonemap.has_value()}}, target,
                    options.output);
    Image image = readImage(options.input);
    if (!options.layer.empty()) {
        image = takeLayer(std::move(image), options.layer, options.input);
    }
    // A PNG is display-referred already.
    const bool fromScene = imageFormat(options.input, ExitCode::BadInput) == ImageFormat::Exr;
    if (target == ImageFormat::Png && fromScene) {
        unassociateAlpha(image);
    } else if (target == ImageFormat::Exr && !fromScene) {
        associateAlpha(image);
    }
    if (target == ImageFormat::Png && (fromScene || asked)) {
        const ToneMap operation = options.tonemap.value_or(fromScene ? ToneMap::Filmic : ToneMap::Linear);
        image = toneMap(image, operation, options.exposure.value_or(0.0), options.input);
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
    addSetting(*command, fieldOf(kFilmFields, "exposure"),
               "Brighten by this many stops before tone mapping; 0 by default",
               [options](const SettingValue& value) { options->exposure = std::get<double>(value); });
    addSetting(*command, fieldOf(kFilmFields, "tonemap"),
               fmt::format("One of {};\nfilmic by default, linear for a PNG", fmt::join(toneMapNames(), ", ")),
               [options](const SettingValue& value) {
                   options->tonemap = static_cast<ToneMap>(std::get<std::uint32_t>(value));
               });
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
