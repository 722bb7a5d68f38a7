#pragma once

#include <optional>
#include <string>

#include "image/image.h"

namespace aureole {

/// The stops by which a picture is exposed automatically. With a percentile of 0, by which its log-average luminance
/// becomes middle grey, 0.18: Reinhard et al., "Photographic Tone Reproduction for Digital Images", 2002, equations 1
/// and 2. With one above 0, to 100, by which that part of the pixels stays below white, 1. Pixels without light, and
/// those that are not finite, do not count; where none counts, there is nothing to meter. `associated` tells whether
/// colours are multiplied by alpha. The same picture gives the same number, whatever the number of threads. Throws
/// Error (BadInput) where the image, which `file` names, has no colours.
std::optional<double> meteredStops(const Image& image, double percentile, bool associated, const std::string& file);

} // namespace aureole
