#pragma once

// What the settings and the camera of a picture make of its bloom.

#include <optional>
#include <string>

#include "bloom/filter.h"
#include "bloom/kernel.h"
#include "core/math.h"
#include "image/image.h"
#include "scene/scene.h"

namespace aureole {

/// The image attribute in which render notes the angle that a pixel spans, for bloom after merging.
inline constexpr const char* kDegreesPerPixelAttribute = "aureole.degrees_per_pixel";

/// The kernel that bloom settings name, for an image of that size. A generated one follows the angle that a pixel
/// spans, and unless its size is given, it is as large as the image. Throws Error (BadInput).
BloomKernel makeBloomKernel(const BloomSettings& settings, const glm::uvec2& imageSize, double trueDegreesPerPixel);

/// The method of the bloom filter that the settings choose.
BloomMethod bloomMethod(const BloomSettings& settings);

/// What was done to an image, for its attribute aureole.bloom: "kernel default of 641x481 pixels, sharpen 0, ...".
std::string describeBloom(const BloomSettings& settings, const BloomKernel& kernel, const BloomMethod& method);

/// The size of the picture that an image is a crop of, by what render noted in its attributes; else the image's own.
glm::uvec2 wholeSize(const Image& image);

/// The bloom and finish of a scene for an image file: where render noted in it that it is a frame of an animation, as
/// they are at that frame.
Look lookOfImage(const Scene& scene, const std::string& file);

/// What the kernel of a bloom depends on of the camera that took an image.
struct BloomView {
    glm::uvec2 size{0}; ///< of the whole image, where this is a crop of it
    double degreesPerPixel = 0.0;
};

/// The view of an image: by the vertical field of view in degrees that is asked for; without one, by what render noted
/// in the image's attributes; without those, by the field of view of a usual camera. Attributes also tell whether the
/// image is a crop; a field of view is that of the whole image.
BloomView bloomViewOf(const Image& image, const std::optional<double>& fieldOfView);

} // namespace aureole
