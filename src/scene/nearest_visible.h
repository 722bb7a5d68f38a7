#pragma once

// How near a box comes to a camera where that sees it.

#include <optional>

#include "core/math.h"
#include "model/camera.h"

namespace aureole {

/// A box in coordinates of its own, and where these are.
struct PlacedBox {
    Bounds bounds;
    glm::dmat4 worldFromBox{1.0};
};

/// The nearest place of a box that a camera sees.
struct NearestPlace {
    double distance = 0.0; ///< along the view axis; of the whole sphere, from the camera
    double pixel = 0.0;    ///< how wide a pixel is there, in the world
};

/// The nearest place of a box's faces in what the camera sees of the world with a film of `size` pixels, its lens
/// counted; none where they are out of sight. What is seen from within a box is its faces too.
std::optional<NearestPlace> nearestVisible(const Camera& camera, const glm::uvec2& size, const PlacedBox& box);

/// The nearest place of a box wherever the camera looks, as of one that is out of sight.
NearestPlace nearestAnywhere(const Camera& camera, const glm::uvec2& size, const PlacedBox& box);

} // namespace aureole
