#include "shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "test_scene.h"

namespace aureole::test {

namespace {

using Triangle = std::array<glm::vec3, 3>;

constexpr float kSide = 64.0F; ///< of the soups, metres

/// Where the corners of soups are.
class Places {
public:
    explicit Places(unsigned seed)
        : engine_(seed) {}

    unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }
    glm::vec3 any() { return {place_(engine_), place_(engine_), place_(engine_)}; }
    glm::vec3 near(const glm::vec3& point, float size) {
        return glm::clamp(point + size * glm::vec3(normal_(engine_), normal_(engine_), normal_(engine_)), 0.0F, kSide);
    }

private:
    std::mt19937 engine_;
    std::uniform_real_distribution<float> place_{0.0F, kSide};
    std::normal_distribution<float> normal_;
};

/// One triangle of the kinds of soups, or two.
void addTriangles(Places& places, std::vector<Triangle>& triangles) {
    const glm::vec3 a = places.any();
    switch (places.below(7)) {
    case 0:
        triangles.push_back({a, places.near(a, 0.5F), places.near(a, 0.5F)});
        break;
    case 1:
        triangles.push_back({a, places.near(a, 6.0F), places.near(a, 6.0F)});
        break;
    case 2: {
        const glm::vec3 b = places.any();
        triangles.push_back({a, b, places.near(a + 0.5F * (b - a), 0.02F)});
        break;
    }
    case 3:
        triangles.push_back({a, places.any(), places.any()});
        break;
    case 4: // on the boundaries of voxels
        triangles.push_back({glm::floor(a), glm::floor(places.near(a, 5.0F)), glm::floor(places.near(a, 5.0F))});
        break;
    case 5: // without area
        triangles.push_back({a, places.near(a, 3.0F), a});
        break;
    default: { // a thin wall
        const glm::vec3 b = places.near(a, 4.0F);
        const glm::vec3 c = places.near(a, 4.0F);
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, b});
        break;
    }
    }
}

Scene sceneIn(const std::vector<Triangle>& triangles) {
    Scene scene = sceneOf(triangles);
    scene.materials.front().albedo = {0.3F, 0.6F, 0.9F};
    return scene;
}

/// The gyroid and the box around it as the level set 0 of a function, negative inside.
double gyroidAt(const glm::dvec3& point, const glm::dvec3& size) {
    const glm::dvec3 angle = 2.0 * kPi * point;
    const double surface = std::sin(angle.x) * std::cos(angle.y) + std::sin(angle.y) * std::cos(angle.z) +
                           std::sin(angle.z) * std::cos(angle.x);
    const glm::dvec3 beyond = glm::abs(point - 0.5 * size) - 0.49 * size;
    return std::max({surface, 9.0 * beyond.x, 9.0 * beyond.y, 9.0 * beyond.z});
}

/// The level set 0 in a tetrahedron, none of whose corners is on it, seen from outside. Both tetrahedra of an edge find
/// the same point on it, as it is worked out from its lower end.
void marchTetrahedron(std::array<glm::dvec4, 4> corners, std::vector<Triangle>& triangles) {
    const auto onEdge = [](glm::dvec4 from, glm::dvec4 to) {
        if (std::make_tuple(to.x, to.y, to.z) < std::make_tuple(from.x, from.y, from.z)) {
            std::swap(from, to);
        }
        return glm::vec3(glm::dvec3(from) + (from.w / (from.w - to.w)) * glm::dvec3(to - from));
    };
    const auto inside =
        std::partition(corners.begin(), corners.end(), [](const glm::dvec4& c) { return c.w < 0.0; }) - corners.begin();
    const auto& [a, b, c, d] = corners;
    const bool mirrored = glm::determinant(glm::dmat3(glm::dvec3(b - a), glm::dvec3(c - a), glm::dvec3(d - a))) < 0.0;
    const auto add = [&](const glm::vec3& p, const glm::vec3& q, const glm::vec3& r) {
        triangles.push_back(mirrored ? Triangle{p, r, q} : Triangle{p, q, r});
    };
    if (inside == 1) {
        add(onEdge(a, b), onEdge(a, c), onEdge(a, d));
    } else if (inside == 3) {
        add(onEdge(d, a), onEdge(d, b), onEdge(d, c));
    } else if (inside == 2) {
        add(onEdge(a, c), onEdge(a, d), onEdge(b, c));
        add(onEdge(b, d), onEdge(b, c), onEdge(a, d));
    }
}

} // namespace

Scene soup(unsigned seed, std::size_t count) {
    Places places(seed);
    std::vector<Triangle> triangles;
    while (triangles.size() < count) {
        addTriangles(places, triangles);
    }
    return sceneIn(triangles);
}

Scene closedSoup(unsigned seed, std::size_t count) {
    Places places(seed);
    std::vector<Triangle> triangles;
    while (triangles.size() < 4 * count) {
        std::vector<Triangle> bases;
        addTriangles(places, bases);
        for (const auto& [a, b, c] : bases) {
            const glm::vec3 d = places.near(a, places.below(2) == 0 ? 0.05F : 5.0F);
            triangles.insert(triangles.end(), {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}});
        }
    }
    return sceneIn(triangles);
}

Scene gyroidBlock(const glm::ivec3& metres, int cells) {
    const glm::ivec3 count = metres * cells;
    const auto cornerAt = [&](const glm::ivec3& corner) {
        const glm::dvec3 point = glm::dvec3(corner) / static_cast<double>(cells);
        const double value = gyroidAt(point, metres);
        return glm::dvec4(point, value != 0.0 ? value : 1e-9);
    };
    constexpr std::array<std::array<int, 3>, 6> kOrders = {
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    std::vector<Triangle> triangles;
    for (int i = 0; i < count.x * count.y * count.z; ++i) {
        const glm::ivec3 cell(i % count.x, i / count.x % count.y, i / count.x / count.y);
        for (const std::array<int, 3>& order : kOrders) { // from one corner of the cell to the other (Kuhn)
            std::array<glm::dvec4, 4> corners{};
            glm::ivec3 corner = cell;
            corners[0] = cornerAt(corner);
            for (std::size_t step = 0; step < 3; ++step) {
                ++corner[order[step]];
                corners[step + 1] = cornerAt(corner);
            }
            marchTetrahedron(corners, triangles);
        }
    }
    return sceneIn(triangles);
}

} // namespace aureole::test
