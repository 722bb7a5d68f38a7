#include "voxel/surface/slab_bend.h"

#include "shared/octree/slab_bend.h"

namespace aureole {

namespace {

/// Added to the variance of positions, in squares of the cell's side: what is much narrower says nothing of a change.
constexpr double kLeastVariance = 1.0 / 4096.0;
/// The largest square of the part along the slab that a normal at the middle may have.
constexpr double kMostLean = 0.9;

} // namespace

void NormalMoments::add(const SurfaceSample& sample, const glm::dvec3& origin) {
    const glm::dvec3 p = glm::dvec3(sample.position) + origin;
    const glm::dvec3 n(sample.point.normal);
    weight += sample.weight;
    position += sample.weight * p;
    normal += sample.weight * n;
    spread += sample.weight * glm::outerProduct(p, p);
    change += sample.weight * glm::outerProduct(n, p);
}

SlabBend fitBend(const NormalMoments& moments, const glm::vec3& mean, const shared::SurfaceSlab& slab,
                 const CellBox& cell) {
    const glm::vec3 across = glm::normalize(shared::slabNormal(slab.normal));
    glm::vec3 first;
    glm::vec3 second;
    shared::normalFrame(across, first, second);
    using Axes = glm::dmat2x3;
    const Axes axes(first, second);
    const auto along = [&](const glm::dvec3& v) { return v * axes; };
    const glm::dvec3 position = moments.position / moments.weight;
    const glm::dvec3 normal = moments.normal / moments.weight;
    const glm::dmat3 spread = moments.spread / moments.weight - glm::outerProduct(position, position);
    const glm::dmat3 change = moments.change / moments.weight - glm::outerProduct(normal, position);
    // Both are told along the slab's axes, positions in sides of the cell.
    const glm::dmat2 s = glm::transpose(axes) * spread * axes / (cell.side * cell.side) + glm::dmat2(kLeastVariance);
    const glm::dmat2 c = glm::transpose(axes) * change * axes / cell.side;
    // The normal equations of a symmetric matrix (x, y; y, z) that takes positions to normals.
    const glm::dmat3 equations(s[0][0], s[0][1], 0.0, s[0][1], s[0][0] + s[1][1], s[0][1], 0.0, s[0][1], s[1][1]);
    const glm::dvec3 bend = glm::inverse(equations) * glm::dvec3(c[0][0], c[1][0] + c[0][1], c[1][1]);
    const std::uint32_t packed = shared::packBend(glm::vec3(bend));
    const glm::dvec3 kept(shared::unpackBend(packed));
    const glm::dvec2 offset = along(cell.low + 0.5 * cell.side - position) / cell.side;
    const glm::dvec2 lean =
        along(normal) + glm::dvec2(kept.x * offset.x + kept.y * offset.y, kept.y * offset.x + kept.z * offset.y);
    if (packed == 0 || glm::dot(lean, lean) > kMostLean) {
        return {mean, 0};
    }
    return {shared::slabLean(across, glm::vec3(axes * lean)), packed};
}

} // namespace aureole
