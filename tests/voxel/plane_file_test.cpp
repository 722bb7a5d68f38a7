#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "octree_file_fixture.h"
#include "plane_cells.h"
#include "test_surfaces.h"
#include "voxel/file/octree_file.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

class PlaneFile : public OctreeFileTest {
protected:
    void SetUp() override {
        OctreeFileTest::SetUp();
        std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 8, 12, bumps);
        keep(voxelizePlanes(latticeScene({64, 60, 56}, triangles), 64));
    }

    static PlanesEncoding& planes(Octree& octree) { return std::get<PlanesEncoding>(octree.encoding); }

    static std::size_t lastUnmerged(Octree& octree) {
        std::size_t i = planes(octree).nodes.size() - 1;
        while (planes(octree).nodes[i].flags != 0) {
            --i;
        }
        return i;
    }
    /// Of more parts than one.
    static std::size_t firstMerged(Octree& octree) {
        const Array<shared::OctreeNode>& nodes = planes(octree).nodes;
        std::size_t i = 0;
        while (nodes[i].flags != OCTREE_NODE_TERMINAL ||
               shared::maskCount({nodes[i].maskLow, nodes[i].maskHigh}) == 1) {
            ++i;
        }
        return i;
    }
};

TEST_F(PlaneFile, ComesBackAsItWas) {
    const Octree loaded = loadOctree(file_);
    EXPECT_TRUE(identical(loaded, octree_));
    EXPECT_EQ(loaded.encodingKind(), OctreeEncoding::Planes);
    EXPECT_EQ(loaded.detailBytes(), octree_.detailBytes());
    EXPECT_EQ(loaded.bytes(), octree_.bytes());
}

TEST_F(PlaneFile, LinksThatLeadAstrayAreRefused) {
    expectContains(malformed([](Octree& o) { planes(o).nodes[0].firstChild = 0; }), "node 0");
    expectContains(malformed([](Octree& o) { planes(o).nodes[0].flags = OCTREE_NODE_TERMINAL; }), "node 0");
    expectContains(malformed([](Octree& o) { planes(o).nodes[1].flags = OCTREE_NODE_FULL; }), "node 1");
    expectContains(malformed([](Octree& o) { planes(o).nodes[1].maskLow = planes(o).nodes[1].maskHigh = 0; }),
                   "node 1");
    expectContains(malformed([](Octree& o) { planes(o).nodes[planes(o).nodes.size() - 1].firstChild = ~0U; }), "node");
    expectContains(malformed([](Octree& o) {
                       planes(o).nodes[firstMerged(o)].firstChild = static_cast<std::uint32_t>(o.attributes.size());
                   }),
                   "node");
    expectContains(malformed([](Octree& o) { planes(o).nodes[firstMerged(o)].flags = 0; }), "malformed");
    expectContains(malformed([](Octree& o) { planes(o).nodes[lastUnmerged(o)].maskLow ^= 1; }), "malformed");
    expectContains(malformed([](Octree& o) { planes(o).slabs = std::vector<shared::SurfaceSlab>(5); }), "slabs");
    expectContains(malformed([](Octree& o) { o.attributes = std::vector<shared::VoxelAttributes>(5); }), "node");
    expectContains(malformed([](Octree& o) { planes(o).nodes = std::vector<shared::OctreeNode>(); }), "nodes");
    expectContains(malformed([](Octree& o) { o.voxels += 1; }), "voxels");
    expectContains(malformed([](Octree& o) { o.coverage = Coverage::Solid; }), "solid");
    expectContains(malformed([](Octree& o) {
                       TreeEncoding tree;
                       tree.nodes = std::move(planes(o).nodes);
                       o.encoding = std::move(tree);
                   }),
                   "");
}

TEST_F(PlaneFile, RandomContentsAreRefusedOrHarmless) {
    std::mt19937 random(3);
    const fs::path damaged = folder_ / "damaged.avo";
    int harmless = 0;
    for (int i = 0; i < 60; ++i) {
        Octree octree = loadOctree(file_);
        PlanesEncoding& found = planes(octree);
        auto& node = found.nodes[random() % found.nodes.size()];
        switch (i % 5) {
        case 0:
            node.maskLow = static_cast<std::uint32_t>(random());
            break;
        case 1:
            node.firstChild = static_cast<std::uint32_t>(random() % (2 * octree.attributes.size()));
            break;
        case 2:
            node.flags = random() % 4;
            break;
        case 3:
            found.slabs[random() % found.slabs.size()] = {static_cast<std::uint32_t>(random()),
                                                          static_cast<std::uint32_t>(random()),
                                                          static_cast<std::uint32_t>(random())};
            break;
        default:
            octree.attributes[random() % octree.attributes.size()].albedo = static_cast<std::uint32_t>(random());
            break;
        }
        writeOctree(damaged, octree);
        try {
            const Octree loaded = loadOctree(damaged);
            for (int n = 0; n < 4000; ++n) {
                attributesAt(loaded, glm::ivec3(n % 64, n / 64 % 60, n * 7 % 56));
            }
            ++harmless;
        } catch (const Error& error) {
            ASSERT_EQ(error.code(), ExitCode::BadInput) << error.what();
        }
    }
    EXPECT_GT(harmless, 20);
    EXPECT_LT(harmless, 55);
}

} // namespace
} // namespace aureole::test
