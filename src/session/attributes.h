#pragma once

#include <map>
#include <optional>
#include <string>

#include "image/image.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "session/options.h"
#include "session/report.h"

namespace aureole {

/// The angle in degrees that a pixel spans, where all span the same.
std::optional<double> pixelAngle(const Scene& scene, const View& view);

/// Notes the settings that their tables say are noted in pictures, or in a checkpoint, as aureole.*.
void noteSettings(const Scene& scene, bool checkpoint, std::map<std::string, std::string>& attributes);

/// Notes in a rendered image what it shows and how it was made, as attributes whose names begin with "aureole.".
void addAttributes(Image& image, const Scene& scene, const View& view, const RenderOptions& options,
                   const RenderReport& report);

} // namespace aureole
