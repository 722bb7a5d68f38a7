#include "voxel/surface/slab_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/set_bits.h"
#include "shared/octree/octree.h"
#include "voxel/build/coverage.h"

namespace aureole {

namespace {

constexpr double kLength = SLAB_NORMAL;
/// What a height may be off by, in the unit of heights: 2^-17 of the cell's side.
constexpr double kHeightMargin = kLength / (1 << 17);

/// The code of the nearest octahedral direction.
std::uint32_t packDirection(const glm::dvec3& normal) {
    const glm::dvec3 size = glm::abs(normal);
    const glm::dvec3 p = normal * (kLength / (size.x + size.y + size.z));
    glm::dvec2 flat(p.x, p.y);
    if (p.z < 0.0) {
        flat = {std::copysign(kLength - std::abs(p.y), p.x), std::copysign(kLength - std::abs(p.x), p.y)};
    }
    const auto code = [](double value) {
        return static_cast<std::uint32_t>(std::clamp(std::round(value), -kLength, kLength) + kLength);
    };
    return code(flat.x) | (code(flat.y) << 14U);
}

} // namespace

shared::SurfaceSlab fitSlab(const glm::dvec3& normal, std::span<const glm::dvec3> corners, const CellBox& cell) {
    shared::SurfaceSlab slab = {packDirection(normal), 0, 0};
    const glm::dvec3 across = glm::dvec3(shared::slabNormal(slab.normal)) / cell.side;
    const glm::dvec3 middle = cell.low + 0.5 * cell.side;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const glm::dvec3& corner : corners) {
        const double height = glm::dot(across, corner - middle);
        low = std::min(low, height);
        high = std::max(high, height);
    }
    constexpr double kHeightReach = 0.5 * kLength; // of the cell
    low = std::clamp(low, -kHeightReach, kHeightReach) - kHeightMargin;
    high = std::clamp(high, -kHeightReach, kHeightReach) + kHeightMargin;
    const double step = std::round(0.5 * (low + high) / double{SLAB_HEIGHT_STEP});
    const double height = step * double{SLAB_HEIGHT_STEP};
    const double thickness = std::ceil(std::max(high - height, height - low) / double{SLAB_THICKNESS_STEP});
    if (!(thickness < double{SLAB_WHOLE}) || std::abs(step) >= double{SLAB_HEIGHT_ZERO}) {
        return kWholeCell;
    }
    slab.extent = (static_cast<std::uint32_t>(step + SLAB_HEIGHT_ZERO) << SLAB_HEIGHT_SHIFT) |
                  static_cast<std::uint32_t>(thickness);
    return slab;
}

double halfThickness(const shared::SurfaceSlab& slab, double side) {
    if (shared::slabIsWhole(slab) != 0) {
        return std::numeric_limits<double>::infinity();
    }
    const shared::SlabPlanes planes = shared::unpackSlab(slab);
    return 0.5 * double{planes.high - planes.low} * side / glm::length(glm::dvec3(planes.normal));
}

std::uint64_t partsAcross(const shared::SurfaceSlab& slab, double side, double depth) {
    const shared::SlabPlanes planes = shared::unpackSlab(slab);
    const double middle = 0.5 * (double{planes.low} + double{planes.high});
    const double reach = kLength * (0.125 - depth / side); // a plane's distance in this norm is its height / kLength
    std::uint64_t parts = 0;
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
        const glm::dvec3 centre = (glm::dvec3(shared::bitCell(bit)) + 0.5) / 4.0 - 0.5;
        if (std::abs(glm::dot(glm::dvec3(planes.normal), centre) - middle) < reach) {
            parts |= std::uint64_t{1} << bit;
        }
    }
    return parts;
}

std::uint64_t partsMet(const shared::SurfaceSlab& slab, double side, const CellBox& box, std::uint64_t among) {
    if (shared::slabIsWhole(slab) != 0) {
        return among;
    }
    const shared::SlabPlanes planes = shared::unpackSlab(slab);
    const double middle = 0.5 * (double{planes.low} + double{planes.high});
    const double thickness = 0.5 * (double{planes.high} - double{planes.low});
    const double reach = kLength * 0.125 * box.side / side + std::max(0.0, thickness - double{SLAB_THICKNESS_STEP});
    // Surfaces lie on steps of 1/kSnapUnits voxel: half of one decides for those between two parts.
    const glm::dvec3 corner = box.low - 0.5 / kSnapUnits;
    std::uint64_t parts = 0;
    std::uint64_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t bit : setBits(among)) {
        const glm::dvec3 centre = corner + (glm::dvec3(shared::bitCell(bit)) + 0.5) * (0.25 * box.side);
        const double away = std::abs(glm::dot(glm::dvec3(planes.normal), centre / side - 0.5) - middle);
        parts |= away <= reach ? std::uint64_t{1} << bit : 0;
        if (away < least) {
            least = away;
            nearest = std::uint64_t{1} << bit;
        }
    }
    return parts != 0 ? parts : nearest;
}

} // namespace aureole
