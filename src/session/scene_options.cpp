#include "session/scene_options.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/suggest.h"
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

constexpr std::array kVoxelKeys = {"resolution", "surface", "error"};

[[noreturn]] void failVoxels(const char* key, const std::string& value, const Scene& scene) {
    fail(ExitCode::Usage, "--{}: found {} for {}, expected none: an octree has its {}", key, value,
         scene.octree->file.string(), key);
}

} // namespace

void checkVoxelOverrides(const std::vector<SceneOverride>& overrides, const Scene& scene) {
    for (const auto& [pointer, value] : overrides) {
        for (const char* const key : kVoxelKeys) {
            if (scene.octree && pointer == fmt::format("/voxels/{}", key)) {
                failVoxels(key, value, scene);
            }
        }
    }
}

void checkVoxelChanges(const SettingsChanges& changes, const Scene& scene) {
    for (const char* const key : kVoxelKeys) {
        const SettingChange* const change = changes.find(fmt::format("/voxels/{}", key));
        if (scene.octree && change != nullptr) {
            const std::string value = settingText(*change->setting, change->value);
            const bool isWord = std::holds_alternative<Words>(change->setting->domain);
            failVoxels(key, isWord ? fmt::format("\"{}\"", value) : value, scene);
        }
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
