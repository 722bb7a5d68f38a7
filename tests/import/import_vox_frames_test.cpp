// Frames of MagicaVoxel's animations: what moves, changes and loops.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "import/model_outline.h"
#include "vox_bytes.h"

namespace aureole::test {
namespace {

using vox::chunk;
using vox::dictionary;
using vox::groupNode;
using vox::model;
using vox::number;
using vox::shapeNode;
using vox::voxFile;

const std::string kOneCell = model(1, 1, 1, {{0, 0, 0, 1}});

/// Voxels are those of the first frame and of the ones that are asked for; the box, whatever they are, is of all.
TEST(ImportVoxFrames, FramesThatNobodyShowsTakeNoCells) {
    const TemporaryFolder folder;
    const std::string models =
        kOneCell + model(2, 1, 1, {{1, 0, 0, 3}}) + model(4, 1, 5, {{3, 0, 4, 2}}) + model(3, 1, 1, {{0, 0, 0, 0}});
    const auto filled = [&](std::vector<std::uint32_t> frames) {
        const ImportedModel read =
            folder.import("a.vox", voxFile(models), {.sceneFolder = {}, .frames = std::move(frames)});
        EXPECT_EQ(read.materials.size(), 3U);
        EXPECT_EQ(modelBounds(read).min, glm::dvec3(0.0));
        EXPECT_EQ(modelBounds(read).max, glm::dvec3(4.0, 5.0, 1.0));
        std::string which;
        for (const VoxelModel& each : read.voxelModels) {
            which += each.cells.empty() ? '-' : 'x';
        }
        return which;
    };
    EXPECT_EQ(filled({}), "x---");
    EXPECT_EQ(filled({1}), "xx--");
    EXPECT_EQ(filled({3, 2}), "x-xx");
}

TEST(ImportVoxFrames, AllFramesAreRead) {
    const TemporaryFolder folder;
    const std::string models = kOneCell + model(2, 1, 1, {{1, 0, 0, 1}});
    // Without a graph, each model is a frame.
    const ImportedModel old = folder.import("old.vox", voxFile(models), {.sceneFolder = {}, .frames = {1}});
    EXPECT_EQ(old.frames, 2U);
    ASSERT_EQ(old.laterFrames.size(), 1U);
    EXPECT_EQ(old.voxelInstances.at(0).model, 0U);
    EXPECT_EQ(old.laterFrames[0].voxelInstances.at(0).model, 1U);
    // The other model comes at frame 2, the node goes on at frame 1 and has its place until then.
    const auto key = [](const std::string& time, const std::string& place) {
        return dictionary({{"_t", place}, {"_f", time}});
    };
    const std::string graph = chunk("nTRN", number(0) + dictionary({}) + number(1) + number(~0U) + number(0) +
                                                number(2) + key("1", "7 0 0") + key("0", "3 0 0")) +
                              chunk("nSHP", number(1) + dictionary({}) + number(2) + number(0) +
                                                dictionary({{"_f", "0"}}) + number(1) + dictionary({{"_f", "2"}}));
    const ImportedModel moving =
        folder.import("new.vox", voxFile(models + graph), {.sceneFolder = {}, .frames = {2, 1, 9}});
    EXPECT_EQ(moving.frames, 3U);
    ASSERT_EQ(moving.laterFrames.size(), 2U);
    const auto placed = [](const VoxelInstance& instance) {
        return std::pair<std::uint32_t, double>(instance.model, instance.worldFromModel[3].x);
    };
    EXPECT_EQ(placed(moving.voxelInstances.at(0)), std::pair(0U, 3.0));
    EXPECT_EQ(placed(moving.laterFrames[0].voxelInstances.at(0)), std::pair(0U, 7.0));
    EXPECT_EQ(placed(moving.laterFrames[1].voxelInstances.at(0)),
              std::pair(1U, 6.0)); // by its middle, one voxel further
    const std::string endless = chunk("nTRN", number(0) + dictionary({}) + number(1) + number(~0U) + number(0) +
                                                  number(1) + key("2000000000", "0 0 0")) +
                                shapeNode(1, 0);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("long.vox", voxFile(kOneCell + endless)); }),
                            {"chunk nTRN, byte 100", "'2000000000'", "0 to 4095"}));
    // The nodes of each frame count for themselves: 1023 in each of 1026 are more than a frame may have.
    const std::string many =
        chunk("nTRN",
              number(0) + dictionary({}) + number(1) + number(~0U) + number(0) + number(1) + key("1025", "0 0 0")) +
        groupNode(1, {2, 3}) + groupNode(3, std::vector<std::uint32_t>(1019, 4)) + groupNode(4, {}) + shapeNode(2, 0);
    EXPECT_EQ(folder.import("many.vox", voxFile(kOneCell + many)).frames, 1026U);
}

/// From its first key to its last a node is on its way, in whole voxels. What loops begins again behind that, and what
/// lies before is the end of a turn.
TEST(ImportVoxFrames, NodesMoveBetweenTheirKeysAndLoop) {
    const TemporaryFolder folder;
    const auto placesOf = [&](const std::string& attributes) {
        const auto key = [](const std::string& time, const std::string& place) {
            return dictionary({{"_t", place}, {"_f", time}});
        };
        // A second node holds the animation open until frame 7.
        const std::string graph = groupNode(0, {1, 3}) +
                                  chunk("nTRN", number(1) + attributes + number(2) + number(~0U) + number(0) +
                                                    number(2) + key("1", "-5 0 0") + key("4", "0 9 0")) +
                                  shapeNode(2, 0) +
                                  chunk("nTRN", number(3) + dictionary({}) + number(2) + number(~0U) + number(0) +
                                                    number(2) + key("0", "0 0 50") + key("7", "0 0 50"));
        const ImportedModel model =
            folder.import("a.vox", voxFile(kOneCell + graph), {.sceneFolder = {}, .frames = {1, 2, 3, 4, 5, 6, 7}});
        std::vector<std::pair<double, double>> places = {
            {model.voxelInstances.at(0).worldFromModel[3].x, -model.voxelInstances.at(0).worldFromModel[3].z}};
        for (const ModelFrame& frame : model.laterFrames) {
            places.emplace_back(frame.voxelInstances.at(0).worldFromModel[3].x,
                                -frame.voxelInstances.at(0).worldFromModel[3].z);
        }
        for (auto& [x, y] : places) { // by the model's corner, which is where it was in the first frame
            y -= 1.0;
        }
        return places;
    };
    using Places = std::vector<std::pair<double, double>>;
    const Places once = {{-5, 0}, {-5, 0}, {-3, 3}, {-1, 6}, {0, 9}, {0, 9}, {0, 9}, {0, 9}};
    EXPECT_EQ(placesOf(dictionary({})), once);
    EXPECT_EQ(placesOf(dictionary({{"_loop", "0"}})), once);
    const Places looped = {{0, 9}, {-5, 0}, {-3, 3}, {-1, 6}, {0, 9}, {-5, 0}, {-3, 3}, {-1, 6}};
    EXPECT_EQ(placesOf(dictionary({{"_loop", "1"}})), looped);
}

/// A shape that loops shows its models in turn; the box is of all that come, whichever frames are asked for.
TEST(ImportVoxFrames, ModelsLoop) {
    const TemporaryFolder folder;
    const std::string graph = groupNode(0, {1, 2}) +
                              chunk("nSHP", number(1) + dictionary({{"_loop", "1"}}) + number(2) + number(0) +
                                                dictionary({{"_f", "0"}}) + number(1) + dictionary({{"_f", "1"}})) +
                              chunk("nSHP", number(2) + dictionary({}) + number(2) + number(0) +
                                                dictionary({{"_f", "0"}}) + number(0) + dictionary({{"_f", "3000"}}));
    const std::string models = kOneCell + model(2, 1, 1, {{1, 0, 0, 1}});
    const ImportedModel model =
        folder.import("a.vox", voxFile(models + graph), {.sceneFolder = {}, .frames = {2, 5, 2999}});
    ASSERT_EQ(model.laterFrames.size(), 3U);
    EXPECT_EQ(model.laterFrames[0].voxelInstances.at(0).model, 0U);
    EXPECT_EQ(model.laterFrames[1].voxelInstances.at(0).model, 1U);
    EXPECT_EQ(model.laterFrames[2].voxelInstances.at(0).model, 1U);
}

} // namespace
} // namespace aureole::test
