#pragma once

#include <array>
#include <string>

#include "image/image.h"
#include "settings/film.h"

namespace aureole {

/// One colour, already exposed. Negative components count as 0; NaN stays NaN.
std::array<double, 3> toneMapColour(ToneMap operation, const std::array<double, 3>& rgb);

/// The image's colour times 2^exposure through the operator: channels R, G, B, and A unchanged where there is one. All
/// others are dropped; attributes stay. Throws Error (BadInput) where the image has no colour.
Image toneMap(const Image& image, ToneMap operation, double exposure, const std::string& file);

} // namespace aureole
