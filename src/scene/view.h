#pragma once

// Which picture of a scene is taken, and the space that a backend traces it in.

#include <cstdint>
#include <optional>

#include "core/math.h"
#include "model/camera.h"

namespace aureole {

struct Scene;

/// Which picture of a scene to take.
struct View {
    std::uint32_t camera = 0;
    glm::uvec2 size{0};       ///< pixels of the full picture
    glm::uvec2 cropOrigin{0}; ///< the part to render, from the top left
    glm::uvec2 cropSize{0};
    std::uint32_t frame = 0;     ///< of an animation: goes into the seed, so that noise does not stand still
    std::optional<Camera> moved; ///< the camera at that frame, in place of the scene's
    /// The time of that frame, in frames, at which instances are shown; none: where they stand in a picture that is no
    /// frame.
    std::optional<double> moment{};
};

/// The whole picture of the scene's film settings.
View defaultView(const Scene& scene);

/// A similarity from the world to a backend's space: p * scale + offset.
struct Space {
    double scale = 1.0;
    glm::dvec3 offset{0.0};

    glm::dvec3 point(const glm::dvec3& p) const { return p * scale + offset; }
};

/// The camera that the picture is taken by.
const Camera& cameraOf(const Scene& scene, const View& view);

/// The seed of the picture: the scene's, plus the frame (modulo 2^32).
std::uint32_t seedOf(const Scene& scene, const View& view);

} // namespace aureole
