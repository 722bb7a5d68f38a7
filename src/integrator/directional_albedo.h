#pragma once

#include "core/math.h"

namespace aureole {

/// What a rough surface reflects once, of light of all directions: integrals over the microfacets that are seen from a
/// direction of cosine `cosine` to the normal, the same functions that shared/bsdf/bsdf.h scatters by. `alpha` is
/// GGX's.

/// x where microfacets reflect all light, y where they do (1 - cos)^5 of it. Good to 2e-4.
glm::dvec2 integrateCoat(double cosine, float alpha);

/// What a dielectric reflects and refracts; `eta` is the index ahead over that of the direction's side. Good to 2e-4,
/// from the side of the larger index to 5e-4.
double integrateDielectric(double cosine, float alpha, float eta);

} // namespace aureole
