#include <cstdlib>
#include <deque>
#include <filesystem>

#include <gtest/gtest.h>
#include <omp.h>

#include "shared/octree/traversal.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"

namespace aureole::test {
namespace {

VoxelizeOptions solidAt(int resolution) {
    VoxelizeOptions options;
    options.resolution = static_cast<std::uint32_t>(resolution);
    options.coverage = Coverage::Solid;
    return options;
}

Octree solid(const Scene& scene, const glm::ivec3& size) {
    return voxelizeScene(scene, solidAt(std::max({size.x, size.y, size.z})));
}

/// The voxels that steps between face neighbours outside a set do not reach from around the grid.
VoxelSet enclosed(const VoxelSet& surface, const glm::ivec3& size) {
    VoxelSet reached = {{-1, -1, -1}};
    std::deque<glm::ivec3> queue = {glm::ivec3(-1)};
    while (!queue.empty()) {
        const glm::ivec3 cell = queue.front();
        queue.pop_front();
        for (int n = 0; n < 6; ++n) {
            glm::ivec3 next = cell;
            next[n / 2] += n % 2 == 0 ? 1 : -1;
            const std::tuple<int, int, int> key(next.x, next.y, next.z);
            if (glm::all(glm::greaterThanEqual(next, glm::ivec3(-1))) && glm::all(glm::lessThanEqual(next, size)) &&
                !surface.contains(key) && reached.insert(key).second) {
                queue.push_back(next);
            }
        }
    }
    VoxelSet rest;
    for (int x = 0; x < size.x; ++x) {
        for (int y = 0; y < size.y; ++y) {
            for (int z = 0; z < size.z; ++z) {
                if (!reached.contains({x, y, z})) {
                    rest.insert({x, y, z});
                }
            }
        }
    }
    return rest;
}

std::uint64_t fullNodes(const Octree& octree) {
    const Array<shared::OctreeNode>& nodes = std::get<TreeEncoding>(octree.encoding).nodes;
    return static_cast<std::uint64_t>(
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.flags == OCTREE_NODE_FULL; }));
}

void expectFilled(const glm::ivec3& size, std::vector<LatticeTriangle> triangles, const std::string& what) {
    const Scene scene = latticeScene(size, triangles);
    const Octree surface = voxelizeScene(scene, static_cast<std::uint32_t>(std::max({size.x, size.y, size.z})));
    const Octree filled = solid(scene, size);
    EXPECT_EQ(filled.coverage, Coverage::Solid);
    const VoxelSet surfaceVoxels = solidVoxels(surface);
    const VoxelSet expected = enclosed(surfaceVoxels, size);
    const VoxelSet found = solidVoxels(filled);
    EXPECT_TRUE(found == expected) << what << ": " << found.size() << " voxels, expected " << expected.size();
    EXPECT_GT(expected.size(), surfaceVoxels.size()) << what;
    EXPECT_EQ(filled.voxelCount(), expected.size()) << what;
    // The surface keeps its attributes, the inside has none, and the shared functions agree.
    EXPECT_EQ(filled.attributes.size(), surfaceVoxels.size()) << what;
    const shared::OctreeView view = makeView(filled);
    for (const auto& [x, y, z] : expected) {
        const auto attributes = attributesAt(filled, {x, y, z});
        ASSERT_EQ(attributes.has_value(), surfaceVoxels.contains({x, y, z})) << what;
        if (attributes) {
            const auto own = attributesAt(surface, {x, y, z});
            ASSERT_TRUE(own.has_value() && attributes->albedo == own->albedo && attributes->shading == own->shading &&
                        attributes->sheet == own->sheet);
        }
        ASSERT_EQ(shared::octreeSolid(reinterpret_cast<std::uint64_t>(&view), glm::uvec3(x, y, z)), 1U);
    }
}

TEST(SolidCoverage, FillsWhatAFloodDoesNotReach) {
    const glm::ivec3 size(64, 60, 56);
    expectFilled(size, closedSurface({31.3, 29.7, 27.1}, 64, 80, bumps), "bumpy mesh");
    const glm::ivec3 small(24, 24, 24);
    expectFilled(small, boxSurface(glm::ivec3(5, 4, 6) * 256, glm::ivec3(19, 17, 20) * 256), "box on boundaries");
    expectFilled(small, boxSurface(glm::ivec3(5, 4, 6) * 256 + 128, glm::ivec3(19, 17, 20) * 256 + 128),
                 "box through middles");
    expectFilled(small, boxSurface(glm::ivec3(0), small * 256), "box that is the grid");
    expectFilled(small, octahedron(glm::ivec3(12) * 256, 10 * 256), "octahedron with corners on corners");
    expectFilled(small, octahedron(glm::ivec3(12) * 256 + 128, 8 * 256), "octahedron with corners in middles");
    expectFilled({100, 30, 20}, boxSurface(glm::ivec3(3, 2, 3) * 256, glm::ivec3(97, 28, 18) * 256), "long box");
}

/// `triangles` with the faces turned round.
std::vector<LatticeTriangle> reversed(std::vector<LatticeTriangle> triangles) {
    for (LatticeTriangle& t : triangles) {
        std::swap(t[1], t[2]);
    }
    return triangles;
}

std::vector<LatticeTriangle> joined(std::vector<LatticeTriangle> a, const std::vector<LatticeTriangle>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// A closed surface whose faces all look outwards, unlike boxSurface's.
std::vector<LatticeTriangle> ball(const glm::dvec3& centre, double radius) {
    return closedSurface(centre, 24, 32, [=](const glm::dvec3&) { return radius; });
}

TEST(SolidCoverage, CavitiesStayEmptyAndOverlapsAreFilledOnce) {
    const glm::ivec3 size(48, 48, 48);
    std::vector<LatticeTriangle> hollow = joined(ball(glm::dvec3(24.1), 20.0), reversed(ball(glm::dvec3(24.1), 9.0)));
    const Octree shell = solid(latticeScene(size, hollow), size);
    EXPECT_FALSE(isSolid(shell, {24, 24, 24}));
    EXPECT_TRUE(isSolid(shell, {24, 24, 10}));
    std::vector<LatticeTriangle> overlap = joined(ball({18.1, 24.2, 24.3}, 13.0), ball({30.1, 24.2, 24.3}, 13.0));
    const Octree both = solid(latticeScene(size, overlap), size);
    EXPECT_TRUE(isSolid(both, {24, 24, 24}));
    EXPECT_TRUE(isSolid(both, {10, 24, 24}));
    std::vector<LatticeTriangle> inwards = reversed(ball(glm::dvec3(24.1), 20.0));
    EXPECT_TRUE(isSolid(solid(latticeScene(size, inwards), size), {24, 24, 24}));
}

TEST(SolidCoverage, OpenMeshesBoundNothing) {
    const glm::ivec3 size(48, 48, 48);
    std::vector<LatticeTriangle> open = ball(glm::dvec3(24.1), 20.0);
    open.pop_back();
    const Scene scene = latticeScene(size, open);
    const Octree octree = solid(scene, size);
    EXPECT_TRUE(solidVoxels(octree) == solidVoxels(voxelizeScene(scene, 48)));
    // In two parts it is closed again; the pins that scenes begin with have no edges.
    std::vector<LatticeTriangle> whole = ball(glm::dvec3(24.1), 20.0);
    Scene parts = latticeScene(size, whole);
    Mesh second = parts.meshes[0];
    const auto middle = static_cast<std::ptrdiff_t>(second.triangles.size() / 2);
    second.triangles.erase(second.triangles.begin(), second.triangles.begin() + middle);
    parts.meshes[0].triangles.resize(static_cast<std::size_t>(middle));
    parts.meshes.push_back(second);
    parts.meshInstances.push_back(parts.meshInstances[0]);
    parts.meshInstances[1].mesh = 1;
    EXPECT_TRUE(isSolid(solid(parts, size), {24, 24, 24}));
}

TEST(SolidCoverage, FullSubtreesAreSingleNodes) {
    // At 700 voxels a side, bricks without a triangle lie inside.
    const std::vector<LatticeTriangle> triangles = ball({32.0, 30.0, 28.0}, 26.0);
    std::vector<LatticeTriangle> copy = triangles;
    const Scene scene = latticeScene({64, 60, 56}, copy);
    const Octree filled = voxelizeScene(scene, solidAt(700));
    const Octree surface = voxelizeScene(scene, 700);
    const double radius = 26.0 * 700.0 / 64.0;
    EXPECT_NEAR(static_cast<double>(filled.voxelCount()), 4.0 / 3.0 * kPi * radius * radius * radius,
                0.02 * static_cast<double>(filled.voxelCount()));
    EXPECT_EQ(filled.attributes.size(), surface.attributes.size());
    EXPECT_GT(fullNodes(filled), 100U);
    const auto& tree = std::get<TreeEncoding>(filled.encoding);
    EXPECT_LT(tree.leaves.size(), 4 * std::get<TreeEncoding>(surface.encoding).leaves.size());
    for (const int depth : {5, 20, 60, 150, 277}) {
        EXPECT_TRUE(isSolid(filled, {350, 328, 306 + depth})) << depth;
    }
    EXPECT_FALSE(isSolid(filled, {350, 328, 600}));
    // No node or leaf that is full could be part of a larger full one.
    for (const shared::OctreeNode& node : tree.nodes) {
        if (node.flags == OCTREE_NODE_FULL || (node.maskLow & node.maskHigh) != ~0U) {
            continue;
        }
        const auto full = [&](std::size_t i) {
            return i < tree.nodes.size() && tree.nodes[i].flags == OCTREE_NODE_FULL;
        };
        bool all = true;
        for (std::uint32_t i = 0; i < 64; ++i) {
            all = all && full(node.firstChild + i);
        }
        EXPECT_FALSE(all && node.firstChild > 0);
    }
}

TEST(SolidCoverage, ThreadsAndMemoryDoNotMatterAndFilesComeBack) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 40, 60, bumps);
    const Scene scene = latticeScene({64, 60, 56}, triangles);
    const Octree one = voxelizeScene(scene, solidAt(300));
    const int threads = omp_get_max_threads();
    for (const int count : {1, 5}) {
        omp_set_num_threads(count);
        VoxelizeOptions options = solidAt(300);
        options.memory = std::uint64_t{34} << 20U;
        options.spillFolder = std::filesystem::temp_directory_path();
        EXPECT_TRUE(identical(voxelizeScene(scene, options), one)) << count;
    }
    omp_set_num_threads(threads);
    std::string folder = (std::filesystem::temp_directory_path() / "aureole-solid-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const std::filesystem::path file = std::filesystem::path(folder) / "solid.avo";
    writeOctree(file, one);
    const Octree loaded = loadOctree(file);
    EXPECT_TRUE(identical(loaded, one));
    EXPECT_EQ(loaded.voxelCount(), one.voxelCount());
    Octree wrong = loadOctree(file);
    Array<shared::OctreeNode>& nodes = std::get<TreeEncoding>(wrong.encoding).nodes;
    auto* const full =
        std::find_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.flags == OCTREE_NODE_FULL; });
    ASSERT_NE(full, nodes.end());
    full->firstChild = 3;
    writeOctree(file, wrong);
    EXPECT_EQ(errorOf([&] { loadOctree(file); }).code, ExitCode::BadInput);
    wrong = voxelizeScene(scene, solidAt(300));
    auto& changed = std::get<TreeEncoding>(wrong.encoding);
    changed.surfaces[0] = ~changed.leaves[0];
    writeOctree(file, wrong);
    EXPECT_NE(errorOf([&] { loadOctree(file); }).message.find("leaf 0"), std::string::npos);
    std::filesystem::remove_all(folder);
}

/// The traversal of a ray between two points in voxels.
shared::Traversal startRay(const Octree& octree, const shared::OctreeView& view, const glm::dvec3& from,
                           const glm::dvec3& to) {
    const double scale = std::ldexp(1.0, -2 * static_cast<int>(octree.levels));
    const glm::vec3 origin(1.0 + from * scale);
    const glm::vec3 direction = shared::traversalDirection(glm::vec3(glm::normalize(to - from)));
    shared::Traversal state{};
    shared::traversalBegin(reinterpret_cast<std::uint64_t>(&view), origin, direction, 1.0F / direction,
                           shared::gridCell(origin, octree.levels), state);
    return state;
}

TEST(SolidTraversal, HitsTheSurfaceFromOutsideAndSkipsThroughTheInside) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 40, 60, bumps);
    const Octree octree = voxelizeScene(latticeScene({64, 60, 56}, triangles), solidAt(200));
    ASSERT_GT(fullNodes(octree), 0U);
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    Random random(21);
    int throughFull = 0;
    for (int i = 0; i < 2000; ++i) {
        const glm::dvec3 from(random.point({}, glm::ivec3(200, 187, 175)));
        const glm::dvec3 to(random.point({}, glm::ivec3(200, 187, 175)));
        const glm::dvec3 start = from + 0.37;
        if (from == to || isSolid(octree, glm::ivec3(start))) {
            continue;
        }
        shared::Traversal state = startRay(octree, view, start, to + 0.61);
        float before = 0.0F;
        bool first = true;
        std::uint32_t status = TRAVERSAL_RUNNING;
        while (status != TRAVERSAL_MISS) {
            std::uint32_t steps = 10000;
            status = shared::traversalRun(address, state, steps);
            ASSERT_NE(status, TRAVERSAL_RUNNING);
            if (status == TRAVERSAL_MISS) {
                break;
            }
            const shared::VoxelHit hit = shared::traversalHit(address, state);
            ASSERT_TRUE(isSolid(octree, glm::ivec3(hit.voxel)));
            ASSERT_GE(hit.distance, before);
            const bool hasAttributes = attributesAt(octree, glm::ivec3(hit.voxel)).has_value();
            ASSERT_TRUE(hasAttributes || !first); // the surface comes before the inside
            const std::uint32_t sheet =
                shared::octreeAttributes(address, shared::hitAttributeIndex(address, hit)).sheet;
            if (!hasAttributes) {
                ASSERT_EQ(sheet, 1U << 24U);
            }
            throughFull += hit.leaf == OCTREE_NO_LEAF ? 1 : 0;
            before = hit.distance;
            first = false;
            status = shared::traversalSkip(address, state);
        }
    }
    EXPECT_GT(throughFull, 500);
}

} // namespace
} // namespace aureole::test
