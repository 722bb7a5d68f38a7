#pragma once

// Light of one wavelength as colour.

#include "core/math.h"

namespace aureole {

/// X, Y, Z of the CIE 1931 2-degree observer at a wavelength in nanometres: the multi-lobe fit of Wyman, Sloan and
/// Shirley, "Simple Analytic Approximations to the CIE XYZ Color Matching Functions", JCGT 2 (2), 2013.
glm::dvec3 colourMatching(double nanometres);

/// Linear Rec. 709 (ITU-R BT.709-6, D65) of XYZ. A pure wavelength lies outside of it: components may be negative.
glm::dvec3 rec709FromXyz(const glm::dvec3& xyz);

} // namespace aureole
