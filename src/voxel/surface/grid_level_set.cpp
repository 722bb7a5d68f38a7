#include "voxel/surface/grid_level_set.h"

#include <array>
#include <cmath>

#include "shared/octree/field.h"

namespace aureole {

namespace {

double sideOf(const glm::dmat4& matrix) {
    return std::cbrt(std::abs(glm::determinant(glm::dmat3(matrix))));
}

} // namespace

GridLevelSet::GridLevelSet(const Primitives& primitives, std::uint32_t instance)
    : modelFromGrid_(primitives.transform(instance).modelFromGrid)
    , gridFromModel_(primitives.transform(instance).gridFromModel)
    , sampler_(primitives.model(instance).levelSet)
    , voxelsPerCell_(static_cast<float>(sideOf(gridFromModel_)))
    , farthest_(primitives.model(instance).levelSet.farthest * voxelsPerCell_) {
    const glm::dvec3 size(primitives.model(instance).size);
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        const glm::dvec3 share(corner & 1U, (corner >> 1U) & 1U, corner >> 2U);
        reach_.add(glm::dvec3(gridFromModel_ * glm::dvec4(size * share, 1.0)));
    }
    reach_.min -= 2.0 * static_cast<double>(FIELD_REACH);
    reach_.max += 2.0 * static_cast<double>(FIELD_REACH);
}

glm::dvec3 GridLevelSet::placeIn(const glm::uvec3& cell) const {
    const std::array<float, 8> corners = sampler_.corners(glm::ivec3(cell));
    float middle = 0.0F;
    for (const float value : corners) {
        middle += 0.125F * value;
    }
    const glm::vec3 gradient = middleGradient(corners);
    const float square = glm::dot(gradient, gradient);
    const glm::vec3 towards = square > 0.0F ? gradient * (-middle / square) : glm::vec3(0.0F);
    const glm::vec3 place = glm::clamp(0.5F + towards, 0.0F, 1.0F);
    return {gridFromModel_ * glm::dvec4(glm::dvec3(cell) + glm::dvec3(place), 1.0)};
}

glm::vec3 GridLevelSet::normalIn(const glm::uvec3& cell) const {
    // Gradients are covectors.
    const glm::dvec3 normal =
        glm::transpose(glm::dmat3(modelFromGrid_)) * glm::dvec3(middleGradient(sampler_.corners(glm::ivec3(cell))));
    const double length = glm::length(normal);
    return length > 0.0 ? glm::vec3(normal / length) : glm::vec3(0.0F, 1.0F, 0.0F);
}

} // namespace aureole
