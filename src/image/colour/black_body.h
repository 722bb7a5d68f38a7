#pragma once

// The light of a black body by its temperature.

#include "core/math.h"

namespace aureole {

/// The temperature whose black body has the luminance 1 here, in kelvin: about that of a candle's flame.
inline constexpr double kBlackBodyReference = 2000.0;

/// X, Y, Z (CIE 1931, 2 degrees) of a black body of so many kelvin by Planck's law, in units of the luminance at
/// kBlackBodyReference. 0 at 0 kelvin and below.
glm::dvec3 blackBodyXyz(double kelvin);

/// The same in linear Rec. 709. Below some 1900 K it is of a purer colour than the primaries make: then blue, which
/// would be below 0, is 0, and the luminance stays.
glm::dvec3 blackBodyRec709(double kelvin);

} // namespace aureole
