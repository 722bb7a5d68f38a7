#pragma once

// Where what a picture shows is seen in another, whose camera stands elsewhere.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/math.h"
#include "image/image.h"
#include "model/camera.h"
#include "scene/view.h"

namespace aureole {

/// A matrix that takes a point of the world to (x, y, z, 1) times some w, which is above 0 in front of the camera: x
/// and y in pixels from the picture's top left, z the inverse of the layer depth, or that depth for an orthographic
/// camera. None where the camera sees the whole sphere.
std::optional<glm::dmat4> worldToPixel(const Camera& camera, const View& view);
/// For the attribute kWorldToPixelAttribute: its 16 numbers, row by row.
std::string worldToPixelText(const glm::dmat4& matrix);

/// How a picture sees the world.
struct Sight {
    std::optional<glm::dmat4> worldToPixel; ///< none where it does not tell
    std::vector<float> depth;               ///< the layer; may be empty
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// The sight of a frame, from its image. Throws Error (BadInput) naming `file` where its attribute holds no such
/// matrix.
Sight sightOf(const Image& image, const std::string& file);

/// Where another picture shows the point in the middle of a pixel, unless something stands in front of it there.
struct SeenPoint {
    glm::dvec2 place{-1.0}; ///< in pixels from its top left; below 0 where it lies outside
    double depth = 0.0;     ///< from its camera; 0 of the sky
};

/// Where `there`, a picture of that size, shows the point of each pixel of `here`. Where either does not tell its
/// camera or depth, that is the middle of the same pixel.
std::vector<SeenPoint> pointsOf(const Sight& here, const Sight& there);

/// Whether that may be one point's depth, to 5 %: a pixel of a slope has several.
bool isSameDepth(double expected, double found);

} // namespace aureole
