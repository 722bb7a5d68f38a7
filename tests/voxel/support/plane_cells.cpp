#include "plane_cells.h"

#include <cmath>
#include <limits>

namespace aureole::test {

namespace {

void walk(const Octree& octree, std::size_t node, const glm::ivec3& low, int side, std::vector<PlaneCell>& cells) {
    const shared::OctreeNode& n = std::get<PlanesEncoding>(octree.encoding).nodes[node];
    if ((n.flags & OCTREE_NODE_TERMINAL) != 0) {
        cells.push_back({low, side, n.firstChild});
        return;
    }
    std::size_t child = n.firstChild;
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
        if (shared::maskHasBit({n.maskLow, n.maskHigh}, bit) == 0) {
            continue;
        }
        const glm::ivec3 part(bit % 4, bit / 4 % 4, bit / 16); // row by row
        const glm::ivec3 corner = low + part * (side / 4);
        if (side == 4) {
            cells.push_back({corner, 1, child});
        } else {
            walk(octree, child, corner, side / 4, cells);
        }
        ++child;
    }
}

glm::dvec3 nearestPoint(const LatticeTriangle& triangle, const glm::dvec3& p) {
    const glm::dvec3 a = glm::dvec3(triangle[0]) / 256.0;
    const glm::dvec3 u = glm::dvec3(triangle[1]) / 256.0 - a;
    const glm::dvec3 v = glm::dvec3(triangle[2]) / 256.0 - a;
    const glm::dvec3 n = glm::cross(u, v);
    const double square = glm::dot(n, n);
    if (square > 0.0) {
        const double s = glm::dot(glm::cross(p - a, v), n) / square;
        const double t = glm::dot(glm::cross(u, p - a), n) / square;
        if (s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
            return a + s * u + t * v;
        }
    }
    glm::dvec3 best = a;
    for (int i = 0; i < 3; ++i) {
        const glm::dvec3 from = glm::dvec3(triangle[static_cast<std::size_t>(i)]) / 256.0;
        const glm::dvec3 along = glm::dvec3(triangle[static_cast<std::size_t>((i + 1) % 3)]) / 256.0 - from;
        const double length = glm::dot(along, along);
        const double x = length > 0.0 ? glm::clamp(glm::dot(p - from, along) / length, 0.0, 1.0) : 0.0;
        const glm::dvec3 q = from + x * along;
        best = glm::distance(q, p) < glm::distance(best, p) ? q : best;
    }
    return best;
}

} // namespace

std::vector<PlaneCell> planeCells(const Octree& octree) {
    std::vector<PlaneCell> cells;
    walk(octree, 0, glm::ivec3(0), 1 << (2 * octree.levels), cells);
    return cells;
}

CellMap::CellMap(const Octree& octree)
    : cells_(planeCells(octree)) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        const PlaneCell& cell = cells_[i];
        bySideAndCorner_[{cell.side, cell.low.x, cell.low.y, cell.low.z}] = i;
    }
}

const PlaneCell* CellMap::at(const glm::dvec3& point) const {
    for (int side = 1; side <= 64; side *= 4) {
        const glm::ivec3 low = glm::ivec3(glm::floor(point / double(side))) * side;
        const auto found = bySideAndCorner_.find({side, low.x, low.y, low.z});
        if (found != bySideAndCorner_.end()) {
            return &cells_[found->second];
        }
    }
    return nullptr;
}

std::optional<PlaneDistance> planeDistance(const Octree& octree, const PlaneCell& cell, const glm::dvec3& point) {
    const shared::SurfaceSlab slab = std::get<PlanesEncoding>(octree.encoding).slabs[cell.index];
    const auto thickness = static_cast<int>(slab.extent % (1U << 14U));
    if (thickness == (1 << 14) - 1) {
        return std::nullopt;
    }
    // The octahedron |x| + |y| + |z| = 1, unfolded to a square.
    const double u = static_cast<double>(slab.normal % (1U << 14U)) / 8191.0 - 1.0;
    const double v = static_cast<double>((slab.normal >> 14U) % (1U << 14U)) / 8191.0 - 1.0;
    glm::dvec3 n(u, v, 1.0 - std::abs(u) - std::abs(v));
    if (n.z < 0.0) {
        n.x = (1.0 - std::abs(v)) * (u < 0.0 ? -1.0 : 1.0);
        n.y = (1.0 - std::abs(u)) * (v < 0.0 ? -1.0 : 1.0);
    }
    const double scale = static_cast<double>(cell.side) / glm::length(n);
    const double middle = (static_cast<int>(slab.extent >> 14U) - (1 << 17)) / 32.0 / 8191.0;
    const glm::dvec3 within = (point - glm::dvec3(cell.low)) / static_cast<double>(cell.side) - 0.5;
    return PlaneDistance{(glm::dot(n, within) - middle) * scale, thickness / 4.0 / 8191.0 * scale, n / glm::length(n)};
}

void sampleTriangles(const std::vector<LatticeTriangle>& triangles, double density, unsigned seed,
                     const std::function<void(const glm::dvec3&)>& visit) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (const LatticeTriangle& triangle : triangles) {
        const glm::dvec3 a = glm::dvec3(triangle[0]) / 256.0;
        const glm::dvec3 u = glm::dvec3(triangle[1]) / 256.0 - a;
        const glm::dvec3 v = glm::dvec3(triangle[2]) / 256.0 - a;
        const double area = 0.5 * glm::length(glm::cross(u, v));
        for (auto left = static_cast<int>(area * density + unit(random)); left > 0; --left) {
            double s = unit(random);
            double t = unit(random);
            if (s + t > 1.0) {
                s = 1.0 - s;
                t = 1.0 - t;
            }
            visit(a + s * u + t * v);
        }
    }
}

double surfaceDistance(const std::vector<LatticeTriangle>& triangles, const glm::dvec3& point) {
    double least = std::numeric_limits<double>::infinity();
    for (const LatticeTriangle& triangle : triangles) {
        least = std::min(least, glm::distance(nearestPoint(triangle, point), point));
    }
    return least;
}

double degreesBetween(const glm::dvec3& a, const glm::dvec3& b) {
    return glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
}

Octree voxelizePlanes(const Scene& scene, std::uint32_t resolution, double error) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = SurfaceKind::Planes;
    options.error = error;
    return voxelizeScene(scene, options);
}

} // namespace aureole::test
