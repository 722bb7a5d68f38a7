#pragma once

// How commands show a picture that they write as a PNG.

#include <optional>
#include <string>
#include <vector>

#include "cli/options/cli11_forward.h"
#include "image/image.h"
#include "settings/film.h"

namespace aureole::cli {

struct ShowOptions {
    FilmSettings film; ///< its exposure, by default 0
    std::optional<ToneMap> tonemap;
    std::vector<std::string> given; ///< the options
};

/// Adds the option of a setting of `options.film`, which must outlive the command.
void addShowOption(CLI::App& command, const Field<FilmSettings>& field, const std::string& help, ShowOptions& options);

/// Adds --exposure, --exposure-percentile and --tonemap. `options` must outlive the command.
void addShowOptions(CLI::App& command, ShowOptions& options);

/// Refuses the options where the output is no PNG, and those that lack another. Throws Error (Usage).
void checkShowOptions(const ShowOptions& options, const std::string& output);

/// The picture for a PNG, its colours without their alpha: that of a scene, linear light, is tone mapped, a PNG's,
/// which is for display already, only where the options say so. Where it is metered, its attribute kExposureAttribute
/// has the stops, which follow those `before` it. `file` names it in errors.
Image shown(Image image, bool fromScene, const ShowOptions& options, const std::string& file,
            const std::optional<double>& before = {});

/// Writes such a picture, or an EXR as it is. A PNG that was metered notes its stops.
void writeShown(const std::string& output, const Image& image, const ShowOptions& options);

/// Whether a file that is read, by its extension, holds linear light: an EXR, not a PNG. Throws Error (BadInput).
bool isFromScene(const std::string& file);

} // namespace aureole::cli
