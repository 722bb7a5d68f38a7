#pragma once

#include <vector>

#include "core/math.h"

namespace aureole {

/// What a thin film of a clear material in air reflects of white light that meets it head on: Airy's sum over all
/// reflections (Born and Wolf, "Principles of Optics", section 7.6.1), as linear Rec. 709 under an even spectrum, where
/// 1 is the most that the film reflects of any wavelength.
class InterferenceColours {
public:
    /// Makes the colours of films up to `thickest` nanometres. The index of refraction is above 1.
    InterferenceColours(double index, double thickest);

    /// The colour of a film of that many nanometres, 0 to the thickest. Components below 0, out of gamut, are 0.
    glm::dvec3 at(double thickness) const;

private:
    std::vector<glm::dvec3> table_; ///< at steps of kStep nanometres
};

} // namespace aureole
