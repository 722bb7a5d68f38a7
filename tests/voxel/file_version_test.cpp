// Octree files of other versions, and sections that a program does not know.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "avo_mutator.h"
#include "core/file.h"
#include "core/hash.h"
#include "octree_copy.h"
#include "test_scene.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"
#include "voxel/file/section_checksum.h"
#include "voxel/tree/dag.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;

Octree lump(SurfaceKind surface, Coverage coverage = Coverage::Conservative) {
    std::vector<LatticeTriangle> triangles =
        closedSurface({15.3, 14.7, 16.1}, 10, 14, [](const glm::dvec3& d) { return 11.0 + 2.0 * d.y; });
    VoxelizeOptions options;
    options.resolution = 33;
    options.surface = surface;
    options.coverage = coverage;
    Octree octree = voxelizeScene(latticeScene({32, 30, 33}, triangles), options);
    octree.metadata = {{"source", "lump"}};
    return octree;
}

void put(Bytes& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
    std::memcpy(bytes.data() + at, &value, size);
}

/// An octree file as version 6 had it: a table of entries of 32 bytes without flags and names, and sections in every
/// file that need not have an element.
Bytes asVersion6(const AvoParts& parts) {
    Bytes file(kOctreeFilePage);
    std::memcpy(file.data(), &parts.header, 104);
    std::size_t entry = 0;
    const auto add = [&](std::uint32_t kind, std::uint32_t elementBytes, const Bytes& bytes) {
        SectionChecksum sum; // of a single piece, as sections are small
        if (!bytes.empty()) {
            sum.add(checksum(bytes));
        }
        const std::size_t at = 104 + 32 * entry++;
        put(file, at, kind, 4);
        put(file, at + 4, elementBytes, 4);
        put(file, at + 8, file.size(), 8);
        put(file, at + 16, bytes.size() / elementBytes, 8);
        put(file, at + 24, sum.value(), 8);
        file.insert(file.end(), bytes.begin(), bytes.end());
        file.resize((file.size() + kOctreeFilePage - 1) / kOctreeFilePage * kOctreeFilePage);
    };
    for (const AvoParts::Section& section : parts.sections) {
        add(section.kind, section.elementBytes, section.bytes);
    }
    for (const auto& [kind, elementBytes] : {std::pair{1U, 16U}, {2U, 8U}, {3U, 4U}, {4U, 8U}, {8U, 8U}, {9U, 12U}}) {
        if (std::none_of(parts.sections.begin(), parts.sections.end(),
                         [kind = kind](const AvoParts::Section& section) { return section.kind == kind; })) {
            add(kind, elementBytes, {});
        }
    }
    put(file, 12, 6, 4);
    put(file, 16, file.size(), 8);
    put(file, 24, 0, 8);
    put(file, 52, entry, 4);
    put(file, 24, checksum(std::span(file).first(kOctreeFilePage)), 8);
    return file;
}

class OctreeFileVersion : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "aureole-version-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        file_ = folder_ / "model.avo";
    }
    void TearDown() override { fs::remove_all(folder_); }

    AvoParts partsOf(const Octree& octree) const {
        writeOctree(file_, octree);
        return takeApart(readFile(file_, fs::file_size(file_)));
    }

    Octree loaded(const Bytes& bytes) const {
        writeFileAtomically(file_, bytes);
        return loadOctree(file_);
    }

    /// What a file is refused with, behind its name.
    std::string refusal(const Bytes& bytes) const {
        const Caught caught = errorOf([&] { loaded(bytes); });
        EXPECT_EQ(caught.code, ExitCode::BadInput);
        const std::string start = file_.string() + ": ";
        EXPECT_EQ(caught.message.rfind(start, 0), 0U) << caught.message;
        return caught.message.substr(std::min(start.size(), caught.message.size()));
    }

    fs::path folder_;
    fs::path file_;
};

TEST_F(OctreeFileVersion, Version6IsReadInEveryEncoding) {
    const std::pair<const char*, Octree> octrees[] = {
        {"tree", lump(SurfaceKind::Cubes)},
        {"solid", lump(SurfaceKind::Cubes, Coverage::Solid)},
        {"dag", toDag(lump(SurfaceKind::Cubes, Coverage::Solid))},
        {"planes", lump(SurfaceKind::Planes)},
        {"field", lump(SurfaceKind::Field)},
    };
    for (const auto& [name, octree] : octrees) {
        SCOPED_TRACE(name);
        const Octree old = loaded(asVersion6(partsOf(octree)));
        EXPECT_TRUE(identical(old, octree));
        EXPECT_EQ(old.voxels, octree.voxels);
        EXPECT_EQ(old.metadata, octree.metadata);
        EXPECT_EQ(readOctreeHeader(file_).version, 6U);
    }
}

TEST_F(OctreeFileVersion, SectionsOfVersion6AreCheckedAsThoseOfNow) {
    AvoParts parts = partsOf(lump(SurfaceKind::Cubes));
    AvoParts beside = parts;
    beside.sections.push_back({15, kOctreeSectionRequired, 12, Bytes(24)});
    EXPECT_EQ(refusal(asVersion6(beside)), "found 2 elements of slabs, expected none with the encoding 'tree'");
    AvoParts unknown = parts;
    unknown.sections.push_back({18, 0, 8, Bytes(8)});
    EXPECT_NE(refusal(asVersion6(unknown)).find("(number 18)"), std::string::npos); // all had to be known
    Bytes damaged = asVersion6(parts);
    damaged[104 + 32 * 2 + 8] ^= std::byte{1};
    EXPECT_NE(refusal(damaged).find("header's checksum"), std::string::npos);
}

TEST_F(OctreeFileVersion, NewerOlderAndDamagedVersionsAreTold) {
    AvoParts parts = partsOf(lump(SurfaceKind::Cubes));
    const auto withVersion = [&](std::uint32_t version) {
        parts.header.version = version;
        return refusal(putTogether(parts));
    };
    EXPECT_EQ(withVersion(8), "written by a newer aureole: version 8 of octree files, this one reads 6 to 7");
    EXPECT_EQ(withVersion(5), "written by an older aureole: version 5 of octree files, this one reads 6 to 7; make the "
                              "octree anew with 'aureole voxelize'");
    EXPECT_EQ(withVersion(0), "the file is damaged: found version 0 of octree files, expected 6 to 7");
    parts.header.version = 7;
    Bytes flipped = putTogether(parts);
    flipped[12] = std::byte{9}; // without the checksum that a newer program would have given it
    EXPECT_EQ(refusal(flipped), "the file is damaged: its header's checksum does not fit");
}

TEST_F(OctreeFileVersion, AnUnknownSectionIsPassedOverOrRefusedByItsName) {
    const Octree octree = lump(SurfaceKind::Field);
    AvoParts parts = partsOf(octree);
    parts.sections.push_back({18, 0, 8, Bytes(80, std::byte{3})});
    EXPECT_TRUE(identical(loaded(putTogether(parts)), octree));
    parts.sections.back().flags = kOctreeSectionRequired;
    parts.sections.back().name = "opacity\x1b[2J";
    EXPECT_EQ(
        refusal(putTogether(parts)),
        "found section 'opacity\\x1b[2J' (number 18), which this aureole does not know and the file cannot be read "
        "without; a newer one may read it");
    parts.sections.back().flags = 0; // optional, and damaged all the same
    Bytes damaged = putTogether(parts);
    damaged[damaged.size() - kOctreeFilePage] ^= std::byte{1};
    EXPECT_NE(refusal(damaged).find("checksum of its 'opacity"), std::string::npos);
}

TEST_F(OctreeFileVersion, SectionsOfAnotherEncodingAreRefused) {
    AvoParts dag = partsOf(toDag(lump(SurfaceKind::Cubes)));
    dag.sections.push_back({1, kOctreeSectionRequired, 16, Bytes(16)});
    EXPECT_EQ(refusal(putTogether(dag)), "found 1 elements of nodes, expected none with the encoding 'dag'");
    AvoParts planes = partsOf(lump(SurfaceKind::Planes));
    planes.sections.push_back({2, kOctreeSectionRequired, 8, Bytes(24)});
    EXPECT_EQ(refusal(putTogether(planes)), "found 3 elements of leaves, expected none with the encoding 'planes'");
}

TEST_F(OctreeFileVersion, SectionsHaveTheirNamesInTheFile) {
    partsOf(lump(SurfaceKind::Planes));
    const OctreeFileHeader header = readOctreeHeader(file_);
    ASSERT_GT(header.sectionCount, 5U);
    for (std::uint32_t i = 0; i < header.sectionCount; ++i) {
        const OctreeFileSection& section = header.sections.at(i);
        EXPECT_STREQ(section.name.data(), octreeSectionName(section.kind));
        const bool isOfLamps = section.kind >= static_cast<std::uint32_t>(OctreeSection::LampBoxes);
        EXPECT_EQ(section.flags, isOfLamps ? 0U : kOctreeSectionRequired);
        EXPECT_GT(section.count, 0U);
    }
}

} // namespace
} // namespace aureole::test
