#pragma once

// The filters of FLIP, as products of lines.

#include <cstddef>
#include <span>
#include <vector>

namespace aureole {

/// What stands on both sides of a kernel's middle.
enum class FlipSymmetry {
    Even,       ///< both halves have the same weights
    EvenOfZero, ///< as Even; all weights sum to 0, so that an even line gives exactly that
    Odd,        ///< weights of opposite signs, and 0 in the middle
};

/// Weights about a middle pixel, from it outwards.
struct FlipKernel {
    std::vector<float> weights;
    FlipSymmetry symmetry = FlipSymmetry::Even;

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
