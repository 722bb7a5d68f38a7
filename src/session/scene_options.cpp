#include "session/scene_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/log.h"
#include "core/plural.h"
#include "core/suggest.h"
#include "scene/grid_scene.h"
#include "settings/fields.h"
#include "voxel/file/octree_file.h"

namespace aureole {

std::uint32_t findCamera(const Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (const Camera& camera : scene.cameras) {
        if (camera.name == name) {
            return static_cast<std::uint32_t>(names.size());
        }
        names.push_back(camera.name);
    }
    if (name.empty() && scene.hasDefaultCamera) {
        return 0;
    }
    if (name.empty()) {
        fail(ExitCode::Usage, "{}: found {} cameras and no key 'camera' to choose one, expected --camera with '{}'",
             scene.file.string(), names.size(), fmt::join(names, "', '"));
    }
    fail(ExitCode::Usage, "--camera: found '{}', which {} does not have{}; it has {}", name, scene.file.string(),
         didYouMean(name, names), fmt::format("'{}'", fmt::join(names, "', '")));
}

namespace {

/// The value of a change as a scene file would have it, where words stand in quotation marks.
std::string jsonText(const SettingChange& change) {
    const std::string value = settingText(*change.setting, change.value);
    const bool isWords = std::holds_alternative<Words>(change.setting->domain) || isWord(*change.setting, change.value);
    return isWords ? fmt::format("\"{}\"", value) : value;
}

[[noreturn]] void refuseForOctree(const Setting& setting, const std::string& value, const Scene& scene) {
    fail(ExitCode::Usage, "{}: found {} for {}, expected none: an octree has its {}", setting.option, value,
         onlyOctreeFiles(scene)->string(), setting.key);
}

} // namespace

void checkVoxelOptions(const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
                       const Scene& scene) {
    if (!onlyOctreeFiles(scene)) {
        return;
    }
    for (const Setting& setting : kVoxelFields) {
        if (setting.option.empty()) {
            continue;
        }
        for (const auto& [pointer, value] : overrides) {
            if (pointer == pointerOf(setting)) {
                refuseForOctree(setting, value, scene);
            }
        }
        if (const auto change = changes.find(setting)) {
            refuseForOctree(setting, jsonText(*change), scene);
        }
    }
}

void logResolutions(const Scene& scene) {
    for (const ViewResolution& chosen : scene.viewResolutions) {
        const std::string octree = chosen.asset.empty() ? "the scene" : fmt::format("'{}'", chosen.asset);
        logInfo("view     {:<5} voxels across {}{}: {}", chosen.resolution, octree,
                chosen.instances > 0 ? ", " + countOf(chosen.instances, "instance") : "", chosen.why);
    }
}

void checkSurfaceOptions(SurfaceKind surface, const std::optional<double>& error, bool dag) {
    const std::string& name = surfaceKindNames()[static_cast<std::size_t>(surface)];
    if (error && surface != SurfaceKind::Planes) {
        fail(ExitCode::Usage, "--error: found {} with surface '{}', expected surface 'planes'", *error, name);
    }
    if (dag && surface != SurfaceKind::Cubes) {
        fail(ExitCode::Usage, "--dag: found surface '{}', expected surface 'cubes'", name);
    }
}

SceneOverride levelOverride(const std::string& file, std::uint32_t level) {
    if (!isOctreeFile(file)) {
        fail(ExitCode::Usage,
             "--level: found {} for {}, expected an octree (.avo); in a scene, '--set /instances/NAME/level={}'", level,
             file, level);
    }
    return {"/instances/model/level", fmt::to_string(level)};
}

} // namespace aureole
