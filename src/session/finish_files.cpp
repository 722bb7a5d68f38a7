#include "session/finish_files.h"

#include "image/finish/relief_map.h"

namespace aureole {

std::vector<SceneConflict> findReliefConflicts(const Scene& scene) {
    if (!scene.finish.relief) {
        return {};
    }
    try {
        const ReliefMap unused(*scene.finish.relief);
        return {};
    } catch (const Error& error) {
        return reliefConflicts(error);
    }
}

std::vector<SceneConflict> reliefConflicts(const Error& failure) {
    if (failure.code() != ExitCode::BadInput) {
        return {};
    }
    return {{"/finish/relief/image", "", failure.what()}};
}

} // namespace aureole
