#include "cli/commands/shown_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/setting_options.h"
#include "core/error.h"
#include "film/marks.h"
#include "image/attributes.h"
#include "image/colour/meter.h"
#include "image/colour/tonemap.h"
#include "image/exr/exr.h"
#include "image/image_file.h"
#include "image/png/png.h"
#include "session/adaptation.h"
#include "session/output.h"

namespace aureole::cli {

void addShowOption(CLI::App& command, const Field<FilmSettings>& field, const std::string& help, ShowOptions& options) {
    addSetting(command, field, help, [&options, &field](const SettingValue& value) {
        field.put(options.film, value);
        options.given.emplace_back(field.option);
    });
}

void addShowOptions(CLI::App& command, ShowOptions& options) {
    addShowOption(command, fieldOf(kFilmFields, "exposure"),
                  "Brighten by this many stops before tone mapping, 0 by default, or meter the picture", options);
    const Field<FilmSettings>& percentile = fieldOf(kFilmFields, "exposurePercentile");
    addShowOption(command, percentile, std::string(percentile.help), options);
    addSetting(command, fieldOf(kFilmFields, "tonemap"),
               fmt::format("One of {};\nfilmic by default, linear for a PNG", fmt::join(toneMapNames(), ", ")),
               [&options](const SettingValue& value) {
                   options.tonemap = static_cast<ToneMap>(std::get<std::uint32_t>(value));
                   options.given.emplace_back("--tonemap");
               });
}

void checkShowOptions(const ShowOptions& options, const std::string& output) {
    for (const std::string& option : options.given) {
        checkPngOption(option, true, outputFormat(output), output);
    }
    if (const std::optional<IdleMetering> idle = findIdleMetering(options.film)) {
        fail(ExitCode::Usage, "{}: {}", idle->setting->option, idle->message);
    }
}

Image shown(Image image, bool fromScene, const ShowOptions& options, const std::string& file,
            const std::optional<double>& before) {
    if (!fromScene && options.given.empty()) {
        return image;
    }
    const ToneMap operation = options.tonemap.value_or(fromScene ? ToneMap::Filmic : ToneMap::Linear);
    double stops = options.film.exposure;
    if (options.film.isMetered()) {
        const std::optional<double> metered = meteredStops(image, options.film.meteredPercentile(), false, file);
        const std::optional<double> adapted = adaptedStops(before, metered, options.film.framesToAdapt());
        image.attributes[kExposureAttribute] = exposureText(adapted);
        stops = adapted.value_or(0.0);
    }
    return toneMap(image, operation, stops, file);
}

void writeShown(const std::string& output, const Image& image, const ShowOptions& options) {
    if (outputFormat(output) == ImageFormat::Exr) {
        writeExr(output, image);
        return;
    }
    PngOptions png;
    png.text = pngNotes(image, options.film.isMetered());
    writePng(output, image, png);
}

bool isFromScene(const std::string& file) {
    return isLinear(imageFormat(file));
}

} // namespace aureole::cli
