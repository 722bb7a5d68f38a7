#pragma once

#include <optional>

#include "scene/scene.h"

namespace aureole {

/// log2(N^2 / t * 100 / S): the exposure value at ISO 100 of a photograph. Lagarde and de Rousiers, "Moving Frostbite
/// to Physically Based Rendering" (2014), section 5.1.1.
double exposureValue100(const Exposure& photograph);

/// The stops by which radiances are scaled, as 2^stops, before tone mapping. Where the camera says how the photograph
/// is taken, the luminance that saturates a sensor, 78 / (0.65 * 100) * 2^EV100 = 1.2 * 2^EV100 cd/m^2 (ISO 12232's
/// saturation-based speed; Lagarde and de Rousiers, section 5.1.2), becomes 1, and the camera's `exposure` goes on top.
/// Otherwise that is all, or the film's where the camera has none; nothing where that is to be metered.
std::optional<double> exposureStops(const FilmSettings& film, const Camera& camera);

} // namespace aureole
