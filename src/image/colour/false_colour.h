#pragma once

#include <array>

#include "image/image.h"

namespace aureole {

/// The colour map magma, from black (0) by violet and orange to pale yellow (1), so that more is lighter; values beyond
/// are those at the ends. Linear Rec. 709, and exact in a PNG of 8 bits.
std::array<float, 3> magma(float value);

/// The channel Y of an image in magma. Throws Error (Internal) where there is none.
Image falseColour(const Image& image);

} // namespace aureole
