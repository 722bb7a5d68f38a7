#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "shared/surface/surface_hit.h"
#include "voxel/build/build.h"
#include "voxel/surface/slab_fit.h"

namespace aureole {
namespace {

class GpuPlanes : public gpu::GpuTest {};

Scene sceneOf(const Mesh& mesh) {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.emplace_back();
    scene.materials[0].albedo = glm::vec3(1.0F);
    scene.meshes = {mesh};
    scene.meshInstances.emplace_back();
    return scene;
}

Octree voxelizePlanes(const Scene& scene, std::uint32_t resolution, double error = 0.25) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = SurfaceKind::Planes;
    options.error = error;
    return voxelizeScene(scene, options);
}

/// Triangles of all sizes and directions, and a large square, in a cube of side 1.
Mesh soup(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    const auto point = [&] { return glm::vec3(unit(random), unit(random), unit(random)); };
    Mesh mesh;
    for (int i = 0; i < 60; ++i) {
        const glm::vec3 middle = point();
        const float size = i % 3 == 0 ? 0.6F : 0.1F;
        for (int k = 0; k < 3; ++k) {
            mesh.positions.push_back(glm::clamp(middle + size * (point() - 0.5F), glm::vec3(0.0F), glm::vec3(1.0F)));
        }
        const auto first = static_cast<std::uint32_t>(mesh.positions.size()) - 3;
        mesh.triangles.emplace_back(first, first + 1, first + 2);
    }
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(),
                          {{0.0F, 0.3F, 0.1F}, {1.0F, 0.4F, 0.0F}, {0.9F, 0.5F, 1.0F}, {-0.1F, 0.4F, 1.1F}});
    mesh.triangles.emplace_back(first, first + 1, first + 2);
    mesh.triangles.emplace_back(first, first + 2, first + 3);
    return mesh;
}

Mesh sphere(int rings) {
    Mesh mesh;
    const int sectors = 2 * rings;
    for (int i = 0; i <= rings; ++i) {
        for (int j = 0; j < sectors; ++j) {
            const double polar = kPi * i / rings;
            const double around = 2.0 * kPi * j / sectors;
            mesh.positions.emplace_back(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                                        std::cos(polar));
            mesh.normals.push_back(mesh.positions.back());
        }
    }
    for (int i = 0; i < rings; ++i) {
        for (int j = 0; j < sectors; ++j) {
            const auto at = [&](int ring, int sector) {
                return static_cast<std::uint32_t>(ring * sectors + sector % sectors);
            };
            mesh.triangles.emplace_back(at(i, j), at(i + 1, j), at(i + 1, j + 1));
            mesh.triangles.emplace_back(at(i, j), at(i + 1, j + 1), at(i, j + 1));
        }
    }
    return mesh;
}

/// Against the definition, in double: the first point of the way that lies between the planes.
TEST(SlabMet, IsWhereTheWayEntersTheSlab) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    int met = 0;
    int missed = 0;
    for (int i = 0; i < 100000; ++i) {
        const glm::dvec3 n = glm::normalize(glm::dvec3(unit(random), unit(random), unit(random)) - 0.5);
        std::vector<glm::dvec3> points = {{unit(random), unit(random), unit(random)}};
        points.push_back(points[0] + n * 0.3 * unit(random) * (i % 2 == 0 ? 1.0 : 0.0));
        const shared::SurfaceSlab slab = fitSlab(n, points, {glm::dvec3(0.0), 1.0});
        if (shared::slabIsWhole(slab) != 0) {
            continue;
        }
        const shared::SlabPlanes planes = shared::unpackSlab(slab);
        shared::SurfaceSegment segment{};
        segment.enter = {unit(random), unit(random), unit(random)};
        segment.leave = {unit(random), unit(random), unit(random)};
        segment.enter[i % 3] = 0.0F;
        segment.leave[i / 3 % 3] = 1.0F;
        const auto height = [&](const glm::vec3& p) {
            return glm::dot(glm::dvec3(planes.normal), glm::dvec3(p) - 0.5);
        };
        const double enter = height(segment.enter);
        const double leave = height(segment.leave);
        const double over = std::min(enter, leave) - double{planes.high};
        const double under = double{planes.low} - std::max(enter, leave);
        if (std::max(std::abs(over), std::abs(under)) < 0.01) {
            continue; // rounding may decide
        }
        std::uint32_t side = SIDE_UNKNOWN;
        float t = -1.0F;
        glm::vec3 normal(1.0F);
        if (shared::slabMet(slab, segment, side, t, normal) == 0) {
            ++missed;
            ASSERT_GT(std::max(over, under), -0.01);
            ASSERT_EQ(side, over > under ? SIDE_FRONT : SIDE_BACK);
            continue;
        }
        ++met;
        ASSERT_LT(std::max(over, under), 0.01);
        const double plane = enter > double{planes.high} ? double{planes.high} : double{planes.low};
        const bool between = enter <= double{planes.high} && enter >= double{planes.low};
        if (between) {
            ASSERT_EQ(t, 0.0F);
            ASSERT_EQ(normal, glm::vec3(0.0F));
            continue;
        }
        ASSERT_NEAR(t, (enter - plane) / (enter - leave), 1e-5);
        const glm::dvec3 expected = glm::normalize(glm::dvec3(planes.normal)) * (enter > plane ? 1.0 : -1.0);
        ASSERT_LT(glm::distance(glm::dvec3(normal), expected), 1e-5);
    }
    EXPECT_GT(met, 20000);
    EXPECT_GT(missed, 20000);
}

TEST(SlabMet, ReciprocalsAreThoseOfDivision) {
    for (float x = 1e-6F; x < 2e4F; x *= 1.0003F) {
        ASSERT_NEAR(shared::slabReciprocal(x) * x, 1.0F, 3e-7F) << x;
    }
}

/// A finely meshed sphere: hits lie on it, and rays that pass it by miss it.
TEST(PlaneTraversal, HitsASphereWhereItIs) {
    constexpr std::uint32_t kResolution = 128;
    for (const double error : {0.05, 0.25}) {
        const Octree octree = voxelizePlanes(sceneOf(sphere(64)), kResolution, error);
        const double side = 1U << (2 * octree.levels);
        const glm::dvec3 centre = (glm::dvec3(0.0) - octree.grid.origin) / octree.grid.voxelSize;
        const double radius = 1.0 / octree.grid.voxelSize;
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> unit(0.0, 1.0);
        std::vector<shared::GridRay> rays;
        std::vector<double> expected;
        std::vector<double> slopes;
        while (rays.size() < 50000) {
            const glm::dvec3 from = glm::dvec3(unit(random), unit(random), unit(random)) * double{kResolution};
            const glm::dvec3 direction = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
            const double along = glm::dot(centre - from, direction);
            const double over = glm::length(centre - from - direction * along);
            if (std::abs(over - radius) < 1.0 || std::abs(glm::distance(from, centre) - radius) < 2.0) {
                continue; // nearly tangent, or started by the surface
            }
            const double half = std::sqrt(std::max(radius * radius - over * over, 0.0));
            const bool inside = glm::distance(from, centre) < radius;
            rays.push_back(makeGridRay(octree, from, direction));
            expected.push_back(inside ? along + half : (over < radius && along > 0.0 ? along - half : -1.0));
            slopes.push_back(half / radius);
        }
        const std::vector<shared::RayHit> hits = castOnCpu(octree, rays);
        double mean = 0.0;
        for (std::size_t i = 0; i < rays.size(); ++i) {
            if (expected[i] < 0.0) {
                ASSERT_EQ(hits[i].face, RAY_MISSED);
            } else {
                ASSERT_NE(hits[i].face, RAY_MISSED);
                // Across the surface. Facets lie up to 0.08 voxels within the sphere, creases are cubes.
                const double apart = std::abs(hits[i].distance * side - expected[i]) * slopes[i];
                ASSERT_LT(apart, 0.2 + 2.0 * error);
                mean += apart / static_cast<double>(rays.size());
            }
        }
        EXPECT_LT(mean, 0.05 + 0.3 * error);
    }
}

/// Rays of every kind at triangles of every kind, compared bit by bit with the CPU.
TEST_F(GpuPlanes, GivesTheVoxelsFacesAndDistancesOfTheCpu) {
    const RayCaster caster(device(), OctreeEncoding::Planes);
    for (const std::uint32_t resolution : {60U, 1000U}) {
        OctreeSample sample{"planes", voxelizePlanes(sceneOf(soup(7)), resolution, 0.5), {}};
        std::mt19937 random(9);
        for (std::uint32_t i = 0; i < 2000; ++i) {
            sample.voxels.emplace_back(random() % resolution, random() % resolution, random() % resolution);
        }
        std::size_t merged = 0;
        for (const shared::OctreeNode& node : std::get<PlanesEncoding>(sample.octree.encoding).nodes) {
            merged += (node.flags & OCTREE_NODE_TERMINAL) != 0 ? 1 : 0;
        }
        EXPECT_GT(merged, 50U);
        const std::vector<shared::GridRay> rays = sampleRays(sample, quickOrFull(50000U, 200000U), 29);
        const std::vector<shared::RayHit> expected = castOnCpu(sample.octree, rays);
        const DeviceOctree onDevice(device(), sample.octree);
        for (const std::uint32_t steps : {4096U, 40U}) {
            const std::vector<shared::RayHit> found = caster.cast(onDevice, rays, steps);
            std::size_t differing = 0;
            std::size_t hits = 0;
            for (std::size_t i = 0; i < rays.size(); ++i) {
                differing += std::memcmp(&expected[i], &found[i], sizeof(shared::RayHit)) == 0 ? 0 : 1;
                hits += expected[i].face != RAY_MISSED ? 1 : 0;
            }
            EXPECT_EQ(differing, 0U) << steps;
            EXPECT_GT(hits, rays.size() / 4);
        }
    }
}

/// A camera that looks at the origin along -direction under a white sky, and sees it reflected once.
void lookAtOrigin(Scene& scene, const glm::dvec3& direction, double fov) {
    lookUnderSky(scene, glm::dvec3(0.0), 3.0, direction, fov);
    scene.integrator.lightSampling = LightSampling::Bsdf;
}

/// White squares under a white sky reflect all of it, of voxels and of merged cells.
TEST_F(GpuPlanes, PlanesDoNotShadeThemselvesAtAnyTilt) {
    for (const glm::dvec3 tilt : {glm::dvec3(1, 0, 0), glm::dvec3(1, 1, 0), glm::dvec3(1, 2, 3), glm::dvec3(1, 1, 1),
                                  glm::dvec3(0.02, 1, 0.01)}) {
        const glm::dvec3 normal = glm::normalize(tilt);
        const glm::dvec3 u = glm::normalize(glm::cross(normal, glm::dvec3(0.3, 0.5, 0.8)));
        const glm::dvec3 v = glm::cross(normal, u);
        Mesh mesh;
        for (const glm::dvec3& p : {-u - v, u - v, u + v, v - u}) {
            mesh.positions.emplace_back(p);
        }
        mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
        Scene scene = sceneOf(mesh);
        for (const double error : {0.01, 0.25}) { // of which the first merges little or nothing
            const Octree octree = voxelizePlanes(scene, 100, error);
            for (const double side : {1.0, -1.0}) {
                SCOPED_TRACE(::testing::Message()
                             << "tilt " << tilt.x << " " << tilt.y << " " << tilt.z << ", side " << side);
                lookAtOrigin(scene, side * normal, 25.0);
                const double visibility = meanRadiance(renderOnDevice(device(), scene, octree, 32));
                EXPECT_GE(visibility, 0.99);
                EXPECT_LE(visibility, 1.0 + 1e-5);
            }
        }
    }
}

TEST_F(GpuPlanes, BallsDoNotShadeThemselves) {
    Scene scene = sceneOf(sphere(48));
    lookAtOrigin(scene, glm::normalize(glm::dvec3(1, 2, 3)), 20.0);
    for (const std::uint32_t resolution : {32U, 200U}) {
        for (const double error : {0.02, 0.25}) {
            const Octree octree = voxelizePlanes(scene, resolution, error);
            const double visibility = meanRadiance(renderOnDevice(device(), scene, octree, 64));
            EXPECT_GE(visibility, 0.985) << resolution;
            EXPECT_LE(visibility, 1.0 + 1e-5) << resolution;
        }
    }
}

/// A lamp over a ball on a floor: all strategies estimate the same picture.
TEST_F(GpuPlanes, StrategiesAgreeInTheMean) {
    Scene scene = sceneOf(sphere(32));
    scene.materials[0].albedo = glm::vec3(0.7F);
    Mesh square;
    square.positions = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    Mesh lamp = square;
    lamp.material = 1;
    scene.materials.emplace_back();
    scene.materials[1].emission = glm::vec3(5.0F);
    scene.meshes.push_back(square);
    scene.meshes.push_back(lamp);
    for (const auto& [mesh, transform] :
         {std::pair(1U, glm::translate(glm::dmat4(1.0), glm::dvec3(0, 0, -1.05))),
          std::pair(2U, glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(0.3, 0.2, 1.9)), glm::dvec3(0.2)))}) {
        scene.meshInstances.emplace_back();
        scene.meshInstances.back().mesh = mesh;
        scene.meshInstances.back().worldFromMesh = transform;
    }
    lookAtOrigin(scene, glm::normalize(glm::dvec3(1, 2, 1.5)), 40.0);
    scene.environment = Environment{};
    scene.integrator.maxDepth = 3;
    const Octree octree = voxelizePlanes(scene, 100);
    std::vector<double> means;
    for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Bsdf, LightSampling::Lights}) {
        scene.integrator.lightSampling = strategy;
        means.push_back(
            meanRadiance(renderOnDevice(device(), scene, octree, strategy == LightSampling::Bsdf ? 1024 : 256)));
    }
    EXPECT_GT(means[0], 0.01);
    EXPECT_NEAR(means[1] / means[0], 1.0, 0.03);
    EXPECT_NEAR(means[2] / means[0], 1.0, 0.01);
}

} // namespace
} // namespace aureole
