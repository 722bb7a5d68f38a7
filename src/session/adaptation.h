#pragma once

// Automatic exposure of frames that follow one another: it adapts, as an eye does, instead of flickering.

#include <cstdint>
#include <optional>
#include <string>

#include "image/image.h"

namespace aureole {

/// A number of stops as the attribute kExposureAttribute has it, such that reading it gives the same number again.
std::string exposureText(double stops);

/// The stops of a frame that is metered at `metered`, after one of `before`, or as the first. What is between them
/// shrinks to 1 / e in `frames` frames; with 0, no frame knows of another.
double adaptedStops(const std::optional<double>& before, double metered, double frames);

/// The stops of an image, or of a file that has been written, by the attribute. Throws Error (BadInput) where there is
/// none; `file` names the image.
double exposureOf(const Image& image, const std::string& file);
double exposureIn(const std::string& file);

/// The stops of the frame before `frame`, by its file; none before frame 0. Every frame's exposure so follows from
/// those before it, however frames are split among runs. Throws Error (Usage) where that file is missing, (BadInput)
/// where it notes none.
std::optional<double> exposureBefore(const std::string& pattern, std::uint32_t frame);

} // namespace aureole
