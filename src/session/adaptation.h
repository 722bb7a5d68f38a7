#pragma once

// Automatic exposure of frames that follow one another: it adapts, as an eye does, instead of flickering.

#include <cstdint>
#include <optional>
#include <string>

#include "image/image.h"

namespace aureole {

/// A number of stops as the attribute kExposureAttribute has it, such that reading it gives the same number again;
/// "none" where there is none.
std::string exposureText(const std::optional<double>& stops);

/// The stops of a frame that is metered at `metered`, after one of `before`, or as the first. What is between them
/// shrinks to 1 / e in `frames` frames; with 0, no frame knows of another. A frame without light keeps those of the one
/// before; there are none until something has light.
std::optional<double> adaptedStops(const std::optional<double>& before, const std::optional<double>& metered,
                                   double frames);

/// The stops of an image, or of a file that has been written, by the attribute; none where it says so. Throws Error
/// (BadInput) where it is missing, or no number of stops; `file` names the image.
std::optional<double> exposureOf(const Image& image, const std::string& file);
std::optional<double> exposureIn(const std::string& file);

/// The stops of the frame before `frame`, by its file; none before frame 0. Every frame's exposure so follows from
/// those before it, however frames are split among runs. Throws Error (Usage) where that file is missing, (BadInput)
/// where it notes none.
std::optional<double> exposureBefore(const std::string& pattern, std::uint32_t frame);

} // namespace aureole
