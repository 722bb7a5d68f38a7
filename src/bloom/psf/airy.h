#pragma once

// The diffraction of a round aperture.

#include "bloom/psf/frame.h"

namespace aureole {

/// Throws Error (BadInput) unless the diameter of an aperture is from 0.001 to 10000 mm.
void checkApertureDiameter(double millimetres);

/// The share of the light of one wavelength beyond `radius` in units of wavelength / diameter: J0^2 + J1^2 at pi times
/// it (Lord Rayleigh 1881; Born and Wolf, Principles of Optics, 8.5.2). It is 0.162 at the first dark ring, 1.22.
double airyTail(double radius);

/// The Airy pattern of white light, for an aperture of that diameter. Throws Error (BadInput).
BloomKernel airyKernel(const PsfFrame& frame, double diameterMillimetres);

} // namespace aureole
