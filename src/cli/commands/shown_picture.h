#pragma once

// How commands show a picture that they write as a PNG.

#include <optional>
#include <string>

#include "cli/options/cli11_forward.h"
#include "image/image.h"
#include "settings/film.h"

namespace aureole::cli {

struct ShowOptions {
    std::optional<double> exposure;
    std::optional<ToneMap> tonemap;

    bool given() const { return exposure.has_value() || tonemap.has_value(); }
};

/// Adds --exposure and --tonemap. `options` must outlive the command.
void addShowOptions(CLI::App& command, ShowOptions& options);

/// Refuses the options where the output is no PNG. Throws Error (Usage).
void checkShowOptions(const ShowOptions& options, const std::string& output);

/// The picture for a PNG, its colours without their alpha: that of a scene, linear light, is tone mapped, a PNG's,
/// which is for display already, only where the options say so. `file` names it in errors.
Image shown(Image image, bool fromScene, const ShowOptions& options, const std::string& file);

/// Whether a file that is read, by its extension, holds linear light: an EXR, not a PNG. Throws Error (BadInput).
bool isFromScene(const std::string& file);

} // namespace aureole::cli
