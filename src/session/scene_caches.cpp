#include "session/scene_caches.h"

#include "core/file.h"

namespace aureole {

std::optional<SceneCaches> openSceneCaches(bool wanted) {
    const std::filesystem::path folder = cacheFolder();
    return !wanted || folder.empty() ? std::nullopt : std::optional<SceneCaches>(folder);
}

} // namespace aureole
