#pragma once

#include "image/finish/pixels.h"
#include "settings/finish.h"

namespace aureole {

/// Multiplies colours with exp(amount g - amount^2 / 2), whose mean is 1: g is a Gaussian field of variance 1 whose
/// correlation is a grain wide, a function of the seed and the pixel alone.
void addGrain(FinishPixels& pixels, const Grain& grain);

} // namespace aureole
