#pragma once

#include <vector>

#include "scene/scene_conflicts.h"

namespace aureole {

/// What a bloom of the scene would refuse of the image that is its kernel or the aperture of its kernel, by the place
/// that names the file; none where the bloom is off or takes no image. Reads the image: loading a scene only hashes it.
std::vector<SceneConflict> findBloomFileConflicts(const Scene& scene);

/// The same where making the kernel has failed of such an image, which need not be read again then; none where
/// `failure` is of something else.
std::vector<SceneConflict> bloomFileConflicts(const Scene& scene, const Error& failure);

} // namespace aureole
