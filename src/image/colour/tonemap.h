#pragma once

#include <array>
#include <string>
#include <string_view>

#include "image/image.h"
#include "settings/film.h"

namespace aureole {

/// The operator of a name, which is one of toneMapNames() (settings/film.h): those are in the order of the
/// enumeration. Throws Error (Usage) with the names known and the nearest of them.
ToneMap toneMapFromName(std::string_view name);

/// One colour, already exposed. Negative components count as 0; NaN stays NaN.
std::array<double, 3> toneMapColour(ToneMap operation, const std::array<double, 3>& rgb);

/// The image's colour times 2^exposure through the operator: channels R, G, B, and A unchanged where there is one. All
/// others are dropped; attributes stay. Throws Error (BadInput) where the image has no colour.
Image toneMap(const Image& image, ToneMap operation, double exposure, const std::string& file);

} // namespace aureole
