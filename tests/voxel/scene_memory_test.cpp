// Voxelisation within the memory that a scene may take.

#include <gtest/gtest.h>

#include "sandbox/settings.h"
#include "scene/scene_memory.h"
#include "test_scene.h"
#include "voxel/build/brick_list.h"
#include "voxel/build/build.h"
#include "voxel/build/grid.h"

namespace aureole::test {
namespace {

class VoxelSceneMemory : public ::testing::Test {
protected:
    void TearDown() override { sandbox::configure({}); }

    static void limit(std::uint64_t bytes) {
        sandbox::Settings settings;
        settings.memory = bytes;
        sandbox::configure(settings);
    }

    static void expectTooLittle(const std::function<void()>& action, const std::string& fragment) {
        const Caught caught = errorOf(action);
        EXPECT_EQ(caught.code, ExitCode::BadInput);
        for (const std::string& part : {fragment, std::string("expected at most"), std::string("--asset-memory")}) {
            EXPECT_NE(caught.message.find(part), std::string::npos) << caught.message;
        }
    }
};

/// A model of which every second cell is solid, so that all faces of these are seen, placed several times.
Scene checkerScene(std::uint32_t side, std::uint32_t placed) {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.resize(1);
    VoxelModel& model = scene.voxelModels.emplace_back();
    model.name = "checkers";
    model.size = glm::uvec3(side);
    model.materials.fill(0);
    for (std::uint32_t i = 0; i < side * side * side; ++i) {
        const std::uint32_t sum = i % side + i / side % side + i / side / side;
        model.cells.push_back(static_cast<std::uint8_t>(sum % 2));
    }
    scene.voxelInstances.resize(placed);
    return scene;
}

TEST_F(VoxelSceneMemory, HoldsCellsOfModelsAndThoseThatArePlaced) {
    const Scene scene = checkerScene(32, 3);
    const VoxelGrid grid = fitGrid(scene, 32);
    const std::uint64_t cells = 32 * 32 * 32 / 2;
    const auto number = [&] { Primitives(scene, grid, false); };
    limit(bytesOf(scene) + 16 * cells + 3 * 16 * cells);
    EXPECT_NO_THROW(number());
    EXPECT_EQ(Primitives(scene, grid, false).memoryLeft(), 3 * 16 * cells);
    limit(bytesOf(scene) + 16 * cells + 3 * 16 * cells - 1);
    expectTooLittle(number, "scene.json: found a scene");
    limit(bytesOf(scene) + 16 * cells - 1);
    expectTooLittle(number, "scene.json: voxel model 'checkers': found");
}

TEST_F(VoxelSceneMemory, HoldsWhatTrianglesThatSpanTheGridTake) {
    const Scene scene = sceneOf({{{{0, 0, 0}, {1, 0, 0.7F}, {0, 1, 0.3F}}}, {{{1, 1, 1}, {0, 1, 0}, {1, 0, 0.2F}}}});
    const VoxelGrid grid = fitGrid(scene, 4096);
    const std::uint32_t levels = octreeLevels(grid.size);
    const Primitives free(scene, grid, false);
    const BrickList bricks(free, levels);
    ASSERT_GT(bricks.entryCount(), 5000U) << "two triangles";
    const std::uint64_t enough = bytesOf(scene) + 16 * bricks.entryCount();
    limit(enough);
    const Primitives held(scene, grid, false);
    EXPECT_EQ(BrickList(held, levels).entryCount(), bricks.entryCount());
    limit(enough - 1);
    const Primitives tooMany(scene, grid, false);
    expectTooLittle([&] { BrickList(tooMany, levels); }, "a lower resolution takes less");
    // The memory that the voxeliser is given is another limit.
    limit(enough);
    EXPECT_EQ(errorOf([&] { BrickList(held, levels, 16 * bricks.entryCount() - 1); }).code, ExitCode::OutOfMemory);
    EXPECT_NO_THROW(BrickList(held, levels, 16 * bricks.entryCount()));
}

} // namespace
} // namespace aureole::test
