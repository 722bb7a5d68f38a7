#include "scene/json/model_defaults.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "core/log.h"
#include "import/model_outline.h"
#include "scene/json/model_stage.h"
#include "scene/json/volume_defaults.h"
#include "scene/nearest_visible.h"

namespace aureole {

namespace {

constexpr double kModelVoxels = 512.0; ///< along the model's longest side
constexpr double kMostPointVoxels = 2048.0;
constexpr double kFloorReach = 3.0; ///< the floor's side over the model's longest, which its shadow has room on

constexpr std::uint32_t kApartResolution = 512; ///< of a floor that has an octree of its own

/// Leaves room for the floor, which is wider than the model, and the camera, which stands apart from it.
constexpr double kMaximumReach = kMaximumNumber / 100.0;

/// Of what is smaller, rays of single precision hit nothing.
constexpr double kLeastExtent = 1e-15;

/// A square floor and the voxels that the whole scene gets.
struct Floor {
    glm::dvec3 corner{0.0}; ///< least x, y and z
    double side = 0.0;
    std::uint32_t resolution = 0;
};

std::uint32_t clampResolution(double voxels) {
    return static_cast<std::uint32_t>(
        std::clamp(std::round(voxels), double{kMinimumResolution}, double{kMaximumResolution}));
}

/// Along the longest side of a model: the cells of a level set, and of a cloud as many as join its points to surfaces.
double voxelsAlong(const ModelOutline& outline) {
    const glm::dvec3 extent = outline.bounds.extent();
    const double longest = std::max({extent.x, extent.y, extent.z});
    if (outline.levelSetCell > 0.0) {
        return longest / outline.levelSetCell;
    }
    const bool isCloud = outline.points && outline.points->spacing > 0.0;
    return isCloud ? std::min(longest / outline.points->spacing, kMostPointVoxels) : kModelVoxels;
}

/// The floor is the widest and lowest thing of the scene, so its corner is the origin of the voxel grid. It lies one
/// voxel below the model: its layer of voxels is its own, and the model stands on it.
Floor floorUnder(const Bounds& bounds, double voxelsWanted) {
    const glm::dvec3 extent = bounds.extent();
    Floor floor;
    floor.side = kFloorReach * std::max({extent.x, extent.y, extent.z});
    floor.resolution = clampResolution(kFloorReach * voxelsWanted);
    const double voxel = floor.side / floor.resolution;
    const glm::dvec3 centre = bounds.centre();
    floor.corner = {centre.x - 0.5 * floor.side, bounds.min.y - voxel, centre.z - 0.5 * floor.side};
    return floor;
}

/// A floor like that of floorUnder, for a grid in which every cell of the model fills whole voxels; `cell` is its side.
Floor alignedFloorUnder(const Bounds& bounds, double cell) {
    const glm::dvec3 cells = glm::round(bounds.extent() / cell);
    const double wanted = kFloorReach * std::max({cells.x, cells.y, cells.z});
    // The floor goes on by one whole number of cells on both sides of the wider of width and depth.
    const double widest = std::max(cells.x, cells.z);
    const double side = widest + 2.0 * std::ceil(0.5 * (wanted - widest));
    Floor floor;
    floor.side = side * cell;
    const double voxelsPerCell = side >= 16.0 ? 1.0 : std::ceil(16.0 / side);
    floor.resolution = clampResolution(side * voxelsPerCell);
    const auto before = [&](double count) { return std::floor(0.5 * (side - count)) * cell; };
    floor.corner = {bounds.min.x - before(cells.x), bounds.min.y - floor.side / floor.resolution,
                    bounds.min.z - before(cells.z)};
    return floor;
}

/// Whether a floor in the octree of a model would take many more voxels than the model, however far apart the few of
/// that are.
bool standsApart(const Floor& floor, const ModelOutline& outline) {
    constexpr double kFloorVoxels = 2048.0 * 2048.0;
    constexpr double kFloorShare = 16.0; // a square of cells has a floor of nine times as many
    const double voxel = floor.side / floor.resolution;
    return std::pow(floor.resolution, 2) > std::max(kFloorVoxels, kFloorShare * outline.area / (voxel * voxel));
}

/// Names that are taken, each with the number to try next after it: thousands of things may want one name.
using TakenNames = std::map<std::string, std::size_t>;

/// A name that is not taken yet; unnamed things are called `fallback`.
std::string uniqueName(const std::string& wanted, const std::string& fallback, TakenNames& taken) {
    constexpr std::size_t kSecond = 2;
    std::string base = wanted.empty() ? fallback : wanted;
    const auto [owner, isNew] = taken.emplace(base, kSecond);
    if (isNew) {
        return base;
    }
    for (;;) {
        std::string name = fmt::format("{} {}", base, owner->second++);
        if (taken.emplace(name, kSecond).second) {
            return name;
        }
    }
}

Json cameraJson(const Camera& camera) {
    Json json = {{"position", toJson(camera.position)}, {"target", toJson(camera.target)}, {"up", toJson(camera.up)}};
    if (camera.projection == Projection::Equirectangular) { // which has no lens
        json["projection"] = "equirectangular";
        return json;
    }
    json["apertureRadius"] = camera.apertureRadius;
    json["focusDistance"] = camera.focusDistance;
    if (camera.projection == Projection::Orthographic) {
        json["projection"] = "orthographic";
        json["height"] = camera.height;
    } else {
        json["verticalFov"] = camera.verticalFov;
    }
    return json;
}

/// The first camera of the file that has the model, or at least its box, in sight; null where none has.
const Camera* cameraOf(const ImportedModel& model, const Bounds& bounds, double aspect) {
    constexpr unsigned kHeight = 1024;
    const glm::uvec2 size(static_cast<unsigned>(std::clamp(std::round(aspect * kHeight), 1.0, 1e9)), kHeight);
    const auto found = std::find_if(model.cameras.begin(), model.cameras.end(), [&](const Camera& camera) {
        return nearestVisible(camera, size, {bounds}).has_value();
    });
    return found == model.cameras.end() ? nullptr : &*found;
}

/// Tells what may surprise of a picture by that camera.
void tellOfCamera(const std::filesystem::path& file, const ImportedModel& model, const Bounds& bounds,
                  const Camera* camera) {
    if (!model.cameras.empty() && camera != &model.cameras.front()) {
        logWarning("{}: camera '{}' does not have the model in sight, the picture is taken by {}", file.string(),
                   model.cameras.front().name, camera != nullptr ? "the next that has" : "one that frames it");
    } else if (camera != nullptr && bounds.holds(camera->position)) {
        logInfo("{}: camera '{}' stands within the model, which '--camera framed' shows from outside", file.string(),
                camera->name);
    }
}

/// What is to be in the picture. A point stands anywhere in the voxel that shows it.
std::vector<glm::dvec3> shownHull(const ModelOutline& outline, double voxel) {
    if (!outline.points) {
        return outline.hull;
    }
    std::vector<glm::dvec3> hull;
    hull.reserve(8 * outline.hull.size());
    for (const glm::dvec3& point : outline.hull) {
        const std::vector<glm::dvec3> corners = cornersOf({point - voxel, point + voxel});
        hull.insert(hull.end(), corners.begin(), corners.end());
    }
    return hull;
}

void addCameras(Json& scene, const ImportedModel& model, const Camera* chosen, const ModelView& view,
                const std::vector<glm::dvec3>& hull, double aspect) {
    TakenNames taken;
    uniqueName("framed", "", taken);
    scene["cameras"]["framed"] = framedCamera(hull, view, aspect);
    scene["camera"] = "framed";
    for (const Camera& camera : model.cameras) {
        const std::string name = uniqueName(camera.name, "camera", taken);
        scene["cameras"][name] = cameraJson(camera);
        if (&camera == chosen) {
            scene["camera"] = name;
        }
    }
}

Json lightJson(const PunctualLight& light) {
    Json json = {{"intensity", toJson(light.intensity)}};
    if (light.type != LightType::Directional) {
        json["position"] = toJson(light.position);
    }
    if (light.type != LightType::Point) {
        json["direction"] = toJson(light.direction);
    }
    json["type"] = light.type == LightType::Point ? "point" : light.type == LightType::Spot ? "spot" : "directional";
    if (light.type == LightType::Spot) {
        json["innerConeAngle"] = light.innerConeAngle;
        json["outerConeAngle"] = light.outerConeAngle;
    }
    return json;
}

/// From where the picture is taken: by the camera of the file, the view that is asked for, or by default.
ModelView viewOf(const Camera* camera, const ModelShow& show) {
    ModelView view = show.view.value_or(ModelView{});
    if (camera != nullptr) {
        const glm::dvec3 towards = camera->position - camera->target;
        view.azimuth = glm::degrees(std::atan2(towards.x, towards.z));
    }
    return view;
}

/// The stage that is asked for and the lights of the model; without one, its own daylight, or its lights under a soft
/// sky, or else the studio.
void addLighting(Json& scene, const ImportedModel& model, const ModelShow& show, const ModelView& view,
                 const Bounds& bounds, const Floor& floor) {
    const double half = 0.5 * floor.side;
    const double turn = glm::radians(view.azimuth);
    const glm::dvec3 behind = floor.corner + half * glm::dvec3(1.0 - std::sin(turn), 0.0, 1.0 - std::cos(turn));
    if (!show.stage && model.daylight) {
        addDaylight(scene, *model.daylight);
    } else if (show.stage || !addFill(scene, model.lights, bounds, behind)) {
        addStage(scene, show.stage.value_or(ModelStage::Studio), view);
    }
    TakenNames taken;
    for (const PunctualLight& light : model.lights) {
        scene["lights"][uniqueName(light.name, "light", taken)] = lightJson(light);
    }
}

/// Frame n of --frames shows the file's frame n, exposed by itself, so that any of them may be rendered alone.
void addFrames(Json& scene, std::uint32_t frames) {
    if (frames == 1) {
        return;
    }
    const Json first = {0U, 0U};
    const Json last = {frames - 1, frames - 1};
    scene["animation"]["values"]["/instances/model/frame"] = {first, last};
    if (scene.contains("film") && scene["film"].contains("exposurePercentile")) {
        scene["film"]["exposureFrames"] = 0;
    }
}

/// Neither a point, nor too small for rays, nor too large for a floor and a camera around it. Written so that NaN
/// fails.
void checkExtent(const Bounds& bounds, const std::filesystem::path& file) {
    const glm::dvec3 extent = bounds.empty() ? glm::dvec3(0.0) : bounds.extent();
    const glm::dvec3 reach = bounds.empty() ? glm::dvec3(0.0) : glm::max(glm::abs(bounds.min), glm::abs(bounds.max));
    const double farthest = std::max({reach.x, reach.y, reach.z});
    if (!(farthest <= kMaximumReach)) {
        fail(ExitCode::BadInput, "{}: found a model that reaches {:g} m from the origin, expected at most {:g} m",
             file.string(), farthest, kMaximumReach);
    }
    const double longest = std::max({extent.x, extent.y, extent.z});
    if (longest > 0.0 && longest < kLeastExtent) {
        fail(ExitCode::BadInput, "{}: found a model {:g} m long, expected at least {:g} m", file.string(), longest,
             kLeastExtent);
    }
    if (!(longest > 0.0)) {
        fail(ExitCode::BadInput,
             "{}: found a model without any extent, expected at least one triangle with an area, or two points",
             file.string());
    }
}

/// The floor, as deep as that from its corner, as a rectangle, or as the top of a slab of a few voxels.
Json floorAsset(const Floor& floor, double depth, std::uint32_t slabResolution) {
    constexpr double kSlabVoxels = 4.0;
    if (slabResolution > 0) {
        const glm::dvec3 below(0.0, kSlabVoxels * floor.side / std::min(floor.resolution, slabResolution), 0.0);
        return {{"box",
                 {{"min", toJson(floor.corner - below)},
                  {"max", toJson(floor.corner + glm::dvec3(floor.side, 0.0, depth))}}}};
    }
    return {{"quad",
             {{"corner", toJson(floor.corner + glm::dvec3(0.0, 0.0, depth))},
              {"u", {floor.side, 0.0, 0.0}},
              {"v", {0.0, 0.0, -depth}}}}};
}

/// Gives the floor an octree of its own, of coarse cubes with the same top. A strip of it stays in that of the model, a
/// voxel wide, so that the grid of that remains as it is.
void setApart(const Floor& floor, bool isCubes, std::uint32_t slabResolution, Json& scene) {
    const double voxel = floor.side / floor.resolution;
    Floor coarse = floor;
    coarse.resolution = kApartResolution;
    if (isCubes) {
        coarse.corner.y += voxel - floor.side / kApartResolution;
    }
    scene["assets"]["floor"] = floorAsset(coarse, floor.side, slabResolution);
    scene["assets"]["floor"]["voxels"] = {{"resolution", kApartResolution}};
    scene["assets"]["edge"] = floorAsset(floor, voxel, slabResolution);
    scene["instances"]["edge"] = {{"asset", "edge"}, {"material", "floor"}};
}

} // namespace

Json modelScene(const std::filesystem::path& file, const ImportedModel& model, double aspect,
                std::uint32_t slabResolution, const ModelShow& show) {
    if (model.volume) {
        const DensitySummary fog = summaryOf(*model.volume);
        checkDensities(file, *model.volume, fog);
        checkExtent(fog.bounds, file);
        return volumeScene(file, fog, aspect, show);
    }
    const ModelOutline outline = outlineOf(model);
    const Bounds& bounds = outline.bounds;
    const double cell = outline.cell;
    checkExtent(bounds, file);
    const bool isLevelSet = outline.levelSetCell > 0.0;
    const bool hasFaces = (cell > 0.0 && !isLevelSet) || (outline.points && !outline.points->hasNormals);
    const Floor floor = cell > 0.0 ? alignedFloorUnder(bounds, cell) : floorUnder(bounds, voxelsAlong(outline));
    Json scene = {
        {"version", 1},
        {"assets",
         {{"model", {{"file", file.filename().string()}}}, {"floor", floorAsset(floor, floor.side, slabResolution)}}},
        {"instances",
         {{"model", {{"asset", "model"}, {"lights", false}}}, {"floor", {{"asset", "floor"}, {"material", "floor"}}}}},
        {"materials", {{"floor", {{"albedo", 0.5}}}}},
        {"voxels", {{"resolution", floor.resolution}, {"normals", hasFaces ? "face" : "smooth"}}},
    };
    const Camera* const camera = show.view ? nullptr : cameraOf(model, bounds, aspect);
    if (show.picture && !show.view) {
        tellOfCamera(file, model, bounds, camera);
    }
    const std::vector<glm::dvec3> hull = shownHull(outline, floor.side / floor.resolution);
    addCameras(scene, model, camera, show.view.value_or(ModelView{}), hull, aspect);
    addLighting(scene, model, show, viewOf(camera, show), bounds, floor);
    addFrames(scene, outline.frames);
    if (model.octree || show.stage == ModelStage::None) {
        scene["assets"].erase("floor");
        scene["instances"].erase("floor");
        scene.erase("materials");
    } else if (standsApart(floor, outline)) {
        setApart(floor, !isLevelSet, slabResolution, scene);
    }
    if (!show.picture) {
        scene.erase("film");
    }
    if (isLevelSet) {
        scene["voxels"]["surface"] = "field"; // all that shows it
    } else if (show.picture && cell == 0.0 && !outline.points) {
        scene["voxels"]["surface"] = "planes"; // smoother than cubes, and smaller
    }
    if (model.octree) {
        scene.erase("voxels"); // its own are all that there can be
    }
    return scene;
}

} // namespace aureole
