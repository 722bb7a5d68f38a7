#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "image/image.h"
#include "model/reaction_texture.h"
#include "texture/gray_scott_reference.h"
#include "texture/gray_scott_solver.h"

namespace aureole {

/// A texture of a scene, or of a file of its own, as it grows.
class ReactionRun {
public:
    /// On the device, or, where that is null, on the CPU in double. Throws Error (BadInput) for a text that cannot be
    /// drawn, (OutOfMemory).
    ReactionRun(const ReactionTexture& texture, const gpu::Device* device);

    /// Takes so many steps; `onSteps` gets how many of them are done, now and then.
    void advance(std::uint32_t steps, const std::function<void(std::uint32_t)>& onSteps = nullptr);
    /// R, G and B, linear, of the texture's pixels.
    Image picture() const;

private:
    texture::Concentrations sampledState() const;

    ReactionTexture texture_;
    texture::GrayScott model_;
    std::optional<texture::GrayScottSolver> solver_;
    std::optional<texture::GrayScottReference> reference_;
};

/// The seed of a texture drawn or looked at over its plane, of each cell 0 to 1; empty where it has none. Throws Error
/// (BadInput) for a text that cannot be drawn.
std::vector<float> seedInfluence(const ReactionTexture& texture);

/// Why the texture's seed cannot be drawn: what is wrong with its text. Empty where it can.
std::string whyNoSeed(ReactionTexture texture);

} // namespace aureole
