#pragma once

// The diffraction of an iris of blades, with dust and scratches, or of any aperture given as an image.

#include <string>

#include "bloom/psf/aperture_mask.h"
#include "bloom/psf/frame.h"

namespace aureole {

/// The diffraction pattern of white light. `diameterMillimetres` is that of the circle around the iris. Each straight
/// side throws a streak to both of its sides, so that an odd number of blades makes twice as many. Blue patterns are
/// smaller than red ones, in proportion to the wavelength (and brighter, with its inverse square). Throws Error
/// (BadInput) for settings out of range.
BloomKernel apertureKernel(const PsfFrame& frame, double diameterMillimetres, const ApertureShape& shape);

/// The diffraction pattern of an aperture given as an image; `diameterMillimetres` is its longer side. `file` names it
/// in messages.
BloomKernel apertureKernel(const PsfFrame& frame, double diameterMillimetres, const Image& image,
                           const std::string& file);

} // namespace aureole
