#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/hash.h"
#include "octree_file_fixture.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"
#include "voxel/file/section_checksum.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

using FileBytes = std::vector<char>;

FileBytes readBytes(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void writeBytes(const fs::path& file, const FileBytes& bytes) {
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class OctreeFile : public OctreeFileTest {
protected:
    void SetUp() override {
        OctreeFileTest::SetUp();
        std::vector<LatticeTriangle> triangles =
            closedSurface({31.3, 29.7, 27.1}, 12, 20, [](const glm::dvec3& d) { return 20.0 + 3.0 * d.y; });
        Scene scene = latticeScene({64, 60, 56}, triangles);
        scene.materials[0].emission = {1.0F, 2.0F, 3.0F};
        Octree octree = voxelizeScene(scene, 40);
        octree.metadata = {{"source", "bumpy = round.obj"}, {"scene_hash", "0123"}};
        keep(std::move(octree));
        bytes_ = readBytes(file_);
    }

    /// That of a file of such bytes.
    std::string refusal(const FileBytes& bytes) const {
        const fs::path damaged = folder_ / "damaged.avo";
        writeBytes(damaged, bytes);
        return OctreeFileTest::refusal(damaged);
    }

    /// The file with another header, whose checksum fits.
    FileBytes changedHeader(const std::function<void(OctreeFileHeader&)>& change) const {
        OctreeFileHeader header = readOctreeHeader(file_);
        change(header);
        header.checksum = octreeHeaderChecksum(header);
        FileBytes bytes = bytes_;
        std::memcpy(bytes.data(), &header, sizeof(header));
        return bytes;
    }

    static TreeEncoding& tree(Octree& octree) { return std::get<TreeEncoding>(octree.encoding); }

    FileBytes bytes_;
};

TEST_F(OctreeFile, ComesBackAsItWas) {
    const Octree loaded = loadOctree(file_);
    EXPECT_TRUE(identical(loaded, octree_));
    EXPECT_EQ(loaded.metadata, octree_.metadata);
    EXPECT_EQ(loaded.coverage, octree_.coverage);
    EXPECT_EQ(loaded.grid.voxelSize, octree_.grid.voxelSize);
    const fs::path again = folder_ / "again.avo";
    writeOctree(again, loaded);
    EXPECT_EQ(readBytes(again), bytes_);
    EXPECT_EQ(bytes_.size() % 4096, 0U);
}

/// A section of several pieces with a checksum each, more than are written at once.
TEST_F(OctreeFile, LargeSectionsComeBackAsTheyWere) {
    std::string text(17 * kChecksumPiece + 100, ' ');
    for (std::size_t i = 0; i < text.size(); i += 1000) {
        text[i] = static_cast<char>('a' + mixBits(i) % 26);
    }
    Octree octree = loadOctree(file_);
    octree.metadata["source"] = text;
    writeOctree(folder_ / "large.avo", octree);
    EXPECT_TRUE(loadOctree(folder_ / "large.avo").metadata["source"] == text); // a difference would print all of it
}

TEST_F(OctreeFile, ChangesStayInMemory) {
    Octree loaded = loadOctree(file_);
    loaded.attributes[3].albedo = 7;
    EXPECT_EQ(loaded.attributes[3].albedo, 7U);
    EXPECT_EQ(readBytes(file_), bytes_);
}

TEST_F(OctreeFile, HeaderCanBeReadAlone) {
    const OctreeFileHeader header = readOctreeHeader(file_);
    EXPECT_EQ(header.voxels, octree_.voxelCount());
    const Bounds bounds = octreeBounds(header);
    EXPECT_EQ(bounds.min, octree_.grid.origin);
    EXPECT_EQ(bounds.max, octree_.grid.origin + octree_.grid.voxelSize * glm::dvec3(octree_.grid.size));
}

TEST_F(OctreeFile, CutOffAnywhereIsRefused) {
    std::mt19937 random(1);
    std::vector<std::size_t> lengths = {0, 1, 7, 8, 12, 100, 607, 608, 4095, 4096, 4097, bytes_.size() - 1};
    for (int i = 0; i < 60; ++i) {
        lengths.push_back(random() % bytes_.size());
    }
    for (const std::size_t length : lengths) {
        const std::string message =
            refusal(FileBytes(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(length)));
        expectContains(message, length < 8 ? "not an octree file" : "cut off");
    }
    FileBytes longer = bytes_;
    longer.resize(longer.size() + 4096);
    expectContains(refusal(longer), "damaged");
}

TEST_F(OctreeFile, APipeIsRefusedWithoutWaitingForAWriter) {
    const fs::path pipe = folder_ / "pipe.avo";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::future<std::string> message = std::async(std::launch::async, [&] {
        try {
            loadOctree(pipe);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("loaded");
    });
    if (message.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
        ADD_FAILURE() << "it waits";
        ::close(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK)); // lets it go
    }
    expectContains(message.get(), "not a regular file");
}

TEST_F(OctreeFile, AnyFlippedBitIsRefused) {
    std::mt19937 random(2);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < 700; ++i) {
        places.push_back(i); // the header and what is behind it
    }
    for (std::size_t page = 0; page < bytes_.size(); page += 4096) {
        places.push_back(page);
        places.push_back(page + 4095); // padding mostly
        for (int i = 0; i < 4; ++i) {
            places.push_back(page + random() % 4096);
        }
    }
    std::fstream stream(file_, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t place, char byte) {
        stream.seekp(static_cast<std::streamoff>(place));
        stream.put(byte);
        stream.flush();
    };
    for (const std::size_t place : places) {
        put(place, static_cast<char>(bytes_[place] ^ (1 << random() % 8)));
        const Caught caught = errorOf([&] { loadOctree(file_); });
        EXPECT_EQ(caught.code, ExitCode::BadInput) << place;
        EXPECT_NE(caught.message.find("model.avo: "), std::string::npos) << caught.message;
        put(place, bytes_[place]);
    }
    EXPECT_TRUE(identical(loadOctree(file_), octree_));
}

TEST_F(OctreeFile, OtherFormatsAndByteOrdersAreTold) {
    expectContains(refusal(FileBytes(10'000, 'x')), "not an octree file");
    FileBytes text = bytes_; // what a transfer in text mode does
    text.erase(text.begin() + 4);
    expectContains(refusal(text), "not an octree file");
    FileBytes swapped = bytes_;
    std::reverse(swapped.begin() + 8, swapped.begin() + 12);
    expectContains(refusal(swapped), "big-endian");
    expectContains(errorOf([&] { loadOctree(folder_ / "none.avo"); }).message, "none.avo: cannot be read");
    expectContains(errorOf([&] { loadOctree(folder_); }).message, "not a regular file");
}

TEST_F(OctreeFile, WrongHeadersWithRightChecksumsAreRefused) {
    const auto withHeader = [&](const std::function<void(OctreeFileHeader&)>& change) {
        return refusal(changedHeader(change));
    };
    expectContains(withHeader([](auto& h) { h.size[1] = 0; }), "a grid of");
    expectContains(withHeader([](auto& h) { h.size[1] = 16385; }), "a grid of");
    expectContains(withHeader([](auto& h) { h.size[0] = 65; }), "levels");
    expectContains(withHeader([](auto& h) { h.levels = 31; }), "levels");
    expectContains(withHeader([](auto& h) { h.voxelSize = -1.0; }), "voxels of");
    expectContains(withHeader([](auto& h) { h.voxelSize = NAN; }), "voxels of");
    expectContains(withHeader([](auto& h) { h.origin[2] = INFINITY; }), "origin");
    expectContains(withHeader([](auto& h) { h.coverage = 3; }), "coverage");
    expectContains(withHeader([](auto& h) { h.sectionCount = 63; }), "63 sections");
    expectContains(withHeader([](auto& h) { h.sectionCount = 6; }), "end at byte");
    expectContains(withHeader([](auto& h) { ++h.voxels; }), "voxels");
    expectContains(withHeader([](auto& h) { h.sections[2].kind = 99; }), "'leaf offsets' (number 99)");
    expectContains(withHeader([](auto& h) { h.sections[1].kind = h.sections[0].kind; }), "of nodes");
    expectContains(withHeader([](auto& h) { h.sections[0].elementBytes = 8; }), "");
    expectContains(withHeader([](auto& h) { h.sections[1].offset += 8; }), "does not fit");
    expectContains(withHeader([](auto& h) { h.sections[1].offset = h.sections[0].offset; }), "does not fit");
    expectContains(withHeader([](auto& h) { h.sections[4].count = ~std::uint64_t{0} / 8; }), "does not fit");
    expectContains(withHeader([](auto& h) { h.sections[4].count -= 1; }), "");
}

TEST_F(OctreeFile, LinksThatLeadAstrayAreRefused) {
    expectContains(malformed([](Octree& o) { tree(o).nodes[0].firstChild = 0; }), "malformed: node 0");
    expectContains(malformed([](Octree& o) { tree(o).nodes[tree(o).nodes.size() - 1].firstChild += 1; }),
                   "malformed: node");
    expectContains(malformed([](Octree& o) { tree(o).nodes[1].firstChild = ~0U; }), "malformed: node 1");
    expectContains(malformed([](Octree& o) { tree(o).nodes[1].maskLow = tree(o).nodes[1].maskHigh = 0; }),
                   "malformed: node 1");
    expectContains(malformed([](Octree& o) { tree(o).nodes[2].maskLow ^= 1; }), "malformed");
    expectContains(malformed([](Octree& o) { tree(o).nodes[0].flags = 1; }), "malformed: node 0");
    expectContains(malformed([](Octree& o) { tree(o).leaves[5] = glm::uvec2(0); }), "malformed: leaf 5 is empty");
    expectContains(malformed([](Octree& o) { tree(o).leaves[5].x ^= 1; }), "malformed");
    expectContains(malformed([](Octree& o) { tree(o).leafOffsets[2] += 1; }), "base of leaf 16");
    expectContains(malformed([](Octree& o) { tree(o).leafGroups[0] = 1; }), "base of leaf 0");
    expectContains(malformed([](Octree& o) { o.attributes = std::vector<shared::VoxelAttributes>(5); }), "attributes");
    expectContains(malformed([](Octree& o) { tree(o).leaves = std::vector<shared::uvec2>(3, glm::uvec2(1)); }), "node");
    expectContains(malformed([](Octree& o) { tree(o).nodes = std::vector<shared::OctreeNode>(); }), "no nodes");
    expectContains(malformed([](Octree& o) { o.palette = std::vector<shared::VoxelMaterial>(); }), "palette of 0");
    expectContains(malformed([](Octree& o) { o.palette[0].emission = glm::vec3(1.0F); }), "palette of");
    expectContains(malformed([](Octree& o) { o.palette[1].emission.y = NAN; }), "emission of");
    expectContains(malformed([](Octree& o) { o.palette[1].emission.y = -1.0F; }), "emission of");
    expectContains(malformed([](Octree& o) { o.attributes[3].shading |= 127U << ATTRIBUTE_MATERIAL_SHIFT; }),
                   "material 127 of the 2");
    expectContains(malformed([](Octree& o) { o.materialRuns[0].first = 1; }), "material run 0");
    expectContains(malformed([](Octree& o) { o.materialRuns[0].base = 2; }), "material run 0");
    expectContains(malformed([](Octree& o) {
                       o.materialRuns = std::vector(2, shared::MaterialRun{0, 0, 0});
                   }),
                   "material run 1");
    expectContains(malformed([](Octree& o) { o.materials = std::vector<MaterialConstants>(); }), "no materials");
    expectContains(malformed([](Octree& o) { o.materials[0].model = static_cast<MaterialModel>(9); }),
                   "material model 9");
    expectContains(malformed([](Octree& o) { o.materials[0].ior = 0.0F; }), "'ior' of 0, expected 1 to 4");
    expectContains(malformed([](Octree& o) { o.materials[0].absorption.z = -1.0F; }),
                   "'absorption' of -1, expected 0 to");
    expectContains(malformed([](Octree& o) { o.palette[1].material = 7; }), "material 7 of");
    expectContains(malformed([](Octree& o) { o.leafMaterials[0].material = 8; }), "material 8 of");
}

TEST_F(OctreeFile, LampsThatLeadOutOfTheirArraysAreRefused) {
    expectContains(malformed([](Octree& o) { o.lamps->facings = {}; }), "found 0 facings of lamps, expected");
    expectContains(malformed([](Octree& o) { o.lamps->slices = std::vector<std::uint32_t>(5); }),
                   "found 5 slices of lamps, expected 65");
    expectContains(malformed([](Octree& o) { o.lamps->boxes = {}; }), "facings of lamps, expected 0");
    expectContains(malformed([](Octree& o) { o.lamps->boxes[0].material = 7; }), "box 0 of the lamps");
    expectContains(malformed([](Octree& o) { o.lamps->boxes[0].across = NO_SIDE + 1; }), "box 0 of the lamps");
    expectContains(malformed([](Octree& o) { o.lamps->boxes[0].halves.y = -1.0F; }), "box 0 of the lamps");
    expectContains(malformed([](Octree& o) { o.lamps->facings[0].x = std::nanf(""); }), "box 0 of the lamps");
    expectContains(malformed([](Octree& o) { o.lamps->slices[3] = ~0U; }), "slice 3 of the lamps");
    expectContains(malformed([](Octree& o) { o.lamps->slices[60] = 0; }), "slice 60 of the lamps");
    expectContains(malformed([](Octree& o) { o.lamps->rows = {}; }), "of the lamps begins at row");
    expectContains(malformed([](Octree& o) { o.lamps->rows[0].entry = 99; }), "row 0 of the lamps has box");
    expectContains(malformed([](Octree& o) { o.lamps->rows[0].box = NO_BOX - 1; }), "row 0 of the lamps has box");
}

TEST_F(OctreeFile, RandomContentsUnderRightChecksumsAreRefusedOrHarmless) {
    std::mt19937 random(3);
    const OctreeFileHeader whole = readOctreeHeader(file_);
    const fs::path damaged = folder_ / "damaged.avo";
    int harmless = 0;
    for (int i = 0; i < 150; ++i) {
        FileBytes bytes = bytes_;
        OctreeFileHeader header = whole;
        OctreeFileSection& section = header.sections[random() % header.sectionCount];
        const std::uint64_t size = section.count * section.elementBytes;
        for (int n = 0; n < 1 + i % 3 && size > 0; ++n) {
            bytes[section.offset + random() % size] = static_cast<char>(random());
        }
        if (i % 5 == 0) {
            section.count = random() % (section.count + 1); // fewer, where the pages allow it
        }
        const std::uint64_t left = section.count * section.elementBytes;
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(section.offset + left),
                  bytes.begin() + static_cast<std::ptrdiff_t>(section.offset + size), '\0');
        SectionChecksum sum;
        if (left > 0) { // all sections of this model are smaller than a piece
            sum.add(checksum(std::as_bytes(std::span(bytes)).subspan(section.offset, left)));
        }
        section.checksum = sum.value();
        header.checksum = octreeHeaderChecksum(header);
        std::memcpy(bytes.data(), &header, sizeof(header));
        writeBytes(damaged, bytes);
        try {
            // Whatever is let through can be used without leaving its arrays.
            const Octree octree = loadOctree(damaged);
            for (int n = 0; n < 4000; ++n) {
                attributesAt(octree, glm::ivec3(n % 40, n / 40 % 38, n * 7 % 36));
            }
            for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
                ASSERT_LT(voxel.entry, octree.palette.size());
            }
            ++harmless;
        } catch (const Error& error) {
            ASSERT_EQ(error.code(), ExitCode::BadInput) << error.what();
        }
    }
    EXPECT_GT(harmless, 10);  // colours and texts
    EXPECT_LT(harmless, 140); // links
}

TEST_F(OctreeFile, WhatCannotBeWrittenLeavesNothing) {
    const Caught caught = errorOf([&] { writeOctree(folder_ / "none" / "model.avo", octree_); });
    EXPECT_EQ(caught.code, ExitCode::CannotWrite);
    expectContains(caught.message, "none/model.avo");
    fs::create_directory(folder_ / "folder.avo");
    EXPECT_EQ(errorOf([&] { writeOctree(folder_ / "folder.avo", octree_); }).code, ExitCode::CannotWrite);
    std::size_t files = 0;
    for ([[maybe_unused]] const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
        ++files;
    }
    EXPECT_EQ(files, 2U); // the model and the folder
}

} // namespace
} // namespace aureole::test
