#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "shared/octree/attributes.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

class PlaneVisibility : public gpu::GpuTest {};

constexpr int kGridSide = 64;

/// The conservative voxels of the plane through the middle of the grid: those with corners on both sides. All carry its
/// normal.
Octree voxelPlane(const glm::dvec3& normal) {
    std::vector<glm::uvec3> voxels;
    const glm::dvec3 middle(kGridSide / 2 + 0.37);
    for (int z = 0; z < kGridSide; ++z) {
        for (int y = 0; y < kGridSide; ++y) {
            for (int x = 0; x < kGridSide; ++x) {
                const glm::dvec3 centre(x + 0.5, y + 0.5, z + 0.5);
                const double reach = 0.5 * (std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z));
                if (std::abs(glm::dot(centre - middle, normal)) <= reach) {
                    voxels.emplace_back(x, y, z);
                }
            }
        }
    }
    Octree octree = octreeOf(3, voxels);
    const shared::VoxelSurface white{
        glm::vec3(1.0F), glm::vec3(normal), 1.0F, 0.0F, 0, glm::vec3(normal), 0, 0, 0, 0.0F, 0};
    std::fill(octree.attributes.begin(), octree.attributes.end(), shared::packAttributes(white));
    return octree;
}

/// A camera that looks at the middle of the plane from above, under a white sky.
Scene planeScene(const glm::dvec3& normal, LightSampling strategy) {
    Scene scene;
    Camera camera;
    camera.target = glm::dvec3(kGridSide / 2);
    camera.position = camera.target + 200.0 * normal;
    camera.up = std::abs(normal.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
    camera.verticalFov = 2.0;
    scene.cameras = {camera};
    scene.environment.radiance = glm::vec3(1.0F);
    scene.film.width = 16;
    scene.film.height = 16;
    scene.integrator.maxDepth = 2; // the sky as seen from the plane, and nothing that bounces twice
    scene.integrator.lightSampling = strategy;
    return scene;
}

/// A white plane under a white sky reflects exactly what it sees of the sky: 1 for a triangle.
TEST_F(PlaneVisibility, StairsDoNotShadeThemselvesAtAnyTilt) {
    for (const glm::dvec3 tilt : {glm::dvec3(1, 0, 0), glm::dvec3(1, 1, 0), glm::dvec3(1, 2, 3), glm::dvec3(1, 1, 1)}) {
        const glm::dvec3 normal = glm::normalize(tilt);
        const Octree octree = voxelPlane(normal);
        for (const double side : {1.0, -1.0}) {
            SCOPED_TRACE(::testing::Message()
                         << "tilt " << tilt.x << " " << tilt.y << " " << tilt.z << ", side " << side);
            const double visibility =
                meanRadiance(renderOnDevice(device(), planeScene(side * normal, LightSampling::Bsdf), octree, 64));
            EXPECT_GE(visibility, 0.99);
            EXPECT_LE(visibility, 1.0 + 1e-5);
        }
    }
}

/// With face normals a tilted plane does shade itself: the test above would see it.
TEST_F(PlaneVisibility, WithoutTheSheetRuleTheyDo) {
    const glm::dvec3 normal = glm::normalize(glm::dvec3(1, 1, 1));
    Scene scene = planeScene(normal, LightSampling::Bsdf);
    scene.voxels.normals = VoxelNormals::Face;
    EXPECT_LT(meanRadiance(renderOnDevice(device(), scene, voxelPlane(normal), 32)), 0.9);
}

/// Light sampling sees the same sky.
TEST_F(PlaneVisibility, HoldsForLightSamplingToo) {
    const glm::dvec3 normal = glm::normalize(glm::dvec3(1, 2, 3));
    const Octree octree = voxelPlane(normal);
    for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Lights}) {
        const double visibility = meanRadiance(renderOnDevice(device(), planeScene(normal, strategy), octree, 256));
        EXPECT_NEAR(visibility, 1.0, 0.015);
    }
}

/// A wall on the plane still darkens it: only the plane itself is ignored.
TEST_F(PlaneVisibility, AWallStillCastsShade) {
    std::vector<glm::uvec3> voxels;
    for (std::uint32_t i = 0; i < kGridSide; ++i) {
        for (std::uint32_t j = 0; j < kGridSide; ++j) {
            voxels.emplace_back(i, kGridSide / 2, j);
        }
    }
    for (std::uint32_t y = kGridSide / 2 + 1; y < kGridSide; ++y) {
        for (std::uint32_t z = 0; z < kGridSide; ++z) {
            voxels.emplace_back(kGridSide / 2 - 4, y, z);
        }
    }
    const glm::dvec3 up(0, 1, 0);
    Octree octree = octreeOf(3, voxels);
    const shared::VoxelSurface wall{
        glm::vec3(0.5F), glm::vec3(1, 0, 0), 1.0F, 0.0F, 0, glm::vec3(1, 0, 0), 0, 0, 0, 0.0F, 0};
    for (const glm::uvec3& voxel : voxels) {
        if (voxel.y > kGridSide / 2) {
            setSurface(octree, voxel, wall);
        }
    }
    Scene scene = planeScene(up, LightSampling::Bsdf);
    // Just right of the wall, which covers nearly half of the sky; albedo 0.5 everywhere.
    scene.cameras[0].target = glm::dvec3(kGridSide / 2 - 1.5, kGridSide / 2 + 1, kGridSide / 2);
    scene.cameras[0].position = scene.cameras[0].target + glm::dvec3(0, 200, 0);
    scene.cameras[0].verticalFov = 0.2;
    scene.integrator.maxDepth = 2;
    const double radiance = meanRadiance(renderOnDevice(device(), scene, octree, 128));
    // An infinitely long wall of height h at distance d hides (1 - d / sqrt(d^2 + h^2)) / 2 of the sky.
    const double visible = 1.0 - 0.5 * (1.0 - 1.5 / std::hypot(1.5, 31.0));
    EXPECT_NEAR(radiance, 0.5 * visible, 0.02);
}

} // namespace
} // namespace aureole
