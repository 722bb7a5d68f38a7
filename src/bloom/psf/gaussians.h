#pragma once

// Sums of Gaussians.

#include <vector>

#include "bloom/psf/frame.h"

namespace aureole {

struct GaussianLobe {
    double weight = 1.0;             ///< its share of the light beside the others', above 0
    double sigma = 0.1;              ///< standard deviation along an axis in degrees, above 0
    PsfColour colour{1.0, 1.0, 1.0}; ///< the weight's factor for each channel, not negative
};

/// The sum of the lobes, each channel scaled to one: where all lobes have the same colour, the kernel is grey.
/// Throws Error (BadInput) for no lobe, for values out of range, and for a channel without light.
BloomKernel gaussianKernel(const PsfFrame& frame, const std::vector<GaussianLobe>& lobes);

} // namespace aureole
