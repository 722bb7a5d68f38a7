#include "cli/commands/scene_source.h"

#include "core/error.h"
#include "session/octree.h"

namespace aureole::cli {

std::optional<Scene> loadSource(const SceneSource& source, const std::vector<std::string>& instead) {
    if (source.file.empty()) {
        if (!source.overrides.empty()) {
            fail(ExitCode::Usage, "--set: found it without --scene, expected both or none");
        }
        return std::nullopt;
    }
    if (!instead.empty()) {
        fail(ExitCode::Usage, "{}: found it with --scene, expected one of them", instead.front());
    }
    const std::optional<SceneCaches> caches = openSceneCaches(true);
    return loadScene(source.file, source.overrides, caches ? &caches->outlines : nullptr);
}

} // namespace aureole::cli
