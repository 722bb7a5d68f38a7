#pragma once

#include <string>

#include "bloom/filter.h"
#include "bloom/kernel.h"
#include "core/math.h"
#include "scene/scene.h"

namespace aureole {

/// The image attribute in which render notes the angle that a pixel spans, for bloom after merging.
inline constexpr const char* kDegreesPerPixelAttribute = "aureole.degrees_per_pixel";

/// The kernel that bloom settings name, for an image of that size. A generated one follows the angle that a pixel
/// spans, and unless its size is given, it is as large as the image. Throws Error (BadInput).
BloomKernel makeBloomKernel(const BloomSettings& settings, const glm::uvec2& imageSize, double degreesPerPixel);

/// How bloom settings have the image bloomed.
BloomMethod bloomMethod(const BloomSettings& settings);

/// What was done to an image, for its attribute aureole.bloom: "kernel default of 641x481 pixels, sharpen 0, ...".
std::string describeBloom(const BloomSettings& settings, const BloomKernel& kernel, const BloomMethod& method);

} // namespace aureole
