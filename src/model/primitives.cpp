#include "model/primitives.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace aureole {

namespace {

std::uint64_t pairKey(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32U | low;
}

void appendQuad(Mesh& mesh, const glm::dvec3& corner, const glm::dvec3& u, const glm::dvec3& v) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const glm::vec3 normal = glm::normalize(glm::cross(u, v));
    constexpr std::array<glm::dvec2, 4> kCorners = {glm::dvec2{0, 0}, glm::dvec2{1, 0}, glm::dvec2{1, 1},
                                                    glm::dvec2{0, 1}};
    for (const glm::dvec2& at : kCorners) {
        mesh.positions.emplace_back(corner + at.x * u + at.y * v);
        mesh.normals.push_back(normal);
        mesh.uvs[0].emplace_back(at.x, 1.0 - at.y);
    }
    mesh.triangles.emplace_back(first, first + 1, first + 2);
    mesh.triangles.emplace_back(first, first + 2, first + 3);
}

/// Directions and triangles of a subdivided icosahedron.
class Icosphere {
public:
    explicit Icosphere(std::uint32_t subdivisions) {
        addIcosahedron();
        for (std::uint32_t i = 0; i < subdivisions; ++i) {
            subdivide();
        }
    }

    std::vector<glm::dvec3> directions;
    std::vector<glm::uvec3> triangles;

private:
    /// A pole on each end of Y and two rings of five between, at the latitude of atan(1/2).
    void addIcosahedron() {
        const double height = 1.0 / std::sqrt(5.0);
        const double ring = 2.0 / std::sqrt(5.0);
        directions.emplace_back(0.0, 1.0, 0.0);
        for (int i = 0; i < 10; ++i) {
            const double angle = kPi / 5.0 * i;
            directions.emplace_back(ring * std::cos(angle), i % 2 == 0 ? height : -height, -ring * std::sin(angle));
        }
        directions.emplace_back(0.0, -1.0, 0.0);
        for (std::uint32_t i = 0; i < 10; i += 2) {
            const std::uint32_t upper = 1 + i;
            const std::uint32_t lower = 2 + i;
            const std::uint32_t nextUpper = 1 + (i + 2) % 10;
            const std::uint32_t nextLower = 2 + (i + 2) % 10;
            triangles.emplace_back(0, upper, nextUpper);
            triangles.emplace_back(upper, lower, nextUpper);
            triangles.emplace_back(nextUpper, lower, nextLower);
            triangles.emplace_back(lower, 11, nextLower);
        }
    }

    std::uint32_t midpoint(std::uint32_t a, std::uint32_t b) {
        const auto [entry, isNew] = midpoints_.try_emplace(pairKey(std::min(a, b), std::max(a, b)),
                                                           static_cast<std::uint32_t>(directions.size()));
        if (isNew) {
            directions.push_back(glm::normalize(directions[a] + directions[b]));
        }
        return entry->second;
    }

    void subdivide() {
        midpoints_.clear();
        std::vector<glm::uvec3> finer;
        finer.reserve(4 * triangles.size());
        for (const glm::uvec3& t : triangles) {
            const std::uint32_t ab = midpoint(t.x, t.y);
            const std::uint32_t bc = midpoint(t.y, t.z);
            const std::uint32_t ca = midpoint(t.z, t.x);
            finer.emplace_back(t.x, ab, ca);
            finer.emplace_back(ab, t.y, bc);
            finer.emplace_back(ca, bc, t.z);
            finer.emplace_back(ab, bc, ca);
        }
        triangles = std::move(finer);
    }

    std::unordered_map<std::uint64_t, std::uint32_t> midpoints_;
};

bool isPole(const glm::dvec3& direction) {
    return std::abs(direction.y) > 1.0 - 1e-12;
}

double longitudeU(const glm::dvec3& direction) {
    return 0.5 + std::atan2(-direction.x, -direction.z) / (2.0 * kPi);
}

/// The u of a triangle's corners, which may pass 1 so that no triangle runs backwards over the seam at +Z. A pole has
/// no longitude of its own and takes the mean of the other two.
std::array<double, 3> cornerU(const std::array<glm::dvec3, 3>& corners) {
    std::array<double, 3> u{};
    double largest = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = longitudeU(corners[i]);
        largest = isPole(corners[i]) ? largest : std::max(largest, u[i]);
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] += largest - u[i] > 0.5 ? 1.0 : 0.0;
        sum += isPole(corners[i]) ? 0.0 : u[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = isPole(corners[i]) ? 0.5 * sum : u[i];
    }
    return u;
}

/// The number of vertices: those of the icosahedron, 3 * 2^n - 1 that the seam has a second time, and a pole for each
/// triangle there.
std::uint64_t sphereVertices(std::uint32_t subdivisions) {
    const std::uint64_t seam = (std::uint64_t{3} << subdivisions) - 1;
    return 2 + sphereTriangles(subdivisions) / 2 + seam + 8;
}

} // namespace

Mesh makeBox(const glm::dvec3& min, const glm::dvec3& max) {
    const glm::dvec3 e = max - min;
    const glm::dvec3 x{e.x, 0.0, 0.0};
    const glm::dvec3 y{0.0, e.y, 0.0};
    const glm::dvec3 z{0.0, 0.0, e.z};
    Mesh mesh;
    appendQuad(mesh, min + z, x, y);
    appendQuad(mesh, min + x, -x, y);
    appendQuad(mesh, min, z, y);
    appendQuad(mesh, min + x + z, -z, y);
    appendQuad(mesh, min + y + z, x, -z);
    appendQuad(mesh, min, x, z);
    return mesh;
}

std::uint64_t sphereTriangles(std::uint32_t subdivisions) {
    return std::uint64_t{20} << 2 * subdivisions;
}

std::uint64_t sphereBytes(std::uint32_t subdivisions) {
    const std::uint64_t triangles = sphereTriangles(subdivisions);
    return triangles * sizeof(glm::uvec3) +
           sphereVertices(subdivisions) * (2 * sizeof(glm::vec3) + sizeof(glm::vec2)); // with normals and coordinates
}

Mesh makeSphere(const glm::dvec3& centre, double radius, std::uint32_t subdivisions) {
    const Icosphere sphere(subdivisions);
    Mesh mesh;
    const std::uint64_t most = sphereVertices(subdivisions);
    mesh.positions.reserve(most);
    mesh.normals.reserve(most);
    mesh.uvs[0].reserve(most);
    mesh.triangles.reserve(sphere.triangles.size());
    // A vertex is split where triangles disagree about its u: along the seam and at the poles.
    std::unordered_map<std::uint64_t, std::uint32_t> vertices;
    for (const glm::uvec3& triangle : sphere.triangles) {
        const std::array<glm::dvec3, 3> corners = {sphere.directions[triangle.x], sphere.directions[triangle.y],
                                                   sphere.directions[triangle.z]};
        const std::array<double, 3> u = cornerU(corners);
        glm::uvec3 indices{0};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto corner = static_cast<glm::length_t>(i);
            const auto [entry, isNew] =
                vertices.try_emplace(pairKey(triangle[corner], std::bit_cast<std::uint32_t>(static_cast<float>(u[i]))),
                                     static_cast<std::uint32_t>(mesh.positions.size()));
            if (isNew) {
                mesh.positions.emplace_back(centre + radius * corners[i]);
                mesh.normals.emplace_back(corners[i]);
                mesh.uvs[0].emplace_back(u[i], std::acos(glm::clamp(corners[i].y, -1.0, 1.0)) / kPi);
            }
            indices[corner] = entry->second;
        }
        mesh.triangles.push_back(indices);
    }
    return mesh;
}

Mesh makeQuad(const glm::dvec3& corner, const glm::dvec3& u, const glm::dvec3& v) {
    Mesh mesh;
    appendQuad(mesh, corner, u, v);
    return mesh;
}

} // namespace aureole
