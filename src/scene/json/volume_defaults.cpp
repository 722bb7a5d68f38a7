#include "scene/json/volume_defaults.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/printable.h"
#include "import/model_outline.h"
#include "scene/json/model_stage.h"
#include "settings/limits.h"

namespace aureole {

namespace {

/// Of the mean density, along the longest side: white clouds, dark below.
constexpr double kThickness = 40.0;

double longestOf(const DensitySummary& fog) {
    const glm::dvec3 extent = fog.bounds.extent();
    return std::max({extent.x, extent.y, extent.z});
}

} // namespace

void checkDensities(const std::filesystem::path& file, const DensityGrid& grid, const DensitySummary& fog) {
    const std::string place = fmt::format("{}: grid '{}'", file.string(), excerpt(grid.name));
    if (fog.points == 0) {
        fail(ExitCode::BadInput, "{}: found no value above 0, expected some", place);
    }
    const double longest = longestOf(fog);
    if (!(kThickness <= kMaximumNumber * fog.mean * longest)) {
        fail(ExitCode::BadInput, "{}: found values of {:g} in the mean, expected at least {:g}, over {:g} m", place,
             fog.mean, kThickness / (kMaximumNumber * longest), longest);
    }
}

Json volumeScene(const std::filesystem::path& file, const DensitySummary& fog, double aspect, const ModelShow& show) {
    constexpr double kElevation = -9.0; // of the camera, which has the sky behind the cloud
    const double density = kThickness / (fog.mean * longestOf(fog));
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
