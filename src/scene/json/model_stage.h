#pragma once

#include <span>
#include <vector>

#include "core/math.h"
#include "model/light.h"
#include "scene/json/json_document.h"
#include "settings/model_show.h"

namespace aureole {

inline Json toJson(const glm::dvec3& v) {
    return Json::array({v.x, v.y, v.z});
}

/// A camera on these points from there, as near as they all stay in a film of that aspect, width over height, and with
/// as much room to their left as to their right, above as below.
Json framedCamera(const std::vector<glm::dvec3>& points, const ModelView& view, double aspect);

/// Puts the film of a picture into the scene: denoised, and exposed by what it shows, nearly all of it below white.
void addMeteredFilm(Json& scene);

/// Puts the environment of a stage into the scene, its lamps placed by the camera's azimuth, and the material of its
/// floor, in whose light the environment goes on below the horizon, so that the floor ends nowhere: both have one
/// radiance but for the model's shadow. For a picture, the exposure too.
void addStage(Json& scene, ModelStage stage, const ModelView& view);

/// Puts a soft sky into the scene that fills the shadows of a model's own lights, whatever the unit of these, and a
/// floor that goes on at the horizon and below as it is at `floorBehind`, where it ends behind the model. For a
/// picture, the exposure too. Says no where the lights do not reach the model; nothing is put there then.
bool addFill(Json& scene, std::span<const PunctualLight> lights, const Bounds& model, const glm::dvec3& floorBehind);

/// Puts a model's own light into the scene, and a floor of its ground, whose radiance goes on below the horizon. For a
/// picture, the exposure too.
void addDaylight(Json& scene, const Daylight& light);

} // namespace aureole
