#pragma once

// The filters of FLIP, as products of lines.

#include <cstddef>
#include <span>
#include <vector>

namespace aureole {

/// Weights about a middle pixel, those from it outwards on one side.
struct FlipKernel {
    std::vector<float> weights;
    bool odd = false; ///< the weights of the other side have the opposite sign, and the first is 0

    std::size_t radius() const { return weights.size() - 1; }
};

struct FlipFilters {
    // Contrast sensitivity of the eye. That of blue against yellow is a sum of two Gaussians: `blueYellowShare` of the
    // narrow one.
    FlipKernel luminance, redGreen, blueYellowNarrow, blueYellowWide;
    float blueYellowShare = 1.0F;
    // Features of about the width of an edge in sight: a Gaussian, its first derivative and its second.
    FlipKernel smooth, edge, point;
};

FlipFilters flipFilters(double pixelsPerDegree);

/// A plane of an image.
struct FlipPlane {
    const float* values;
    std::size_t width;
    std::size_t height;
};

/// Row y filtered down the columns. Pixels beyond the plane are those at its edge.
std::vector<float> flipFilterDown(const FlipKernel& kernel, const FlipPlane& plane, std::size_t y);

/// A line filtered along itself. Pixels beyond its ends are those at them.
std::vector<float> flipFilterAlong(const FlipKernel& kernel, std::span<const float> line);

} // namespace aureole
