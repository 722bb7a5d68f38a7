#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "octree_file_fixture.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/dag.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

DagEncoding& dag(Octree& octree) {
    return std::get<DagEncoding>(octree.encoding);
}

const DagEncoding& dag(const Octree& octree) {
    return std::get<DagEncoding>(octree.encoding);
}

class DagFile : public OctreeFileTest {
protected:
    void SetUp() override {
        OctreeFileTest::SetUp();
        write(Coverage::Solid);
    }

    /// A bumpy ball in which nodes are full where it is solid.
    void write(Coverage coverage) {
        std::vector<LatticeTriangle> triangles =
            closedSurface({35.3, 33.1, 34.2}, 16, 20, [](const glm::dvec3& d) { return 29.0 + 3.0 * d.y; });
        Scene scene = latticeScene(glm::ivec3(70), triangles);
        scene.materials[0].emission = {1.0F, 2.0F, 3.0F};
        VoxelizeOptions options;
        options.resolution = 70;
        options.coverage = coverage;
        keep(toDag(voxelizeScene(scene, options)));
    }
};

/// Changes a field of a DAG. `position` in bits behind the head.
void setField(Octree& octree, std::uint64_t position, std::uint32_t width, std::uint32_t value) {
    for (std::uint32_t i = 0; i < width; ++i, ++position) {
        std::uint32_t& word = dag(octree).words[kDagHeadWords + position / 32];
        const std::uint32_t bit = 1U << (position % 32);
        word = ((value >> i) & 1U) != 0 ? word | bit : word & ~bit;
    }
}

void setNumber(Octree& octree, std::uint32_t entry, std::uint32_t value) {
    const DagLayout layout = dagLayout(dag(octree));
    setField(octree, std::uint64_t{entry} * layout.entryBits(), layout.numberBits(), value);
}

void setFirst(Octree& octree, std::uint32_t entry, std::uint32_t value) {
    const DagLayout layout = dagLayout(dag(octree));
    setField(octree, std::uint64_t{entry} * layout.entryBits() + layout.numberBits(), layout.firstBits(), value);
}

void setReference(Octree& octree, std::uint32_t reference, std::uint32_t value) {
    const DagLayout layout = dagLayout(dag(octree));
    setField(octree, 32 * layout.entryWords() + std::uint64_t{reference} * layout.numberBits(), layout.numberBits(),
             value);
}

/// An entry that has children and stands behind an earlier one of its level.
std::uint32_t laterEntry(const Octree& octree) {
    const DagReader reader(dag(octree));
    std::uint32_t entry = reader.layout().entries - 1;
    while (reader.first(entry) == 0) {
        --entry;
    }
    return entry;
}

TEST_F(DagFile, ComesBackAsItWas) {
    for (const Coverage coverage : {Coverage::Solid, Coverage::Conservative}) {
        write(coverage);
        const Octree loaded = loadOctree(file_);
        EXPECT_EQ(loaded.encodingKind(), OctreeEncoding::Dag);
        EXPECT_TRUE(identical(loaded, octree_));
        EXPECT_EQ(collectEmissiveVoxels(loaded).size(), collectEmissiveVoxels(octree_).size());
        EXPECT_GT(collectEmissiveVoxels(loaded).size(), 1000U);
    }
}

TEST_F(DagFile, WrongSizesAreRefused) {
    expectContains(malformed([](Octree& o) { dag(o).words = std::vector<std::uint32_t>(3); }), "3 words of a DAG");
    expectContains(malformed([](Octree& o) { dag(o).words[0] += 64; }), "words of a DAG, expected");
    expectContains(malformed([](Octree& o) { dag(o).words[0] = 0; }), "found 0 entries");
    expectContains(malformed([](Octree& o) { dag(o).words[1] += 64; }), "words of a DAG, expected");
    expectContains(malformed([](Octree& o) { dag(o).words[1] = ~0U; }), "references, expected");
    expectContains(malformed([](Octree& o) { dag(o).words[2] += 1; }), "words of a DAG, expected");
    expectContains(malformed([](Octree& o) { dag(o).words[3] = 0; }), "fields of 0");
    expectContains(malformed([](Octree& o) { dag(o).words[3] |= 255; }), "fields of 255");
    expectContains(malformed([](Octree& o) { dag(o).words[3] |= 1U << 24U; }), "fields of");
    expectContains(malformed([](Octree& o) { dag(o).words[3] &= 0xFFFFU; }), "fields of");
    expectContains(malformed([](Octree& o) { dag(o).surfaces = std::vector<shared::uvec2>(); }), "surfaces");
    expectContains(malformed([](Octree& o) { dag(o).masks = std::vector<shared::uvec2>(); }), "surfaces");
    expectContains(malformed([](Octree& o) { o.attributes = std::vector<shared::VoxelAttributes>(5); }), "attributes");
    expectContains(malformed([](Octree& o) { o.leafAverages = std::vector<shared::VoxelAttributes>(5); }), "averages");
    expectContains(malformed([](Octree& o) { o.voxels += 1; }), "voxels");
}

TEST_F(DagFile, LinksThatLeadAstrayAreRefused) {
    const auto masks = static_cast<std::uint32_t>(dag(octree_).masks.size());
    const std::uint32_t later = laterEntry(octree_);
    const std::uint32_t entries = dagLayout(dag(octree_)).entries;
    const std::uint32_t references = dagLayout(dag(octree_)).references;
    expectContains(malformed([](Octree& o) { setFirst(o, 0, 0); }), "entry 0 has"); // the root to itself
    expectContains(malformed([](Octree& o) { setFirst(o, 0, 2); }), "entry 0 has");
    expectContains(malformed([](Octree& o) { setFirst(o, 1, 1); }), "entry 1 has"); // to its own level
    expectContains(malformed([=](Octree& o) { setFirst(o, 1, entries); }), "entry 1 has");
    expectContains(malformed([=](Octree& o) { setFirst(o, later, references); }), "has");
    expectContains(malformed([=](Octree& o) { setFirst(o, later, DagReader(dag(o)).first(later) + 1); }), "");
    if (masks < 1U << dagLayout(dag(octree_)).numberBits()) {
        expectContains(malformed([=](Octree& o) { setNumber(o, 1, masks); }), "entry 1 has mask");
        expectContains(malformed([=](Octree& o) { setReference(o, 7, masks); }), "reference 7 is to mask");
    }
    expectContains(malformed([](Octree& o) { setReference(o, 7, DagReader(dag(o)).leaf(7) == 0 ? 1 : 0); }), "");
    expectContains(malformed([](Octree& o) { dag(o).masks[3] = glm::uvec2(0); }), "mask 3 is empty");
    const auto* const partial = std::find_if(dag(octree_).masks.begin(), dag(octree_).masks.end(),
                                             [](const auto& mask) { return ~mask.x != 0; });
    const auto place = static_cast<std::size_t>(partial - dag(octree_).masks.begin());
    expectContains(malformed([=](Octree& o) { dag(o).surfaces[place].x = ~dag(o).masks[place].x; }),
                   "for empty voxels");
    expectContains(malformed([](Octree& o) { dag(o).words[dag(o).words.size() - 1] += 1; }), "attributes before it");
    expectContains(malformed([](Octree& o) { dag(o).words[2] = 0; }), "");
}

TEST_F(DagFile, WrongCountsOfSiblingsAreRefused) {
    const DagReader reader(dag(octree_));
    const DagLayout& layout = reader.layout();
    std::uint32_t entry = layout.entries - 1;
    while (entry >= layout.upper && (reader.count(entry) == 0 || reader.count(entry) + 1 >= 1U << layout.countBits())) {
        --entry;
    }
    ASSERT_GE(entry, layout.upper);
    const std::uint64_t position = std::uint64_t{entry} * layout.entryBits() + layout.numberBits() + layout.firstBits();
    const auto count = static_cast<std::uint32_t>(reader.count(entry));
    for (const std::uint32_t wrong : {count - 1, count + 1}) {
        expectContains(malformed([&](Octree& o) { setField(o, position, layout.countBits(), wrong); }),
                       "attributes before it");
    }
}

/// A full node is one only in a solid, and only with all bits.
TEST_F(DagFile, FullNodesStandInSolidsOnly) {
    write(Coverage::Conservative);
    const std::uint32_t later = laterEntry(octree_);
    expectContains(malformed([=](Octree& o) { setFirst(o, later, 0); }), "has");
    write(Coverage::Solid);
    const std::uint32_t solid = laterEntry(octree_);
    expectContains(malformed([=](Octree& o) { setFirst(o, solid, 0); }), "has");
}

TEST_F(DagFile, RandomContentsAreRefusedOrHarmless) {
    std::mt19937 random(3);
    const fs::path damaged = folder_ / "damaged.avo";
    int harmless = 0;
    for (int i = 0; i < 50; ++i) {
        Octree octree = loadOctree(file_);
        for (int n = 0; n < 1 + i % 3; ++n) {
            const std::uint64_t place = i % 2 == 0 ? random() % 40 : random() % dag(octree).words.size();
            dag(octree).words[place] =
                i % 3 == 0 ? static_cast<std::uint32_t>(random()) : dag(octree).words[place] ^ (1U << random() % 32);
        }
        if (i % 7 == 0) {
            dag(octree).masks[random() % dag(octree).masks.size()].x = static_cast<std::uint32_t>(random());
        }
        writeOctree(damaged, octree);
        try {
            const Octree loaded = loadOctree(damaged);
            for (int n = 0; n < 500; ++n) {
                attributesAt(loaded, glm::ivec3(random() % 70, random() % 70, random() % 70));
            }
            collectEmissiveVoxels(loaded);
            ++harmless;
        } catch (const Error& error) {
            ASSERT_EQ(error.code(), ExitCode::BadInput) << error.what();
        }
    }
    EXPECT_LT(harmless, 17); // the padding of groups, and the reference that is not used
}

} // namespace
} // namespace aureole::test
