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

TEST(ImportVox, ErrorsNameTheOffset) {
    const TemporaryFolder folder;
    const auto messageFor = [&](const std::string& bytes) {
        return messageOf([&] { folder.import("bad.vox", bytes); });
    };
    const std::string good = voxFile(model(2, 2, 2, {{0, 0, 0, 1}}));
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_TRUE(containsAll(messageFor(good.substr(0, length)), {"bad.vox: ", "offset ", "found", "expected"}))
            << length;
    }
    EXPECT_TRUE(containsAll(messageFor("XOV " + good.substr(4)), {"offset 0", "'VOX '"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(model(2, 2, 2, {{0, 0, 0, 1}, {0, 2, 0, 1}}))),
                            {"chunk XYZI, offset 64: ", "(0, 2, 0)", "less than (2, 2, 2)"}));
    EXPECT_TRUE(
        containsAll(messageFor(voxFile(model(0, 2, 2, {}))), {"chunk SIZE, offset 32: ", "0 voxels", "1 to 256"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(model(257, 2, 2, {}))), {"257"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(model(2, 2, 2, {}))), {"no voxel"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile("")), {"no voxel"}));
    const std::string cells = model(1, 1, 1, {{0, 0, 0, 1}});
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 9, dictionary({})))),
                            {"chunk nTRN, offset 76: ", "node 9"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 1, dictionary({})) + groupNode(1, {0}))),
                            {"chunk nTRN, offset 76: ", "below itself"}));
    EXPECT_TRUE(
        containsAll(messageFor(voxFile(cells + transformNode(0, 1, dictionary({{"_r", "0"}})) + shapeNode(1, 0))),
                    {"chunk nTRN, offset 76: ", "rotation '0'"}));
    EXPECT_TRUE(containsAll(
        messageFor(voxFile(cells + transformNode(0, 1, dictionary({{"_t", "1 2"}})) + shapeNode(1, 0))), {"'1 2'"}));
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 1, dictionary({})) + shapeNode(1, 3))),
                            {"chunk nSHP, offset ", "model 3", "less than 1"}));
    // A small file that stands for 2^40 nodes must not run for ever.
    std::string bomb = cells + transformNode(0, 1, dictionary({}));
    for (std::uint32_t i = 1; i <= 40; ++i) {
        bomb += groupNode(2 * i - 1, {2 * i, 2 * i + 1}) + transformNode(2 * i, 2 * i + 1, dictionary({}));
    }
    EXPECT_TRUE(containsAll(messageFor(voxFile(bomb + shapeNode(81, 0))), {"chunk nTRN, offset ", "nodes"}));
    const std::string when = dictionary({{"_f", "3rd"}});
    EXPECT_TRUE(containsAll(messageFor(voxFile(cells + transformNode(0, 1, when) + shapeNode(1, 0))),
                            {"chunk nTRN, offset 100: ", "'3rd'", "whole number from 0 to 4095"}));
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
                            {"bomb.vox: chunk SIZE, offset ", "found 83886080 cells", "at most 67190784", "5 voxels"}));
    EXPECT_EQ(folder.import("lines.vox", cellsOf(2, 1024)).voxelModels.size(), 2U);
}

/// Instances share cells, which voxelisation looks at for each.
TEST(ImportVox, InstancesOfManyCellsEndEarly) {
    const TemporaryFolder folder;
    std::string bomb = model(256, 256, 256, {{0, 0, 0, 1}}) + transformNode(0, 1, dictionary({}));
    for (std::uint32_t i = 1; i <= 11; ++i) {
        bomb += groupNode(2 * i - 1, {2 * i, 2 * i}) + transformNode(2 * i, 2 * i + 1, dictionary({}));
    }
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bomb.vox", voxFile(bomb + shapeNode(23, 0))); }),
                            {"chunk nSHP, offset ", "more than 17179869184 cells", "at most"}));
}

} // namespace
} // namespace aureole::test
