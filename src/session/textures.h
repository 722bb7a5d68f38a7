#pragma once

// Textures that are simulated: one as it grows, and those of a scene.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "image/image.h"
#include "model/reaction_texture.h"
#include "scene/scene.h"
#include "scene/scene_conflicts.h"
#include "texture/gray_scott_reference.h"
#include "texture/gray_scott_solver.h"

namespace aureole {

/// A texture of a scene, or of a file of its own, as it grows.
class ReactionRun {
public:
    /// On the device, or, where that is null, on the CPU in double. Throws Error (BadInput) for a text that cannot be
    /// drawn, (OutOfMemory).
    ReactionRun(const ReactionTexture& texture, const gpu::Device* device);

    /// Simulates so many steps. `onSteps` is called now and then with how many of them are done.
    void advance(std::uint32_t steps, const std::function<void(std::uint32_t)>& onSteps = nullptr);
    /// The texture as it is now: R, G and B, linear.
    Image picture() const;

private:
    texture::Concentrations sampledState() const;

    ReactionTexture texture_;
    texture::GrayScott model_;
    std::optional<texture::GrayScottSolver> solver_;
    std::optional<texture::GrayScottReference> reference_;
};

/// The seed of a texture, drawn from its text or sampled from its picture: for each cell 0 to 1; empty where it has
/// neither. Throws Error (BadInput) for a text that cannot be drawn.
std::vector<float> seedInfluence(const ReactionTexture& texture);

/// Why the text of the texture's seed cannot be drawn; empty where it can.
std::string whyNoSeed(ReactionTexture texture);

/// The scene with those textures that are simulated, which loadScene leaves white: they take long, and only who reads
/// colours of surfaces needs them. They are simulated on the device, or, where that is null, on the CPU. Colours
/// outside of 0 to 1 are clipped. Throws Error (BadInput) with the place of a texture that cannot be made.
Scene withTextures(Scene scene, const gpu::Device* device);

/// What withTextures would refuse of the scene.
std::vector<SceneConflict> findTextureConflicts(const Scene& scene);

} // namespace aureole
