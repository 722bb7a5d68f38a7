// Lamps of voxels light as their triangles do.

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "chi_square.h"
#include "emitters.h"
#include "full_sweep.h"
#include "renders.h"

namespace aureole {
namespace {

/// A lamp that is a rectangle, where one edge is 0, or a box; about the origin.
struct LampShape {
    std::array<glm::dvec3, 3> edges;

    glm::dvec3 corner(std::uint32_t i) const {
        return edges[0] * ((i & 1U) - 0.5) + edges[1] * ((i >> 1U & 1U) - 0.5) + edges[2] * ((i >> 2U) - 0.5);
    }
    bool isFlat() const { return edges[2] == glm::dvec3(0.0); }
    /// The corners of its sides, all the same way around.
    std::vector<std::array<std::uint32_t, 4>> sides() const {
        if (isFlat()) {
            return {{0, 1, 3, 2}};
        }
        return {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    }
    Mesh mesh() const {
        Mesh mesh;
        for (std::uint32_t i = 0; i < 8; ++i) {
            mesh.positions.emplace_back(corner(i));
        }
        for (const auto& side : sides()) {
            mesh.triangles.insert(mesh.triangles.end(), {{side[0], side[1], side[2]}, {side[0], side[2], side[3]}});
        }
        return mesh;
    }
    /// What a plane at `point` that faces `up` gets of radiance 1.
    double irradiance(const glm::dvec3& point, const glm::dvec3& up) const {
        double sum = 0.0;
        for (const auto& side : sides()) {
            const std::array corners = {corner(side[0]), corner(side[1]), corner(side[2]), corner(side[3])};
            const glm::dvec3 normal = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
            if (isFlat() || glm::dot(normal, point - corners[0]) > 0.0) {
                sum += lambert(point, corners, up);
            }
        }
        return sum;
    }
};

class LampShapes : public Emitters {
protected:
    /// Makes voxels of a lamp 0.2 wide, so many of them across it, between dark bodies that make the scene 2 wide.
    void useShape(const Mesh& lamp, SurfaceKind surface, std::uint32_t across) {
        std::vector<Mesh> meshes = {lamp, boxMesh(glm::vec3(-1.0F), glm::vec3(-0.98F)),
                                    boxMesh(glm::vec3(0.98F), glm::vec3(1.0F))};
        for (glm::vec3& position : meshes[0].positions) {
            position += middle_;
        }
        meshes[1].material = meshes[2].material = 1;
        useMeshes(meshes, surface, 10 * across);
    }

    /// What points all around the lamp get of it, by drawing directions to it, over what they should get there on
    /// planes that face it: `irradiance` of a point, from the lamp's middle, and a normal.
    double shareOfLight(const std::function<double(const glm::dvec3&, const glm::dvec3&)>& irradiance) {
        constexpr int kDirections = 32;
        constexpr int kDraws = 1000;
        double sum = 0.0;
        double expected = 0.0;
        for (int i = 0; i < kDirections; ++i) {
            const glm::dvec3 way =
                fromSphereGrid({-1.0 + (2.0 * i + 1.0) / kDirections, std::remainder(2.4 * i, 2.0 * kPi)});
            expected += irradiance(-0.5 * way, way);
            const glm::vec3 place((glm::dvec3(middle_) - 0.5 * way - octree_.grid.origin) / octree_.grid.voxelSize);
            for (int k = 0; k < kDraws; ++k) {
                std::uint32_t target = 0;
                const shared::LightSample s = draw(place, target);
                const Found found = s.pdf > 0.0F ? chance(place, s.direction) : Found{};
                if (s.pdf > 0.0F && found.box == target) {
                    const double cosine = glm::dot(glm::dvec3(s.direction), way);
                    sum += double{light_.probability} * double{found.radiance.x} * cosine / double{s.pdf} / kDraws;
                }
            }
        }
        return sum / expected;
    }

    /// Voxels across a lamp. The last of them only where all sweeps run.
    static constexpr std::array<std::uint32_t, 4> kAcross = {3, 10, 32, 100};
    static std::size_t finest() { return fullSweep() ? 3 : 2; }

    glm::vec3 middle_{0.0131F, 0.0217F, 0.0343F}; ///< of the lamp; not on the sides of voxels
};

/// Emissive voxels show more surface than their triangles have, and yet light as these do, whichever way the lamp lies.
TEST_F(LampShapes, LightAsTheirTriangles) {
    const glm::dmat3 turn(glm::rotate(glm::dmat4(1.0), 0.6, glm::normalize(glm::dvec3(1.0, 0.4, 0.7))));
    const glm::dmat3 straight(1.0);
    struct Case {
        const char* name;
        glm::dvec3 size;
        glm::dmat3 axes;
        std::array<std::array<double, 3>, 4> within; ///< for each of kAcross: cubes, planes, field
    };
    const std::array cases = {
        Case{"rectangle",
             {0.2, 0.15, 0.0},
             straight,
             {{{0.006, 0.006, 0.0}, {0.006, 0.006, 0.0}, {0.006, 0.006, 0.0}, {0.006, 0.006, 0.0}}}},
        Case{"turned rectangle",
             {0.2, 0.15, 0.0},
             turn,
             {{{0.31, 0.01, 0.0}, {0.04, 0.01, 0.0}, {0.015, 0.01, 0.0}, {0.02, 0.01, 0.0}}}},
        Case{"box",
             {0.2, 0.15, 0.17},
             straight,
             {{{0.006, 0.006, 0.07}, {0.006, 0.006, 0.01}, {0.006, 0.006, 0.006}, {0.006, 0.006, 0.006}}}},
        Case{"turned box",
             {0.2, 0.15, 0.17},
             turn,
             {{{0.04, 0.1, 0.03}, {0.04, 0.01, 0.01}, {0.016, 0.01, 0.01}, {0.01, 0.01, 0.01}}}},
        Case{"tube",
             {0.2, 0.002, 0.002},
             straight,
             {{{0.05, 0.05, 0.0}, {0.03, 0.03, 0.0}, {0.01, 0.01, 0.0}, {0.01, 0.01, 0.0}}}},
        Case{"turned tube", // a voxel wide at most
             {0.2, 0.002, 0.002},
             turn,
             {{{0.04, 0.04, 0.0}, {0.05, 0.05, 0.0}, {0.12, 0.12, 0.0}, {0.23, 0.2, 0.0}}}},
    };
    for (const Case& one : cases) {
        const LampShape lamp{{one.axes[0] * one.size.x, one.axes[1] * one.size.y, one.axes[2] * one.size.z}};
        for (std::size_t fine = 0; fine <= finest(); ++fine) {
            for (std::size_t kind = 0; kind < 3; ++kind) {
                if (one.within[fine][kind] > 0.0) { // a field shows neither sheets nor what is thinner than a voxel
                    useShape(lamp.mesh(), static_cast<SurfaceKind>(kind), kAcross[fine]);
                    const double share = shareOfLight(
                        [&](const glm::dvec3& point, const glm::dvec3& up) { return lamp.irradiance(point, up); });
                    EXPECT_NEAR(share, 1.0, one.within[fine][kind])
                        << one.name << ", " << surfaceKindNames()[kind] << ", " << kAcross[fine];
                }
            }
        }
    }
}

/// Also where all sides of a lamp lie on those of voxels, of which it then fills 8 x 2 x 8 and touches one more along
/// each axis, by its sides or by no more than an edge.
TEST_F(LampShapes, LightAsTheirTrianglesBetweenVoxels) {
    constexpr std::array<std::array<double, 3>, 2> kWithin = {{{0.006, 0.03, 0.015}, {0.006, 0.01, 0.006}}};
    middle_ = glm::vec3(0.0F);
    const LampShape lamp{{glm::dvec3(0.2, 0.0, 0.0), glm::dvec3(0.0, 0.05, 0.0), glm::dvec3(0.0, 0.0, 0.2)}};
    for (std::size_t kind = 0; kind < 3; ++kind) {
        for (std::size_t fine = 0; fine < kWithin.size(); ++fine) {
            useShape(lamp.mesh(), static_cast<SurfaceKind>(kind), fine == 0 ? 8 : 32);
            const double share =
                shareOfLight([&](const glm::dvec3& point, const glm::dvec3& up) { return lamp.irradiance(point, up); });
            EXPECT_NEAR(share, 1.0, kWithin[fine][kind]) << surfaceKindNames()[kind] << ", " << fine;
        }
    }
}

TEST_F(LampShapes, BallsLightAsTheirTriangles) {
    constexpr double kRadius = 0.1;
    Mesh ball = ballMesh(48);
    for (glm::vec3& position : ball.positions) {
        position *= static_cast<float>(kRadius);
    }
    // A ball lights as a point in its middle.
    const auto irradiance = [&](const glm::dvec3& point, const glm::dvec3& /*up*/) {
        return kPi * kRadius * kRadius / glm::dot(point, point);
    };
    constexpr std::array<std::array<double, 3>, 4> kWithin = {
        {{0.15, 0.015, 0.04}, {0.04, 0.015, 0.015}, {0.015, 0.015, 0.015}, {0.02, 0.015, 0.015}}};
    for (std::size_t kind = 0; kind < 3; ++kind) {
        for (std::size_t fine = 0; fine <= finest(); ++fine) {
            useShape(ball, static_cast<SurfaceKind>(kind), kAcross[fine]);
            EXPECT_NEAR(shareOfLight(irradiance), 1.0, kWithin[fine][kind])
                << surfaceKindNames()[kind] << ", " << kAcross[fine];
        }
    }
}

} // namespace
} // namespace aureole
