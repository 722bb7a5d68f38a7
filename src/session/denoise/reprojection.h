#pragma once

// Where what a picture shows is seen in another, whose camera stands elsewhere.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/math.h"
#include "denoise/denoise.h"
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

/// Of an image of a frame. Throws Error (BadInput) naming `file` where its attribute holds no such matrix.
Sight sightOf(const Image& image, const std::string& file);

/// For each pixel of `here` where `there`, a picture of that size, shows the point that is in its middle, at its depth:
/// in a pixel whose depth agrees to 5 %, and on its middle where that is within 0.15 of its width, along x and y. Where
/// either does not tell its camera or depth, the same pixel.
std::vector<DenoiseSource> sourcesOf(const Sight& here, const Sight& there);

/// The depths of the pixels of `there`, from the camera of `here`; 0 where nothing was hit, or where it lies behind.
/// Empty where `there` has none; as they are where a camera is not known.
std::vector<float> depthsFrom(const Sight& here, const Sight& there);

} // namespace aureole
