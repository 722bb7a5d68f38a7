#include "cli/commands/shown_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/setting_options.h"
#include "image/colour/tonemap.h"
#include "image/image_file.h"
#include "session/output.h"

namespace aureole::cli {

void addShowOptions(CLI::App& command, ShowOptions& options) {
    addSetting(command, fieldOf(kFilmFields, "exposure"),
               "Brighten by this many stops before tone mapping; 0 by default",
               [&options](const SettingValue& value) { options.exposure = std::get<double>(value); });
    addSetting(command, fieldOf(kFilmFields, "tonemap"),
               fmt::format("One of {};\nfilmic by default, linear for a PNG", fmt::join(toneMapNames(), ", ")),
               [&options](const SettingValue& value) {
                   options.tonemap = static_cast<ToneMap>(std::get<std::uint32_t>(value));
               });
}

void checkShowOptions(const ShowOptions& options, const std::string& output) {
    checkPngOptions({{"--exposure", options.exposure.has_value()}, {"--tonemap", options.tonemap.has_value()}},
                    imageFormat(output, ExitCode::Usage), output);
}

Image shown(Image image, bool fromScene, const ShowOptions& options, const std::string& file) {
    if (!fromScene && !options.given()) {
        return image;
    }
    const ToneMap operation = options.tonemap.value_or(fromScene ? ToneMap::Filmic : ToneMap::Linear);
    return toneMap(image, operation, options.exposure.value_or(0.0), file);
}

bool isFromScene(const std::string& file) {
    return imageFormat(file, ExitCode::BadInput) == ImageFormat::Exr;
}

} // namespace aureole::cli
