#include <cmath>

#include <gtest/gtest.h>
#include <omp.h>

#include "test_scene.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"

namespace aureole::test {
namespace {

constexpr glm::ivec3 kGrids[] = {{16, 16, 16}, {40, 27, 9}, {13, 64, 50}};

void expectBruteForce(const glm::ivec3& size, std::vector<LatticeTriangle> triangles, const std::string& what) {
    const Scene scene = latticeScene(size, triangles);
    const Octree octree = voxelizeScene(scene, static_cast<std::uint32_t>(std::max({size.x, size.y, size.z})));
    ASSERT_EQ(glm::ivec3(octree.grid.size), size) << what;
    const VoxelSet expected = bruteForce(triangles, size);
    const VoxelSet found = solidVoxels(octree);
    EXPECT_EQ(octree.voxelCount(), expected.size()) << what;
    EXPECT_TRUE(found == expected) << what << ": " << found.size() << " voxels, expected " << expected.size();
}

TEST(Coverage, RandomTrianglesMatchBruteForce) {
    Random random(1);
    for (const glm::ivec3& size : kGrids) {
        std::vector<LatticeTriangle> spanning;
        std::vector<LatticeTriangle> tiny;
        const glm::ivec3 high = size * 256;
        for (int i = 0; i < 12; ++i) {
            spanning.push_back({random.point({}, high), random.point({}, high), random.point({}, high)});
        }
        for (int i = 0; i < 400; ++i) {
            const glm::ivec3 p = random.point({}, high - 200);
            tiny.push_back({p, p + random.point({}, glm::ivec3(200)), p + random.point({}, glm::ivec3(200))});
        }
        for (const LatticeTriangle& t : spanning) {
            expectBruteForce(size, {t}, "one spanning triangle");
        }
        expectBruteForce(size, tiny, "tiny triangles");
    }
}

TEST(Coverage, SliversAndDegenerateTrianglesMatchBruteForce) {
    Random random(2);
    for (const glm::ivec3& size : kGrids) {
        const glm::ivec3 high = size * 256;
        for (int i = 0; i < 10; ++i) {
            const glm::ivec3 a = random.point({}, high);
            const glm::ivec3 b = random.point({}, high);
            const glm::ivec3 near = glm::clamp(b + random.point(glm::ivec3(-2), glm::ivec3(2)), glm::ivec3(0), high);
            // The grid's pins have no area, so a proper triangle keeps the scene valid.
            const LatticeTriangle proper = {glm::ivec3(0), glm::ivec3(300, 0, 0), glm::ivec3(0, 300, 0)};
            expectBruteForce(size, {{a, b, near}, proper}, "sliver");
            expectBruteForce(size, {{a, b, b}, proper}, "segment");
            expectBruteForce(size, {{a, a, a}, proper}, "point");
            const glm::ivec3 step = (b - a) / 4;
            expectBruteForce(size, {{a, a + 4 * step, a + step}, proper}, "collinear corners");
        }
    }
}

TEST(Coverage, TrianglesOnVoxelBoundariesMatchBruteForce) {
    Random random(3);
    for (const glm::ivec3& size : kGrids) {
        for (int i = 0; i < 30; ++i) {
            LatticeTriangle t{};
            for (glm::ivec3& vertex : t) {
                vertex = random.point({}, size) * 256; // corners of voxels: every test meets ties
            }
            if (i % 3 == 0) { // in a plane of the lattice
                t[1][i / 3 % 3] = t[2][i / 3 % 3] = t[0][i / 3 % 3];
            }
            const LatticeTriangle proper = {glm::ivec3(0), glm::ivec3(300, 0, 0), glm::ivec3(0, 300, 0)};
            expectBruteForce(size, {t, proper}, "triangle between voxel corners");
        }
    }
}

TEST(Coverage, LargeGridMatchesBruteForceAlongATriangle) {
    // 1024 voxels a side: bricks, three levels of refinement and 64-bit products.
    Random random(4);
    const glm::ivec3 size(1024, 700, 900);
    for (int i = 0; i < 3; ++i) {
        const glm::ivec3 a = random.point({}, size * 256);
        std::vector<LatticeTriangle> triangles = {
            {a, random.point({}, size * 256),
             glm::clamp(a + random.point(glm::ivec3(-900), glm::ivec3(900)), glm::ivec3(0), size * 256)}};
        const Scene scene = latticeScene(size, triangles);
        const Octree octree = voxelizeScene(scene, 1024);
        std::uint64_t expected = 2; // the pins
        const LatticeTriangle& t = triangles[0];
        // Walk the voxels near points of the triangle, as its bounds hold too many to ask about each.
        VoxelSet candidates;
        constexpr int kSteps = 3000;
        for (int u = 0; u <= kSteps; ++u) {
            for (int v = 0; v <= 4; ++v) {
                const glm::dvec3 onEdge = glm::mix(glm::dvec3(t[0]), glm::dvec3(t[1]), double(u) / kSteps);
                const glm::dvec3 p = glm::mix(onEdge, glm::dvec3(t[2]), v / 4.0 * (1.0 - double(u) / kSteps));
                const glm::ivec3 voxel(glm::floor(p / 256.0));
                for (int n = 0; n < 27; ++n) {
                    const glm::ivec3 c = voxel + glm::ivec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
                    candidates.insert({c.x, c.y, c.z});
                }
            }
        }
        for (const auto& [x, y, z] : candidates) {
            const bool solid = touches(t, {x, y, z});
            const bool pin = (x == 0 && y == 0 && z == 0) || (x == 1023 && y == 699 && z == 899);
            ASSERT_EQ(isSolid(octree, {x, y, z}), solid || pin) << x << ' ' << y << ' ' << z;
            expected += solid && !pin ? 1 : 0;
        }
        EXPECT_EQ(octree.voxelCount(), expected);
    }
}

TEST(Coverage, VertexOrderDoesNotMatter) {
    Random random(5);
    const glm::ivec3 size(20, 33, 18);
    for (int i = 0; i < 10; ++i) {
        const glm::ivec3 a = random.point({}, size) * 256;
        const glm::ivec3 b = random.point({}, size * 256);
        const glm::ivec3 c = random.point({}, size) * 256;
        std::vector<LatticeTriangle> forward = {{a, b, c}};
        std::vector<LatticeTriangle> backward = {{c, b, a}};
        EXPECT_TRUE(solidVoxels(voxelizeScene(latticeScene(size, forward), 33)) ==
                    solidVoxels(voxelizeScene(latticeScene(size, backward), 33)));
    }
}

TEST(Coverage, BumpyClosedMeshMatchesBruteForceAndDoesNotLeak) {
    const glm::ivec3 size(64, 60, 56);
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 64, 80, bumps);
    ASSERT_GT(triangles.size(), 10000U);
    expectBruteForce(size, triangles, "bumpy mesh");
    const Octree octree = voxelizeScene(latticeScene(size, triangles), 64);
    EXPECT_FALSE(leaks(Steps::Any, octree, {31, 29, 27}));
}

TEST(Coverage, ClosedSurfacesDoNotLeakDiagonally) {
    const glm::ivec3 size(24, 24, 24);
    const std::vector<std::vector<LatticeTriangle>> surfaces = {
        boxSurface(glm::ivec3(5, 4, 6) * 256, glm::ivec3(19, 17, 20) * 256),
        boxSurface({1000, 1300, 1111}, {5000, 4444, 4800}),
        octahedron(glm::ivec3(12) * 256, 10 * 256),
        octahedron(glm::ivec3(12) * 256 + 128, 8 * 256),
        octahedron(glm::ivec3(12 * 256, 12 * 256, 12 * 256 + 77), 9 * 256),
        closedSurface(glm::dvec3(12.0), 9, 12, [](const glm::dvec3&) { return 9.0; }),
    };
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
        std::vector<LatticeTriangle> triangles = surfaces[i];
        const Octree octree = voxelizeScene(latticeScene(size, triangles), 24);
        EXPECT_FALSE(isSolid(octree, {12, 12, 12})) << "surface " << i;
        EXPECT_FALSE(leaks(Steps::Any, octree, {12, 12, 12})) << "surface " << i;
        // The same surface with a triangle missing must leak, or the test could not fail.
        triangles = surfaces[i];
        triangles.erase(triangles.begin() + static_cast<std::ptrdiff_t>(triangles.size() / 2));
        if (i < 5) {
            EXPECT_TRUE(leaks(Steps::Any, voxelizeScene(latticeScene(size, triangles), 24), {12, 12, 12}))
                << "surface " << i;
        }
    }
}

TEST(Coverage, WallsOnVoxelBoundariesAreOneVoxelThick) {
    // The walls at 5 and 19 fill the voxels on their far side.
    const glm::ivec3 low(5, 4, 6);
    const glm::ivec3 high(19, 17, 20);
    std::vector<LatticeTriangle> triangles = boxSurface(low * 256, high * 256);
    const VoxelSet solid = solidVoxels(voxelizeScene(latticeScene(glm::ivec3(24), triangles), 24));
    VoxelSet expected = {{0, 0, 0}, {23, 23, 23}};
    for (int x = low.x; x <= high.x; ++x) {
        for (int y = low.y; y <= high.y; ++y) {
            for (int z = low.z; z <= high.z; ++z) {
                if (x == low.x || x == high.x || y == low.y || y == high.y || z == low.z || z == high.z) {
                    expected.insert({x, y, z});
                }
            }
        }
    }
    EXPECT_TRUE(solid == expected);
}

TEST(Coverage, FacesOnTheBoundsFillTheOutermostVoxels) {
    const glm::ivec3 size(32, 20, 17);
    std::vector<LatticeTriangle> triangles = boxSurface(glm::ivec3(0), size * 256);
    const Octree octree = voxelizeScene(latticeScene(size, triangles), 32);
    EXPECT_EQ(octree.voxelCount(), 32U * 20U * 17U - 30U * 18U * 15U);
    EXPECT_FALSE(leaks(Steps::Any, octree, {16, 10, 8}));
}

TEST(Coverage, FlatSceneIsOneVoxelThick) {
    const Scene scene = sceneOf({{{{0, 3, 0}, {8, 3, 0}, {8, 3, 4}}}, {{{0, 3, 0}, {8, 3, 4}, {0, 3, 4}}}});
    const Octree octree = voxelizeScene(scene, 32);
    EXPECT_EQ(octree.grid.size, glm::uvec3(32, 1, 16));
    EXPECT_EQ(octree.voxelCount(), 32U * 16U);
}

TEST(Coverage, InstancesAreTransformed) {
    // A mesh placed by a permutation of axes, a mirror and a shift, all exact.
    Scene scene = sceneOf({{{{0, 0, 0}, {16, 2, 5}, {3, 7, 1}}}});
    glm::dmat4 place(0.0);
    place[0] = {0, 1, 0, 0};
    place[1] = {0, 0, -1, 0};
    place[2] = {1, 0, 0, 0};
    place[3] = {10, -4, 7, 1};
    scene.meshInstances[0].worldFromMesh = place;
    const Octree octree = voxelizeScene(scene, 16);
    EXPECT_EQ(octree.grid.origin, glm::dvec3(10, -4, 0));
    EXPECT_EQ(octree.grid.size, glm::uvec3(5, 16, 7));
    const auto move = [](int x, int y, int z) {
        return glm::min(glm::ivec3(z, x, 7 - y) * 256, glm::ivec3(5, 16, 7) * 256 - 1);
    };
    const VoxelSet expected = bruteForce({{move(0, 0, 0), move(16, 2, 5), move(3, 7, 1)}}, {5, 16, 7});
    EXPECT_TRUE(solidVoxels(octree) == expected);
}

TEST(Coverage, AnyNumberOfThreadsGivesTheSameBytes) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 40, 60, bumps);
    Scene scene = latticeScene({64, 60, 56}, triangles);
    scene.materials[0].emission = {1.0F, 2.0F, 3.0F};
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const Octree one = voxelizeScene(scene, 150);
    for (const int count : {2, 3, 8}) {
        omp_set_num_threads(count);
        EXPECT_TRUE(identical(voxelizeScene(scene, 150), one)) << count << " threads";
    }
    omp_set_num_threads(threads);
    EXPECT_FALSE(identical(voxelizeScene(scene, 149), one));
}

} // namespace
} // namespace aureole::test
