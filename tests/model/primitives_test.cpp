#include "model/primitives.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace aureole {
namespace {

using Point = std::tuple<float, float, float>;

Point key(const glm::vec3& p) {
    return {std::round(p.x * 1e5F), std::round(p.y * 1e5F), std::round(p.z * 1e5F)};
}

/// Whether every directed edge, by position, has exactly one opposite: a closed surface of consistent winding.
bool isClosed(const Mesh& mesh) {
    std::map<std::pair<Point, Point>, int> edges;
    for (const glm::uvec3& t : mesh.triangles) {
        for (glm::length_t i = 0; i < 3; ++i) {
            ++edges[{key(mesh.positions[t[i]]), key(mesh.positions[t[(i + 1) % 3]])}];
        }
    }
    for (const auto& [edge, count] : edges) {
        const auto opposite = edges.find({edge.second, edge.first});
        if (count != 1 || opposite == edges.end()) {
            return false;
        }
    }
    return true;
}

/// The volume by the divergence theorem: positive where the triangles face outwards.
double volume(const Mesh& mesh) {
    double sum = 0.0;
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::dvec3 a = mesh.positions[t.x];
        sum += glm::dot(a, glm::cross(glm::dvec3(mesh.positions[t.y]), glm::dvec3(mesh.positions[t.z]))) / 6.0;
    }
    return sum;
}

void expectNormalsOnTheFront(const Mesh& mesh) {
    ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
    ASSERT_EQ(mesh.uvs[0].size(), mesh.positions.size());
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::vec3 a = mesh.positions[t.x];
        const glm::vec3 face = glm::normalize(glm::cross(mesh.positions[t.y] - a, mesh.positions[t.z] - a));
        for (glm::length_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(glm::length(mesh.normals[t[i]]), 1.0F, 1e-5F);
            EXPECT_GT(glm::dot(face, mesh.normals[t[i]]), 0.5F);
        }
    }
}

TEST(Primitives, BoxIsClosedAndFacesOutwards) {
    const Mesh box = makeBox({-1, -2, -3}, {1, 2, 4});
    EXPECT_EQ(box.triangles.size(), 12U);
    EXPECT_TRUE(isClosed(box));
    EXPECT_NEAR(volume(box), 2.0 * 4.0 * 7.0, 1e-4);
    expectNormalsOnTheFront(box);
}

TEST(Primitives, SphereIsClosedAndNearsItsVolume) {
    const double exact = 4.0 / 3.0 * kPi * 8.0;
    double previous = 0.0;
    for (std::uint32_t n = 0; n <= 4; ++n) {
        const Mesh sphere = makeSphere({1, 2, 3}, 2.0, n);
        EXPECT_EQ(sphere.triangles.size(), 20U << (2 * n));
        EXPECT_TRUE(isClosed(sphere));
        EXPECT_GT(volume(sphere), previous);
        previous = volume(sphere);
        for (const glm::vec3& position : sphere.positions) {
            EXPECT_NEAR(glm::distance(position, glm::vec3(1, 2, 3)), 2.0F, 1e-5F);
        }
        expectNormalsOnTheFront(sphere);
    }
    EXPECT_LT(previous, exact);
    EXPECT_GT(previous, 0.99 * exact);
}

TEST(Primitives, SphereTexturesAreWhole) {
    const Mesh sphere = makeSphere({0, 0, 0}, 1.0, 3);
    double area = 0.0;
    for (const glm::uvec3& t : sphere.triangles) {
        const glm::dvec2 a = sphere.uvs[0][t.x];
        const glm::dvec2 b = glm::dvec2(sphere.uvs[0][t.y]) - a;
        const glm::dvec2 c = glm::dvec2(sphere.uvs[0][t.z]) - a;
        EXPECT_LT(std::max({std::abs(b.x), std::abs(c.x), std::abs(b.x - c.x)}), 0.5) << "runs over the seam";
        area += 0.5 * (b.x * c.y - b.y * c.x);
    }
    // The picture is laid out once. Seen from outside it is not mirrored: with v downwards that is a negative area.
    // The corners at the poles are missing from it.
    EXPECT_NEAR(area, -1.0, 0.1);
    for (std::size_t i = 0; i < sphere.positions.size(); ++i) {
        if (glm::distance(sphere.positions[i], glm::vec3(0, 0, -1)) < 0.02F) {
            EXPECT_NEAR(sphere.uvs[0][i].x, 0.5F, 0.01F);
        }
    }
}

TEST(Primitives, QuadFacesItsCrossProduct) {
    const Mesh quad = makeQuad({1, 2, 3}, {2, 0, 0}, {0, 0, -3});
    expectNormalsOnTheFront(quad);
    EXPECT_EQ(quad.normals[0], glm::vec3(0, 1, 0));
    std::set<Point> corners;
    for (const glm::vec3& position : quad.positions) {
        corners.insert(key(position));
    }
    EXPECT_EQ(corners, (std::set<Point>{key({1, 2, 3}), key({3, 2, 3}), key({3, 2, 0}), key({1, 2, 0})}));
    EXPECT_EQ(quad.uvs[0][0], glm::vec2(0, 1)) << "the lower left corner of the picture";
}

} // namespace
} // namespace aureole
