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

Scene sheetOverWaves() {
    std::vector<Triangle> triangles;
    constexpr int kLength = 16;
    constexpr int kWidth = 4;
    for (int sheet = 0; sheet < 2; ++sheet) {
        const auto cornerAt = [&](int i, int k) {
            const auto x = static_cast<float>(i);
            const auto z = static_cast<float>(k);
            const float height = sheet == 0 ? 0.1F * x : 40.0F + 1.5F * std::sin(0.4F * x + 0.2F * z);
            return glm::vec3(4.0F * x + 0.3F * z, height, 4.0F * z);
        };
        for (int i = 0; i < kLength * kWidth; ++i) {
            const int x = i % kLength;
            const int z = i / kLength;
            triangles.push_back({cornerAt(x, z), cornerAt(x, z + 1), cornerAt(x + 1, z)});
            triangles.push_back({cornerAt(x + 1, z), cornerAt(x, z + 1), cornerAt(x + 1, z + 1)});
        }
    }
    Scene scene = sceneOf(triangles);
    Mesh& mesh = scene.meshes.front();
    for (const glm::vec3& position : mesh.positions) {
        mesh.normals.push_back(glm::normalize(glm::vec3(0.03F * std::sin(0.1F * position.z), 1.0F, 0.02F)));
    }
    return scene;
}

Scene steppedSheet(std::uint32_t side, float step) {
    std::vector<Triangle> triangles;
    const auto addSquare = [&](const glm::vec3& low, float width) {
        const glm::vec3 x(width, 0.0F, 0.0F);
        const glm::vec3 z(0.0F, 0.0F, width);
        triangles.push_back({low, low + z, low + x});
        triangles.push_back({low + x, low + z, low + x + z});
    };
    constexpr float kGap = 0.02F; // to the border of the part
    const auto metres = static_cast<float>(side);
    for (int i = 0; i < 4; ++i) {
        const glm::vec3 part = metres * glm::vec3(1 + i % 2, 1, 1 + i / 2);
        const glm::vec3 low = part + glm::vec3(kGap, 8.0F - 0.5F * step, kGap);
        addSquare(low, 0.25F * metres - 2.0F * kGap);
        addSquare(low + glm::vec3(0.0F, step, 0.0F), metres - 2.0F * kGap);
    }
    const float far = 5.0F * metres;
    triangles.push_back({glm::vec3(0.0F), glm::vec3(0.0F, 0.0F, 0.2F), glm::vec3(0.2F, 0.0F, 0.0F)});
    triangles.push_back({glm::vec3(far), glm::vec3(far, far, far - 0.2F), glm::vec3(far - 0.2F, far, far)});
    Scene scene = sceneOf(triangles);
    scene.meshes.front().normals.assign(scene.meshes.front().positions.size(), glm::vec3(0.0F, 1.0F, 0.0F));
    return scene;
}

Scene sheetsInTurn(int triangles) {
    std::vector<Triangle> all;
    constexpr float kSum = 5.96F; // of the coordinates within a block
    for (int i = 0; i < triangles; ++i) {
        for (int k = 0; k < 8; ++k) {
            const auto at = [&](float x, float y) {
                return glm::vec3(8 * (k % 2), 8 * (k / 2 % 2), 8 * (k / 4)) + glm::vec3(x, y, kSum - x - y);
            };
            if (i % 2 == k % 2) {
                all.push_back({at(kSum, 0.0F), at(0.0F, kSum), at(0.0F, 0.0F)});
            } else {
                const float x = 1.3F + 0.01F * static_cast<float>((i * 37 + k * 11) % 140);
                all.push_back({at(x + 0.1F, 1.9F), at(x - 0.1F, 2.1F), at(x, 1.9F)});
            }
        }
    }
    all.push_back({glm::vec3(63.7F, 63.7F, 64.0F), glm::vec3(63.7F, 64.0F, 63.7F), glm::vec3(64.0F, 63.7F, 63.7F)});
    return sceneOf(all);
}

} // namespace aureole::test
