#pragma once

// Grouping of many colours into a few.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math.h"

namespace aureole {

/// A linear colour in Oklab, in which distances are about as large as people see them (Ottosson, "A perceptual color
/// space for image processing", 2020). White has L = 1.
glm::dvec3 oklab(const glm::dvec3& linear);

/// A point in a space of colours and what goes with them.
struct ColourPoint {
    std::array<double, 5> at{};
    double weight = 1.0;     ///< above 0
    std::uint32_t group = 0; ///< points of different groups never share a cluster
};

/// Divides points into at most `most` clusters, at least one for each group, so that the squared distances to the
/// clusters' means are small; returns the cluster of each point. The box of the largest error is cut at its mean
/// across its longest axis (Wan, Prusinkiewicz and Wong, "Variance-based color image quantization for frame buffer
/// display", 1990) until there are enough; then points move to the nearest mean (Lloyd) a few times.
std::vector<std::uint32_t> clusterColours(std::span<const ColourPoint> points, std::uint32_t most);

/// The squared distance of two points.
double squaredDistance(const std::array<double, 5>& a, const std::array<double, 5>& b);

} // namespace aureole
