#pragma once

// FLIP's error between two images of low dynamic range.

#include <array>
#include <functional>
#include <vector>

#include "core/math.h"
#include "image/metrics/flip_filters.h"

namespace aureole {

/// An image in the space that FLIP filters in, YCxCz: XYZ relative to white as planes of Y, X - Y and Y - Z. The
/// factors of the space (116, 500, 200) are left to where they matter.
struct OpponentImage {
    std::size_t width = 0;
    std::size_t height = 0;
    std::array<std::vector<float>, 3> planes;
};

/// Converts pixels of linear Rec. 709 in [0, 1]; `pixel` gives that of an index.
OpponentImage opponentImage(std::size_t width, std::size_t height, const std::function<glm::vec3(std::size_t)>& pixel);

/// The error of each pixel in [0, 1], row by row.
std::vector<float> flipErrors(const OpponentImage& image, const OpponentImage& reference, const FlipFilters& filters);

} // namespace aureole
