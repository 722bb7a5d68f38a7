#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/commands/describe_octree.h"
#include "cli/options/arguments.h"
#include "cli/standard_output.h"
#include "core/extension.h"
#include "image/image_file.h"
#include "scene/grid_scene.h"
#include "scene/load.h"
#include "scene/scene_memory.h"
#include "voxel/file/octree_file.h"

namespace aureole::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Range and mean of a channel's finite values, and how many are not finite.
Json describeChannel(const Channel& channel) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double sum = 0.0;
    std::size_t finite = 0;
    for (const float value : channel.values) {
        if (std::isfinite(value)) {
            low = std::min<double>(low, value);
            high = std::max<double>(high, value);
            sum += value;
            ++finite;
        }
    }
    Json json = {{"name", channel.name}, {"min", nullptr}, {"max", nullptr}, {"mean", nullptr}};
    if (finite > 0) {
        json["min"] = low;
        json["max"] = high;
        json["mean"] = sum / static_cast<double>(finite);
    }
    json["not_finite"] = channel.values.size() - finite;
    return json;
}

Json describeImage(const std::string& file) {
    const Image image = readImage(file);
    Json channels = Json::array();
    for (const Channel& channel : image.channels) {
        channels.push_back(describeChannel(channel));
    }
    // Layers as programs that show them see them: what stands before the last dot; "" is the picture itself.
    Json layers = Json::array();
    for (const Channel& channel : image.channels) {
        const std::size_t dot = channel.name.rfind('.');
        const std::string layer = dot == std::string::npos ? "" : channel.name.substr(0, dot);
        if (std::find(layers.begin(), layers.end(), layer) == layers.end()) {
            layers.push_back(layer);
        }
    }
    Json attributes = Json::object();
    for (const auto& [name, value] : image.attributes) {
        attributes[name] = value;
    }
    return {{"file", file},     {"kind", "image"},      {"width", image.width},    {"height", image.height},
            {"layers", layers}, {"channels", channels}, {"attributes", attributes}};
}

/// What each octree of a scene of several is, and how often it is placed.
Json describeGrids(const Scene& scene) {
    std::vector<std::size_t> placed(scene.grids.size());
    for (const GridPlacement& placement : scene.gridPlacements) {
        ++placed[placement.grid];
    }
    Json grids = Json::array();
    for (std::size_t i = 0; i < scene.grids.size(); ++i) {
        const SceneGrid& grid = scene.grids[i];
        Json one = {{"name", grid.name.empty() ? "(all other assets)" : labelOf(grid)}, {"instances", placed[i]}};
        if (grid.octree) {
            one["octree"] = grid.octree->file.string();
            one["level"] = grid.octree->level;
        } else {
            one["resolution"] = grid.voxels.resolution;
            one["surface"] = surfaceKindNames()[static_cast<std::size_t>(grid.voxels.surface)];
            one["mode"] = coverageNames()[static_cast<std::size_t>(grid.voxels.mode)];
            one["encoding"] = treeKindNames()[static_cast<std::size_t>(grid.voxels.encoding)];
            one["attributes"] = voxelContentNames()[static_cast<std::size_t>(grid.voxels.attributes)];
        }
        grids.push_back(std::move(one));
    }
    return grids;
}

/// What each volume is, and how often it is placed.
Json describeVolumes(const Scene& scene) {
    Json volumes = Json::array();
    for (std::uint32_t i = 0; i < scene.volumes.size(); ++i) {
        const DensityTree& tree = scene.volumes[i].tree;
        const glm::ivec3 cells = tree.high - tree.low;
        const auto placed = std::count_if(scene.volumeInstances.begin(), scene.volumeInstances.end(),
                                          [&](const VolumeInstance& instance) { return instance.volume == i; });
        volumes.push_back({{"name", scene.volumes[i].name},
                           {"instances", placed},
                           {"cells", {cells.x, cells.y, cells.z}},
                           {"largest_density", tree.most()},
                           {"bricks", tree.brickCount()},
                           {"bytes", bytesOf(scene.volumes[i])}});
    }
    return volumes;
}

Json describeScene(const std::string& file, const std::vector<SceneOverride>& overrides) {
    const Scene scene = loadScene(file, overrides);
    std::uint64_t triangles = 0;
    for (const MeshInstance& instance : scene.meshInstances) {
        triangles += scene.meshes[instance.mesh].triangles.size();
    }
    Json cameras = Json::array();
    for (const Camera& camera : scene.cameras) {
        cameras.push_back(camera.name);
    }
    const std::optional<std::filesystem::path> octree = anyOctreeFile(scene);
    Json json = {{"file", file},
                 {"kind", "scene"},
                 {"scene_hash", scene.hash},
                 {"meshes", scene.meshes.size()},
                 {"mesh_instances", scene.meshInstances.size()},
                 {"triangles", triangles},
                 {"voxel_models", scene.voxelModels.size()},
                 {"voxel_instances", scene.voxelInstances.size()},
                 {"octree", octree ? Json(octree->string()) : Json(nullptr)},
                 {"materials", scene.materials.size()},
                 {"textures", scene.textures.size()},
                 {"lights", scene.lights.size()},
                 {"cameras", cameras},
                 {"width", scene.film.width},
                 {"height", scene.film.height},
                 {"resolution", scene.voxels.resolution},
                 {"samples_per_pixel", scene.integrator.samplesPerPixel},
                 {"bloom", scene.bloom.enabled}};
    if (scene.animation) {
        json["frames"] = scene.animation->frames;
    }
    if (scene.hasGrids()) {
        json["octrees"] = describeGrids(scene);
    }
    if (!scene.volumes.empty()) {
        json["volumes"] = describeVolumes(scene);
    }
    return json;
}

/// Arrays and objects have a line for each element, all else stands behind its key.
void printText(const Json& json) {
    const auto text = [](const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
    for (const auto& [key, value] : json.items()) {
        if (key == "voxels" && json.contains("cells")) {
            continue; // the same number, by its other name
        }
        if (!value.is_structured()) {
            printOutput("{:<18} {}\n", key, text(value));
            continue;
        }
        printOutput("{}\n", key);
        for (const auto& [name, element] : value.items()) {
            if (element.is_object()) {
                std::string line;
                for (const auto& [inner, innerValue] : element.items()) {
                    line += inner == "name" ? text(innerValue) : fmt::format("  {} {}", inner, text(innerValue));
                }
                printOutput("  {}\n", line);
            } else {
                printOutput("  {}{}\n", value.is_object() ? fmt::format("{:<24} ", name) : "", text(element));
            }
        }
    }
}

struct InfoOptions {
    std::string file;
    std::vector<SceneOverride> overrides;
    bool json = false;
};

ExitCode printInfo(const InfoOptions& options) {
    const std::string& file = options.file;
    if (!options.overrides.empty() && (isOctreeFile(file) || isImageFile(file))) {
        fail(ExitCode::Usage, "--set: found it with {}, expected a scene or a model, which has values", file);
    }
    const Json description = isOctreeFile(file)  ? describeOctree(file)
                             : isImageFile(file) ? describeImage(file)
                                                 : describeScene(file, options.overrides);
    if (options.json) {
        // Names in files need not be UTF-8.
        printOutput("{}\n", description.dump(2, ' ', false, Json::error_handler_t::replace));
    } else {
        printText(description);
    }
    return ExitCode::Done;
}

} // namespace

void addInfoCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "info", "Describe an image, an octree, a scene or a model");
    const auto options = std::make_shared<InfoOptions>();
    std::vector<std::string> extensions = sceneExtensions();
    const std::vector<std::string> images = imageExtensions(ImageUse::Read);
    extensions.insert(extensions.end(), images.begin(), images.end());
    require(addFile(*command, "FILE", "", "An image, an octree (.avo), a scene (.json) or a model", extensions,
                    options->file));
    addOverrides(*command, options->overrides);
    addFlag(*command, "--json", options->json, "Print JSON");
    setFooter(
        *command,
        "Of an image: size, layers, channels with their range and mean, attributes. Of an octree, which is checked\n"
        "whole: voxels, grid, bytes of each part; of one of planes cells, each of them for one voxel or many,\n"
        "which JSON has as 'voxels' too. Of a scene: what is in it, and of several octrees which they are.\n\n"
        "Examples:\n"
        "  aureole info render.exr\n"
        "  aureole info scene.json --json\n"
        "  aureole info scene.json --set /voxels/resolution=512\n"
        "  aureole info model.glb");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return printInfo(*options); }; });
}

} // namespace aureole::cli
