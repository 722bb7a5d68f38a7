// What is wrong with .vox files, and short ones that would take much.

#include <gtest/gtest.h>

#include "vox_bytes.h"

namespace aureole::test {
namespace {

using vox::dictionary;
using vox::groupNode;
using vox::model;
using vox::shapeNode;
using vox::transformNode;
using vox::Voxels;
using vox::voxFile;

TEST(ImportVox, ErrorsNameTheByte) {
    const TemporaryFolder folder;
    const auto messageFor = [&](const std::string& bytes) {
        return messageOf([&] { folder.import("bad.vox", bytes); });
    };
    const std::string good = voxFile(model(2, 2, 2, {{0, 0, 0, 1}}));
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_TRUE(containsAll(messageFor(good.substr(0, length)), {"bad.vox: ", "byte ", "found", "expected"}))
            << length;
    }
    EXPECT_TRUE(containsAll(messageFor("XOV " + good.substr(4)), {"byte 0", "found 'XOV ', expected 'VOX '"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(model(2, 2, 2, {{0, 0, 0, 1}, {0, 2, 0, 1}}))),
                            {"chunk XYZI, byte 64: ", "(0, 2, 0)", "less than (2, 2, 2)"}));
    EXPECT_TRUE(
        containsAll(messageFor(voxFile(model(0, 2, 2, {}))), {"chunk SIZE, byte 32: ", "0 voxels", "1 to 256"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(model(257, 2, 2, {}))), {"257"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(model(2, 2, 2, {}))), {"no voxel"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile("")), {"no voxel"}));
    const std::string cells = model(1, 1, 1, {{0, 0, 0, 1}});
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 9, dictionary({})))),
                            {"chunk nTRN, byte 76: ", "node 9"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 1, dictionary({})) + groupNode(1, {0}))),
                            {"chunk nTRN, byte 76: ", "below itself"}));
    EXPECT_TRUE(
        containsAll(messageFor(voxFile(cells + transformNode(0, 1, dictionary({{"_r", "0"}})) + shapeNode(1, 0))),
                    {"chunk nTRN, byte 76: ", "rotation '0'"}));
    EXPECT_TRUE(containsAll(
        messageFor(voxFile(cells + transformNode(0, 1, dictionary({{"_t", "1 2"}})) + shapeNode(1, 0))), {"'1 2'"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 1, dictionary({})) + shapeNode(1, 3))),
                            {"chunk nSHP, byte ", "model 3", "less than 1"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 1, dictionary({})) + shapeNode(1, 0) +
                                               transformNode(0, 1, dictionary({})))),
                            {"chunk nTRN, byte ", "another node 0", "at byte 76"}));
    const std::string nothing = model(1, 1, 1, {{0, 0, 0, 0}}); // index 0 is empty space
    EXPECT_TRUE(containsAll(messageFor(voxFile(nothing)), {"bad.vox: ", "without voxels", "expected one to show"}));
    EXPECT_TRUE(
        containsAll(messageFor(voxFile(nothing + cells + transformNode(0, 1, dictionary({})) + shapeNode(1, 0))),
                    {"without voxels"}));
    // A small file that stands for 2^40 nodes must not run for ever.
    std::string bomb = cells + transformNode(0, 1, dictionary({}));
    for (std::uint32_t i = 1; i <= 40; ++i) {
        bomb += groupNode(2 * i - 1, {2 * i, 2 * i + 1}) + transformNode(2 * i, 2 * i + 1, dictionary({}));
    }
    EXPECT_TRUE(containsAll(messageFor(voxFile(bomb + shapeNode(81, 0))), {"chunk nTRN, byte ", "nodes"}));
    const std::string when = dictionary({{"_f", "3rd"}});
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 1, when) + shapeNode(1, 0))),
                            {"chunk nTRN, byte 100: ", "'3rd'", "whole number from 0 to 4095"}));
}

/// Cells are bounded by the voxels of a file: models of few take as many as four without any.
TEST(ImportVox, AShortFileTakesLittleMemory) {
    const TemporaryFolder folder;
    const auto cellsOf = [](std::size_t models, std::size_t voxels) {
        const std::string one = model(256, 256, 256, Voxels(voxels, {255, 255, 255, 1}));
        std::string file;
        for (std::size_t i = 0; i < models; ++i) {
            file += one;
        }
        return voxFile(file);
    };
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bomb.vox", cellsOf(5, 1)); }),
                            {"bomb.vox: chunk SIZE, byte ", "found 83886080 cells", "at most 67190784", "5 voxels"}));
    EXPECT_EQ(folder.import("lines.vox", cellsOf(2, 1024)).voxelModels.size(), 2U);
}

/// 2^doublings instances of a model, side by side, by groups that share their children.
std::string manyInstances(const std::string& model, std::uint32_t doublings) {
    std::string file = model + transformNode(0, 1, dictionary({}));
    std::uint32_t next = 2;
    for (std::uint32_t i = 0; i < doublings; ++i, next += 3) {
        file += groupNode(next - 1, {next, next + 1}) + transformNode(next, next + 2, dictionary({})) +
                transformNode(next + 1, next + 2, dictionary({{"_t", std::to_string(1U << i) + " 0 0"}}));
    }
    return voxFile(file + shapeNode(next - 1, 0));
}

/// Instances share cells, which voxelisation looks at for each.
TEST(ImportVox, InstancesOfManyCellsEndEarly) {
    const TemporaryFolder folder;
    const auto messageFor = [&](const std::string& model, std::uint32_t doublings) {
        return messageOf([&] { folder.import("bomb.vox", manyInstances(model, doublings)); });
    };
    EXPECT_TRUE(containsAll(messageFor(model(256, 256, 256, {{0, 0, 0, 1}}), 11),
                            {"chunk nSHP, byte ", "more than 17179869184 cells", "at most"}));
    Voxels line;
    for (std::uint32_t x = 0; x < 256; ++x) {
        line.push_back({static_cast<std::uint8_t>(x), 0, 0, 1});
    }
    EXPECT_TRUE(containsAll(messageFor(model(256, 1, 1, line), 16),
                            {"bomb.vox: chunk nSHP, byte ", "voxels in the instances", "expected at most ", "bytes"}));
    EXPECT_EQ(folder.import("some.vox", manyInstances(model(256, 1, 1, line), 10)).voxelInstances.size(), 1024U);
}

/// An instance in another's place shows nothing, and each of its voxels would be listed wherever it is.
TEST(ImportVox, InstancesInOnePlaceAreOne) {
    const TemporaryFolder folder;
    const auto placedBy = [&](const std::string& nodes) {
        return folder
            .import("many.vox", voxFile(model(1, 1, 1, {{0, 0, 0, 1}}) + model(1, 1, 1, {{0, 0, 0, 2}}) +
                                        transformNode(0, 1, dictionary({})) + nodes))
            .voxelInstances.size();
    };
    const auto fifty = [](std::uint32_t of) { return std::vector<std::uint32_t>(50, of); };
    EXPECT_EQ(placedBy(groupNode(1, fifty(2)) + groupNode(2, fifty(3)) + groupNode(3, fifty(4)) + shapeNode(4, 0)), 1U);
    // Another place, another turn and another model are other instances.
    EXPECT_EQ(placedBy(groupNode(1, {2, 3, 4, 6, 2, 3, 4, 6}) + transformNode(2, 5, dictionary({{"_t", "1 0 0"}})) +
                       transformNode(3, 5, dictionary({{"_r", "17"}})) + transformNode(4, 5, dictionary({})) +
                       shapeNode(5, 0) + shapeNode(6, 1)),
              4U);
}

} // namespace
} // namespace aureole::test
