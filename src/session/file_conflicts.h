#pragma once

// What is wrong with the image files that a scene's bloom and finish take. Loading a scene only hashes them.

#include <vector>

#include "core/error.h"
#include "scene/scene_conflicts.h"

namespace aureole {

/// What a bloom of the scene would refuse of the image that is its kernel or the aperture of its kernel, by the place
/// that names the file; none where the bloom is off or takes no image. Reads the image: loading a scene only hashes it.
std::vector<SceneConflict> findBloomFileConflicts(const Scene& scene);

/// What a bloom refuses of its image, from the `failure` of making the kernel, so that the image need not be read
/// again; none where something else than the image has failed.
std::vector<SceneConflict> bloomFileConflicts(const Scene& scene, const Error& failure);

/// What finishing a picture of the scene would refuse of the relief's image; none where it has no relief. Reads the
/// image: loading a scene only hashes it.
std::vector<SceneConflict> findReliefConflicts(const Scene& scene);

/// What finishing refuses of the relief's image, from the `failure` of making the Finish, so that the image need not be
/// read again; none where something else than the image has failed.
std::vector<SceneConflict> reliefConflicts(const Error& failure);

} // namespace aureole
