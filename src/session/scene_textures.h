#pragma once

#include <vector>

#include "gpu/device.h"
#include "scene/scene.h"
#include "scene/scene_conflicts.h"

namespace aureole {

/// Simulates the textures that stand white in the scene so far: on the device, or, where that is null, on the CPU.
/// Colours outside of 0 to 1 are clipped. Throws Error (BadInput) with the place of a texture that cannot be made.
void makeTextures(Scene& scene, const gpu::Device* device);

/// What makeTextures would refuse.
std::vector<SceneConflict> findTextureConflicts(const Scene& scene);

} // namespace aureole
