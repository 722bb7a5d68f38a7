#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <glm/glm.hpp>

namespace aureole {

/// A rectangle of bins, over which points are counted and densities integrated.
struct BinGrid {
    glm::dvec2 low;
    glm::dvec2 high;
    std::size_t columns = 80;
    std::size_t rows = 160;
};

/// Directions by (z, azimuth): equal areas are equal solid angles.
BinGrid sphereGrid();
glm::dvec2 toSphereGrid(const glm::vec3& direction);
glm::vec3 fromSphereGrid(const glm::dvec2& point);

struct ChiSquare {
    double statistic = 0.0;
    std::size_t degrees = 0;  ///< of freedom
    double probability = 1.0; ///< of such a statistic or a larger one, if the points have the density
    double integral = 0.0;    ///< of the density over the grid, where there is one
};

/// Pearson's test of whether numbers in bins are what is expected of them; bins of fewer than 5 are pooled. There is a
/// degree of freedom for each bin, as the expectations are not fitted to what was found: where the total is fixed, this
/// is one too many, and the test a little milder.
ChiSquare chiSquare(const std::vector<double>& observed, const std::vector<double>& expected);

/// Pearson's test of whether `points`, what is left of `drawn` ones, have the density. It is integrated over each bin
/// adaptively.
ChiSquare chiSquare(const BinGrid& grid, const std::vector<glm::dvec2>& points, std::size_t drawn,
                    const std::function<double(const glm::dvec2&)>& density);

/// The probability below which one of `cases` independent tests shows a difference, at a significance of 0.01 for all
/// of them together (Sidak 1967).
double significanceOf(std::size_t cases);

} // namespace aureole
