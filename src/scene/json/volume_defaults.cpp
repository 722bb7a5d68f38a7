#include "scene/json/volume_defaults.h"

#include <algorithm>

#include "import/model_outline.h"
#include "scene/json/model_stage.h"

namespace aureole {

Json volumeScene(const std::filesystem::path& file, const DensitySummary& fog, double aspect, const ModelShow& show) {
    constexpr double kThickness = 40.0; // of the mean density, along the longest side: white clouds, dark below
    constexpr double kElevation = -9.0; // of the camera, which has the sky behind the cloud
    const glm::dvec3 extent = fog.bounds.extent();
    const double longest = std::max({extent.x, extent.y, extent.z});
    const double density = fog.mean > 0.0 ? kThickness / (fog.mean * longest) : 1.0;
    ModelView view = show.view.value_or(ModelView{});
    view.elevation = show.view ? view.elevation : kElevation;
    Json scene = {
        {"version", 1},
        {"assets",
         {{"model", {{"volume", {{"file", file.filename().string()}, {"density", density}, {"anisotropy", 0.6}}}}}}},
        {"instances", {{"model", {{"asset", "model"}}}}},
        {"cameras", {{"framed", framedCamera(cornersOf(fog.bounds), view, aspect)}}},
        {"camera", "framed"},
    };
    addStage(scene, show.stage.value_or(ModelStage::Outdoor), view);
    scene.erase("materials"); // of the floor, which clouds have none of
    if (!show.picture) {
        scene.erase("film");
    }
    return scene;
}

} // namespace aureole
