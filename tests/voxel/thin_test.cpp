#include <gtest/gtest.h>

#include "test_surfaces.h"
#include "voxel/build/build.h"

namespace aureole::test {
namespace {

Octree thin(const Scene& scene, const glm::ivec3& size) {
    VoxelizeOptions options;
    options.resolution = static_cast<std::uint32_t>(std::max({size.x, size.y, size.z}));
    options.coverage = Coverage::Thin;
    return voxelizeScene(scene, options);
}

/// With a triangle that always covers something.
void expectBruteForce(const glm::ivec3& size, std::vector<LatticeTriangle> triangles, const std::string& what) {
    triangles.push_back({glm::ivec3(0), glm::ivec3(300, 0, 0), glm::ivec3(0, 300, 200)});
    const Scene scene = latticeScene(size, triangles);
    const Octree octree = thin(scene, size);
    ASSERT_EQ(glm::ivec3(octree.grid.size), size) << what;
    EXPECT_EQ(octree.coverage, Coverage::Thin);
    const VoxelSet expected = bruteForce(triangles, size, crosses);
    const VoxelSet found = solidVoxels(octree);
    EXPECT_TRUE(found == expected) << what << ": " << found.size() << " voxels, expected " << expected.size();
}

constexpr glm::ivec3 kGrids[] = {{16, 16, 16}, {40, 27, 9}, {13, 64, 50}};

TEST(ThinCoverage, RandomTrianglesMatchBruteForce) {
    Random random(11);
    for (const glm::ivec3& size : kGrids) {
        std::vector<LatticeTriangle> tiny;
        const glm::ivec3 high = size * 256;
        for (int i = 0; i < 12; ++i) {
            expectBruteForce(size, {{random.point({}, high), random.point({}, high), random.point({}, high)}},
                             "one spanning triangle");
        }
        for (int i = 0; i < 400; ++i) {
            const glm::ivec3 p = random.point({}, high - 200);
            tiny.push_back({p, p + random.point({}, glm::ivec3(200)), p + random.point({}, glm::ivec3(200))});
        }
        expectBruteForce(size, tiny, "tiny triangles");
    }
}

TEST(ThinCoverage, TiesMatchBruteForce) {
    Random random(12);
    for (const glm::ivec3& size : kGrids) {
        for (int i = 0; i < 40; ++i) {
            // Corners, edges and middles of voxels: the segments meet vertices, edges and planes exactly.
            const int step = i % 2 == 0 ? 128 : 256;
            LatticeTriangle t{};
            for (glm::ivec3& vertex : t) {
                vertex = glm::min(random.point({}, size * 256 / step) * step, size * 256);
            }
            if (i % 3 == 0) {
                t[1][i / 3 % 3] = t[2][i / 3 % 3] = t[0][i / 3 % 3];
            }
            expectBruteForce(size, {t}, "triangle between lattice points");
        }
        const glm::ivec3 a = random.point({}, size * 256);
        const glm::ivec3 b = random.point({}, size * 256);
        expectBruteForce(size, {{a, b, b}, {a, a, a}, {a, b, glm::clamp(b + 1, glm::ivec3(0), size * 256)}}, "slivers");
    }
}

std::vector<std::vector<LatticeTriangle>> closedSurfaces() {
    return {
        boxSurface(glm::ivec3(5, 4, 6) * 256, glm::ivec3(19, 17, 20) * 256),
        boxSurface(glm::ivec3(5, 4, 6) * 256 + 128, glm::ivec3(19, 17, 20) * 256 + 128),
        boxSurface({1000, 1300, 1111}, {5000, 4444, 4800}),
        octahedron(glm::ivec3(12) * 256, 10 * 256),
        octahedron(glm::ivec3(12) * 256 + 128, 8 * 256),
        closedSurface(glm::dvec3(12.0), 9, 12, [](const glm::dvec3&) { return 9.0; }),
    };
}

TEST(ThinCoverage, ClosedSurfacesDoNotLeakThroughFaces) {
    const glm::ivec3 size(24, 24, 24);
    for (std::vector<LatticeTriangle> triangles : closedSurfaces()) {
        std::vector<LatticeTriangle> open = triangles;
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2));
        const bool fine = triangles.size() > 20;
        const Octree octree = thin(latticeScene(size, triangles), size);
        EXPECT_FALSE(isSolid(octree, {12, 12, 12}));
        EXPECT_FALSE(leaks(Steps::Faces, octree, {12, 12, 12}));
        if (!fine) { // with a triangle missing it must leak, or the test could not fail
            EXPECT_TRUE(leaks(Steps::Faces, thin(latticeScene(size, open), size), {12, 12, 12}));
        }
    }
}

TEST(ThinCoverage, BumpyMeshIsASmallerClosedSubset) {
    const glm::ivec3 size(64, 60, 56);
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 64, 80, bumps);
    const Scene scene = latticeScene(size, triangles);
    const VoxelSet thinVoxels = solidVoxels(thin(scene, size));
    const VoxelSet conservative = solidVoxels(voxelizeScene(scene, 64));
    EXPECT_TRUE(std::includes(conservative.begin(), conservative.end(), thinVoxels.begin(), thinVoxels.end()));
    EXPECT_LT(3 * thinVoxels.size(), 2 * conservative.size());
    EXPECT_TRUE(thinVoxels == bruteForce(triangles, size, crosses));
    EXPECT_FALSE(leaks(Steps::Faces, thin(scene, size), {31, 29, 27}));
    EXPECT_TRUE(leaks(Steps::Any, thin(scene, size), {31, 29, 27})); // no thicker than it needs to be
}

TEST(ThinCoverage, WallsAreOneVoxelThickWhereverTheyAre) {
    for (const int offset : {0, 100, 128, 255}) {
        std::vector<LatticeTriangle> wall = {
            {glm::ivec3(0, 0, 1280 + offset), glm::ivec3(4096, 0, 1280 + offset),
             glm::ivec3(4096, 4096, 1280 + offset)},
            {glm::ivec3(0, 0, 1280 + offset), glm::ivec3(4096, 4096, 1280 + offset),
             glm::ivec3(0, 4096, 1280 + offset)},
        };
        const VoxelSet solid = solidVoxels(thin(latticeScene(glm::ivec3(16), wall), glm::ivec3(16)));
        EXPECT_EQ(solid.size(), 256U) << offset;
        EXPECT_TRUE(std::all_of(solid.begin(), solid.end(), [](const auto& v) { return std::get<2>(v) == 5; }));
    }
}

TEST(ThinCoverage, NothingLeftIsAnError) {
    // Smaller than a voxel beside its middle.
    Scene scene = sceneOf({{{{0, 0, 0}, {16, 0, 0.001F}, {16, 0, 0}}}});
    VoxelizeOptions options;
    options.resolution = 16;
    options.coverage = Coverage::Thin;
    const Caught caught = errorOf([&] { voxelizeScene(scene, options); });
    EXPECT_EQ(caught.code, ExitCode::BadInput);
    EXPECT_NE(caught.message.find("middle of a voxel"), std::string::npos) << caught.message;
}

} // namespace
} // namespace aureole::test
