#pragma once

#include <optional>

#include "core/math.h"
#include "image/image.h"

namespace aureole {

/// What glare has to know of the camera that took an image.
struct BloomView {
    glm::uvec2 size{0}; ///< of the whole image, where this is a crop of it
    double degreesPerPixel = 0.0;
};

/// By the vertical field of view in degrees that is asked for, or else by what render noted in the image's attributes,
/// or else a usual camera's. A crop is known by its attributes; a field of view is that of the whole image.
BloomView bloomViewOf(const Image& image, const std::optional<double>& fieldOfView);

} // namespace aureole
