#pragma once

#include <vector>

#include "core/error.h"
#include "scene/scene_conflicts.h"

namespace aureole {

/// What finishing a picture of the scene would refuse of the relief's image; none where it has no relief. Reads the
/// image: loading a scene only hashes it.
std::vector<SceneConflict> findReliefConflicts(const Scene& scene);

/// The same where a Finish of the scene's settings could not be made, so that the image need not be read again; none
/// where `failure` is of something else.
std::vector<SceneConflict> reliefConflicts(const Error& failure);

} // namespace aureole
