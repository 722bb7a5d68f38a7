#pragma once

// From samples to a picture in a file.

#include <functional>
#include <string>

#include "session/render_loop.h"
#include "session/render_prepare.h"

namespace aureole {

/// Renders the picture that `output` will be, and shows it meanwhile; as renderSamples.
FilmSums renderFilm(const Job& job, RenderBackend& backend, const RenderLimits& limits, const std::string& output,
                    std::uint32_t begun, const OnWholeBatch& onWholeBatch, const OnSamples& onSamples,
                    RenderReport& report);

/// Makes the film a picture, with bloom and finish where the scene has them, and writes it. Throws Error.
void savePicture(const Job& job, const FilmSums& film, ImageFormat format, const std::string& output,
                 RenderReport& report);

/// Notes a picture that is written.
void reportPicture(const FilmSums& film, const RenderLimits& limits, const RenderBackend& backend,
                   RenderReport& report);

} // namespace aureole
