#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>
#include <omp.h>

#include "shared/octree/field.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"

namespace aureole::test {
namespace {

VoxelizeOptions fieldAt(int resolution) {
    VoxelizeOptions options;
    options.resolution = static_cast<std::uint32_t>(resolution);
    options.surface = SurfaceKind::Field;
    return options;
}

Octree field(const Scene& scene, const glm::ivec3& size) {
    return voxelizeScene(scene, fieldAt(std::max({size.x, size.y, size.z})));
}

/// The codes at the lattice points that an octree's voxels have corners at; fails where two voxels differ.
std::map<std::tuple<int, int, int>, std::uint32_t> cornerCodes(const Octree& octree) {
    std::map<std::tuple<int, int, int>, std::uint32_t> codes;
    std::size_t differing = 0;
    for (const auto& [x, y, z] : solidVoxels(octree)) {
        const auto index = attributeIndexAt(octree, {x, y, z});
        EXPECT_TRUE(index.has_value());
        const shared::CornerDistances corners = std::get<FieldEncoding>(octree.encoding).distances[*index];
        for (std::uint32_t i = 0; i < 8; ++i) {
            const int dx = (i & 1U) != 0 ? 1 : 0;
            const int dy = (i & 2U) != 0 ? 1 : 0;
            const int dz = (i & 4U) != 0 ? 1 : 0;
            const std::uint32_t code = shared::fieldCode(corners, i);
            const auto at = codes.emplace(std::tuple(x + dx, y + dy, z + dz), code).first;
            differing += at->second == code ? 0 : 1;
        }
    }
    EXPECT_EQ(differing, 0U);
    return codes;
}

double distanceOf(std::uint32_t code) {
    return (code - 2047.5) / 2047.5 * 1.75;
}

/// The solid angle of a triangle as seen from a point, signed. Van Oosterom and Strackee (1983).
double solidAngle(const LatticeTriangle& triangle, const glm::dvec3& point) {
    const glm::dvec3 a = glm::dvec3(triangle[0]) / 256.0 - point;
    const glm::dvec3 b = glm::dvec3(triangle[1]) / 256.0 - point;
    const glm::dvec3 c = glm::dvec3(triangle[2]) / 256.0 - point;
    const double la = glm::length(a);
    const double lb = glm::length(b);
    const double lc = glm::length(c);
    return 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)),
                            la * lb * lc + glm::dot(a, b) * lc + glm::dot(a, c) * lb + glm::dot(b, c) * la);
}

/// The distance from a point to a triangle by the Voronoi region that the point is in. Ericson, "Real-Time Collision
/// Detection" (2005), section 5.1.5.
double distanceTo(const LatticeTriangle& triangle, const glm::dvec3& p) {
    const glm::dvec3 a = glm::dvec3(triangle[0]) / 256.0;
    const glm::dvec3 b = glm::dvec3(triangle[1]) / 256.0;
    const glm::dvec3 c = glm::dvec3(triangle[2]) / 256.0;
    const glm::dvec3 ab = b - a;
    const glm::dvec3 ac = c - a;
    const double d1 = glm::dot(ab, p - a);
    const double d2 = glm::dot(ac, p - a);
    const double d3 = glm::dot(ab, p - b);
    const double d4 = glm::dot(ac, p - b);
    const double d5 = glm::dot(ab, p - c);
    const double d6 = glm::dot(ac, p - c);
    const double va = d3 * d6 - d5 * d4;
    const double vb = d5 * d2 - d1 * d6;
    const double vc = d1 * d4 - d3 * d2;
    if (d1 <= 0.0 && d2 <= 0.0) {
        return glm::distance(p, a);
    }
    if (d3 >= 0.0 && d4 <= d3) {
        return glm::distance(p, b);
    }
    if (d6 >= 0.0 && d5 <= d6) {
        return glm::distance(p, c);
    }
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        return glm::distance(p, a + ab * (d1 / (d1 - d3)));
    }
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        return glm::distance(p, a + ac * (d2 / (d2 - d6)));
    }
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        return glm::distance(p, b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))));
    }
    return glm::distance(p, a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc)));
}

std::vector<LatticeTriangle> joined(std::vector<LatticeTriangle> a, const std::vector<LatticeTriangle>& b, bool turn) {
    for (LatticeTriangle t : b) {
        if (turn) {
            std::swap(t[1], t[2]);
        }
        a.push_back(t);
    }
    return a;
}

std::vector<LatticeTriangle> ball(const glm::dvec3& centre, double radius) {
    return closedSurface(centre, 16, 24, [=](const glm::dvec3&) { return radius; });
}

/// Signs against winding numbers from solid angles, distances against every triangle, at every `step`th corner.
void expectDistances(const glm::ivec3& size, std::vector<LatticeTriangle> triangles, std::size_t step,
                     const std::string& what, std::size_t leastInside = 20) {
    SCOPED_TRACE(what);
    const Octree octree = field(latticeScene(size, triangles), size);
    ASSERT_EQ(octree.encodingKind(), OctreeEncoding::Field);
    EXPECT_EQ(std::get<FieldEncoding>(octree.encoding).distances.size(), octree.attributes.size());
    std::size_t number = 0;
    std::size_t inside = 0;
    for (const auto& [place, code] : cornerCodes(octree)) {
        if (number++ % step != 0) {
            continue;
        }
        const glm::dvec3 point(std::get<0>(place), std::get<1>(place), std::get<2>(place));
        double angle = 0.0;
        double distance = 1e30;
        for (const LatticeTriangle& t : triangles) {
            distance = std::min(distance,
                                t[0] == t[1] ? glm::distance(glm::dvec3(t[0]) / 256.0, point) : distanceTo(t, point));
            angle += t[0] == t[1] ? 0.0 : solidAngle(t, point);
        }
        ASSERT_NEAR(std::abs(distanceOf(code)), distance, 0.5 * 1.75 / 2047.5 + 1e-6);
        if (distance > 1e-6) { // else the point is on the surface, and the movement decides
            const bool wound = std::abs(std::lround(angle / (4.0 * kPi))) % 1000 != 0;
            ASSERT_EQ(distanceOf(code) < 0.0, wound) << point.x << ' ' << point.y << ' ' << point.z;
            inside += wound ? 1 : 0;
        }
    }
    EXPECT_GE(inside, leastInside);
}

TEST(Field, DistancesAreThoseToTheNearestTriangleWithTheSignOfTheWindingNumber) {
    const glm::ivec3 size(64, 60, 56);
    expectDistances(size, closedSurface({31.3, 29.7, 27.1}, 20, 28, bumps), 7, "bumpy mesh");
    const glm::ivec3 cube(48, 48, 48);
    expectDistances(cube, joined(ball({18.1, 24.2, 24.3}, 13.0), ball({30.1, 24.2, 24.3}, 13.0), false), 9,
                    "overlapping balls");
    expectDistances(cube, joined(ball(glm::dvec3(24.1), 20.0), ball(glm::dvec3(24.1), 9.0), true), 9, "hollow ball");
    expectDistances(cube, joined({}, ball(glm::dvec3(24.1), 20.0), true), 9, "ball inside out");
}

/// The triangles of a convex surface with all faces outwards.
std::vector<LatticeTriangle> outwards(std::vector<LatticeTriangle> triangles, const glm::dvec3& inside) {
    for (LatticeTriangle& t : triangles) {
        if (solidAngle(t, inside) < 0.0) {
            std::swap(t[1], t[2]);
        }
    }
    return triangles;
}

/// Slivers that run through many bricks, and a box whose faces are two triangles each.
TEST(Field, LargeTrianglesCoverAllCornersNearThem) {
    const glm::ivec3 size(90, 40, 40);
    const glm::dvec3 middle(44.0, 19.0, 19.0);
    expectDistances(size, outwards(boxSurface({700, 650, 600}, {22000, 9000, 9300}), middle), 11, "box");
    const glm::ivec3 a(400, 500, 600);
    const glm::ivec3 b(22500, 9700, 9650);
    const glm::ivec3 c(22500, 9650, 9450);
    const glm::ivec3 d(22400, 9800, 9300);
    const auto tetrahedron = [&](const glm::ivec3& third, const glm::ivec3& fourth) {
        const glm::dvec3 centre = glm::dvec3(a + b + third + fourth) / 1024.0;
        return outwards({{a, b, third}, {a, third, fourth}, {a, fourth, b}, {b, fourth, third}}, centre);
    };
    expectDistances(size, tetrahedron({22500, 4000, 9450}, {22400, 9800, 3000}), 11, "wedge");
    expectDistances(size, tetrahedron(c, d), 11, "needle between the corners", 0);
}

/// On a surface through lattice points the signs are those of the moved surface, in closed form.
TEST(Field, SurfacesThroughCornersAreMoved) {
    const glm::ivec3 size(24, 24, 24);
    const glm::ivec3 low(5, 4, 6);
    const glm::ivec3 high(19, 17, 20);
    std::vector<LatticeTriangle> box = boxSurface(low * 256, high * 256);
    for (const auto& [place, code] : cornerCodes(field(latticeScene(size, box), size))) {
        const glm::ivec3 p(std::get<0>(place), std::get<1>(place), std::get<2>(place));
        ASSERT_EQ(code < 2048, glm::all(glm::greaterThan(p, low)) && glm::all(glm::lessThanEqual(p, high)));
    }
    std::vector<LatticeTriangle> diamond = octahedron(glm::ivec3(12) * 256, 10 * 256);
    std::size_t ties = 0;
    for (const auto& [place, code] : cornerCodes(field(latticeScene(size, diamond), size))) {
        const glm::ivec3 p = glm::ivec3(std::get<0>(place), std::get<1>(place), std::get<2>(place)) - 12;
        const int sum = std::abs(p.x) + std::abs(p.y) + std::abs(p.z);
        ASSERT_EQ(code < 2048, sum < 10 || (sum == 10 && p.x > 0)) << p.x << ' ' << p.y << ' ' << p.z;
        ties += sum == 10 ? 1 : 0;
    }
    EXPECT_GT(ties, 100U);
}

/// Voxels that are not part of the surface have corners of one sign, also across the borders of bricks and of the grid:
/// a voxel of the surface has the same signs on each face that it shares with an empty one.
TEST(Field, IsClosed) {
    for (const int resolution : {40, 150, 300}) {
        std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 40, 60, bumps);
        const Octree octree = voxelizeScene(latticeScene({64, 60, 56}, triangles), fieldAt(resolution));
        const VoxelSet solid = solidVoxels(octree);
        std::size_t open = 0;
        std::size_t faces = 0;
        for (const auto& [x, y, z] : solid) {
            const glm::ivec3 voxel(x, y, z);
            const shared::CornerDistances corners =
                std::get<FieldEncoding>(octree.encoding).distances[attributeIndexAt(octree, voxel).value()];
            for (std::uint32_t face = 0; face < 6; ++face) {
                glm::ivec3 next = voxel;
                next[static_cast<int>(face / 2)] += face % 2 == 0 ? -1 : 1;
                if (isSolid(octree, next)) {
                    continue;
                }
                int inside = 0;
                for (std::uint32_t i = 0; i < 8; ++i) {
                    inside += ((i >> (face / 2)) & 1U) == face % 2 && shared::fieldCode(corners, i) < 2048 ? 1 : 0;
                }
                open += inside % 4 != 0 ? 1 : 0;
                ++faces;
            }
        }
        EXPECT_EQ(open, 0U) << resolution;
        EXPECT_GT(faces, solid.size());
        if (resolution < 300) {
            cornerCodes(octree);
        }
    }
}

TEST(Field, ThreadsAndMemoryDoNotMatterAndFilesComeBack) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 40, 60, bumps);
    const Scene scene = latticeScene({64, 60, 56}, triangles);
    const Octree one = voxelizeScene(scene, fieldAt(300));
    EXPECT_TRUE(identical(one, one));
    const int threads = omp_get_max_threads();
    for (const int count : {1, 5}) {
        omp_set_num_threads(count);
        VoxelizeOptions options = fieldAt(300);
        options.memory = std::uint64_t{34} << 20U;
        options.spillFolder = std::filesystem::temp_directory_path();
        EXPECT_TRUE(identical(voxelizeScene(scene, options), one)) << count;
    }
    omp_set_num_threads(threads);
    std::string folder = (std::filesystem::temp_directory_path() / "aureole-field-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const std::filesystem::path file = std::filesystem::path(folder) / "field.avo";
    writeOctree(file, one);
    EXPECT_TRUE(identical(loadOctree(file), one));
    Octree wrong = loadOctree(file);
    std::get<FieldEncoding>(wrong.encoding).distances = std::vector<shared::CornerDistances>(3);
    writeOctree(file, wrong);
    EXPECT_NE(errorOf([&] { loadOctree(file); }).message.find("corner distances"), std::string::npos);
    wrong = voxelizeScene(scene, fieldAt(300));
    wrong.coverage = Coverage::Thin;
    writeOctree(file, wrong);
    EXPECT_NE(errorOf([&] { loadOctree(file); }).message.find("coverage 'thin' of a field"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(Field, RefusesWhatHasNoInside) {
    std::vector<LatticeTriangle> open = ball(glm::dvec3(24.1), 20.0);
    open.pop_back();
    const Caught caught = errorOf([&] { field(latticeScene(glm::ivec3(48), open), glm::ivec3(48)); });
    EXPECT_EQ(caught.code, ExitCode::BadInput);
    EXPECT_NE(caught.message.find("mesh 'soup', which is not closed"), std::string::npos) << caught.message;
    EXPECT_NE(caught.message.find("'planes'"), std::string::npos) << caught.message;
    std::vector<LatticeTriangle> closed = ball(glm::dvec3(24.1), 20.0);
    Scene scene = latticeScene(glm::ivec3(48), closed);
    scene.materials[0].alphaMode = AlphaMode::Mask;
    const std::string masked = errorOf([&] { field(scene, glm::ivec3(48)); }).message;
    EXPECT_NE(masked.find("mesh 'soup', which has a material that is not opaque"), std::string::npos) << masked;
    scene.materials[0].alphaMode = AlphaMode::Opaque;
    scene.voxelModels.push_back({});
    scene.voxelModels[0].name = "tower";
    scene.voxelModels[0].size = glm::uvec3(1);
    scene.voxelModels[0].cells = {1};
    scene.voxelInstances.push_back({});
    const std::string models = errorOf([&] { field(scene, glm::ivec3(48)); }).message;
    EXPECT_NE(models.find("voxel model 'tower'"), std::string::npos) << models;
    VoxelizeOptions thin = fieldAt(48);
    thin.coverage = Coverage::Thin;
    EXPECT_EQ(errorOf([&] { voxelizeScene(latticeScene(glm::ivec3(48), closed), thin); }).code, ExitCode::Usage);
}

} // namespace
} // namespace aureole::test
