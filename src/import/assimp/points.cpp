#include "import/assimp/points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace aureole {

namespace {

constexpr unsigned kLevels = 21; ///< of an octree whose cells have numbers of 63 bits

/// The lowest 21 bits, each followed by two zeros.
std::uint64_t spread(std::uint64_t bits) {
    bits = (bits | bits << 32U) & 0x1f00000000ffffU;
    bits = (bits | bits << 16U) & 0x1f0000ff0000ffU;
    bits = (bits | bits << 8U) & 0x100f00f00f00f00fU;
    bits = (bits | bits << 4U) & 0x10c30c30c30c30c3U;
    return (bits | bits << 2U) & 0x1249249249249249U;
}

/// The numbers of the finest cells that hold points, in the order of an octree, each once.
std::vector<std::uint64_t> cellsOf(const std::vector<glm::vec3>& points, const glm::dvec3& low, double side) {
    constexpr std::uint64_t kMost = (std::uint64_t{1} << kLevels) - 1;
    std::vector<std::uint64_t> cells;
    cells.reserve(points.size());
    for (const glm::vec3& point : points) {
        const glm::dvec3 place = (glm::dvec3(point) - low) / side * double{1U << kLevels};
        std::uint64_t cell = 0;
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            cell |= spread(std::min(static_cast<std::uint64_t>(place[axis]), kMost)) << static_cast<unsigned>(axis);
        }
        cells.push_back(cell);
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

/// Two vectors that make a right-handed base with a normal.
std::array<glm::dvec3, 2> across(const glm::dvec3& normal) {
    const glm::dvec3 other = std::abs(normal.x) < 0.5 ? glm::dvec3(1.0, 0.0, 0.0) : glm::dvec3(0.0, 0.0, 1.0);
    const glm::dvec3 first = glm::normalize(glm::cross(other, normal));
    return {first, glm::cross(normal, first)};
}

/// A vertex's value for each of the three corners that it becomes.
template <typename T>
void triple(std::vector<T>& values) {
    const std::vector<T> once = std::move(values);
    values.clear();
    values.reserve(3 * once.size());
    for (const T& value : once) {
        values.insert(values.end(), 3, value);
    }
}

} // namespace

double spacingOf(const std::vector<glm::vec3>& points) {
    Bounds bounds;
    for (const glm::vec3& point : points) {
        bounds.add(glm::dvec3(point));
    }
    const glm::dvec3 extent = bounds.empty() ? glm::dvec3(0.0) : bounds.extent();
    const double side = std::max({extent.x, extent.y, extent.z});
    if (!(side > 0.0)) {
        return 0.0;
    }
    std::vector<std::uint64_t> cells = cellsOf(points, bounds.min, side);
    constexpr double kWanted = 6.0; // points in a cell that holds some
    const double wanted = static_cast<double>(cells.size()) / kWanted;
    auto finer = static_cast<double>(cells.size());
    for (unsigned level = kLevels; level-- > 0;) {
        for (std::uint64_t& cell : cells) {
            cell >>= 3U;
        }
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        const auto held = static_cast<double>(cells.size());
        if (held <= wanted) {
            const double part = finer > held ? std::log(std::max(wanted / held, 1.0)) / std::log(finer / held) : 0.0;
            return side * std::exp2(-(level + part));
        }
        finer = held;
    }
    return side;
}

PointCloud makePoints(Mesh& mesh) {
    const PointCloud cloud{spacingOf(mesh.positions), !mesh.normals.empty()};
    const std::vector<glm::vec3> points = mesh.positions;
    triple(mesh.positions);
    triple(mesh.normals);
    triple(mesh.colours);
    mesh.uvs = {};
    constexpr double kSize = 1e-3;       // of the spacing
    constexpr float kLeastSteps = 16.0F; // of a float, so that the triangle has a shape
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const std::uint32_t first = 3 * i;
        const glm::dvec3 normal = mesh.normals.empty() ? glm::dvec3(0.0) : glm::dvec3(mesh.normals[first]);
        const std::array<glm::dvec3, 2> base = across(glm::length(normal) > 0.5 ? normal : glm::dvec3(0.0, 1.0, 0.0));
        const glm::vec3 reach = glm::abs(points[i]);
        const float step = std::max({reach.x, reach.y, reach.z}) * std::numeric_limits<float>::epsilon();
        const double size = std::max(kSize * cloud.spacing, double{kLeastSteps * step});
        for (std::uint32_t corner = 0; corner < 3; ++corner) {
            const double angle = 2.0 * kPi * corner / 3.0;
            mesh.positions[first + corner] =
                glm::vec3(glm::dvec3(points[i]) + size * (std::cos(angle) * base[0] + std::sin(angle) * base[1]));
        }
        mesh.triangles.emplace_back(first, first + 1, first + 2);
    }
    return cloud;
}

} // namespace aureole
