// Models of several assets, which are read at once: all is as if one were read after the other.

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/outline_cache.h"
#include "json_test_util.h"
#include "occurrences.h"
#include "scene/json/model_reads.h"

namespace aureole {
namespace {

constexpr std::size_t kCount = 7; // more than are read at once

/// A fan of triangles, in a mesh of its own name. Its normals have no direction, of which its reader warns.
std::string fanOf(std::size_t triangles, const std::string& name) {
    std::string text = "o " + name + "\nvn 0 0 0\nv 0 0 0\nv 1 0 0\n";
    for (std::size_t i = 0; i < triangles; ++i) {
        text += fmt::format("v 1 {} 0\nf 1//1 {}//1 {}//1\n", i + 1, i + 2, i + 3);
    }
    return text;
}

/// A scene with the models 0.obj, 1.obj... as assets m0, m1..., each on a line of its own, the first on line 2.
std::string sceneOfModels() {
    std::string assets;
    std::string instances;
    for (std::size_t i = 0; i < kCount; ++i) {
        assets += fmt::format(R"({}"m{}": {{ "file": "{}.obj" }})", i > 0 ? ",\n" : "", i, i);
        instances += fmt::format(R"({}"m{}": {{ "asset": "m{}" }})", i > 0 ? ", " : "", i, i);
    }
    return fmt::format(R"({{ "version": 1, "assets": {{
{} }},
"instances": {{ {} }}, "cameras": {{ "main": {{ "position": [0, 0, 5], "target": [0, 0, 0] }} }} }})",
                       assets, instances);
}

class JsonModels : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        // The first takes longest.
        for (std::size_t i = 0; i < kCount; ++i) {
            write(fmt::format("{}.obj", i), fanOf(i == 0 ? 20'000 : i, fmt::format("mesh{}", i)));
        }
    }
};

TEST_F(JsonModels, ComeInTheirOrderWithTheirWarnings) {
    ::testing::internal::CaptureStderr();
    const Scene scene = load(sceneOfModels());
    const std::string said = ::testing::internal::GetCapturedStderr();
    ASSERT_EQ(scene.meshes.size(), kCount);
    ASSERT_EQ(scene.files.size(), kCount);
    std::size_t last = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
        EXPECT_EQ(scene.meshes[i].name, fmt::format("mesh{}", i));
        EXPECT_EQ(scene.meshes[i].triangles.size(), i == 0 ? 20'000U : i);
        EXPECT_EQ(scene.files[i].filename(), fmt::format("{}.obj", i));
        const std::size_t at = said.find(fmt::format("{}.obj: mesh 'mesh{}'", i, i));
        ASSERT_NE(at, std::string::npos) << said;
        EXPECT_GE(at, last) << said;
        last = at;
    }
}

TEST_F(JsonModels, AreTheirAssetsOwn) {
    write("scene.json", sceneOfModels());
    const Scene scene = loadScene(sceneFile, {{"/assets/m2/file", R"("5.obj")"}, {"/assets/m4", R"({ "box": {} })"}});
    ASSERT_EQ(scene.meshes.size(), kCount);
    EXPECT_EQ(scene.meshes[2].name, "mesh5");
    EXPECT_EQ(scene.meshes[3].name, "mesh3");
    EXPECT_EQ(scene.meshes[5].name, "mesh5");
    EXPECT_EQ(scene.meshes[6].name, "mesh6");
    // Nobody asks for temperatures where there are no densities.
    write("2.nvdb", "no volume");
    const std::vector<SceneProblem> found =
        problems(sceneOfModels(), {{"/assets/m2", R"({ "volume": { "file": "2.nvdb", "temperature": {} } })"}});
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/assets/m2/volume/file");
}

TEST_F(JsonModels, AreReadOnceWhereTheyAreTheScene) {
    ::testing::internal::CaptureStderr();
    loadScene(folder / "3.obj", {});
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(occurrences(said, "normals without a direction"), 1U) << said;
}

/// What is wrong with several is told of each where it is, as of one alone, and what else is wrong with an asset once.
TEST_F(JsonModels, TellWhatIsWrongInTheirOrder) {
    write("1.obj", "v 0 0 0\nf 1 2 3\n");
    write("2.obj", "no model");
    std::filesystem::remove(folder / "5.obj");
    const std::vector<SceneProblem> found = problems(sceneOfModels(), {{"/assets/m3/share", "7"}});
    ASSERT_EQ(found.size(), 4U) << join(found);
    EXPECT_EQ(found[0].pointer, "/assets/m1/file");
    EXPECT_EQ(found[1].pointer, "/assets/m2/file");
    EXPECT_EQ(found[2].pointer, "/assets/m5/file");
    EXPECT_EQ(found[3].pointer, "/assets/m3/share");
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(found[i].line, i < 2 ? i + 3 : 7U);
        const std::string file = i < 2 ? fmt::format("{}.obj", i + 1) : "5.obj";
        const std::vector<SceneProblem> one =
            problems(minimalScene(), {{"/assets/ball", fmt::format(R"({{ "file": "{}" }})", file)}});
        ASSERT_EQ(one.size(), 1U) << join(one);
        EXPECT_EQ(one[0].message, found[i].message + " (set by --set)");
    }
}

TEST_F(JsonModels, KeepTheirOutlines) {
    write("scene.json", sceneOfModels());
    const OutlineCache cache(folder / "cache");
    const Scene whole = loadScene(sceneFile, {}, &cache);
    EXPECT_FALSE(whole.outlined);
    ::testing::internal::CaptureStderr();
    const Scene outlined = loadScene(sceneFile, {}, &cache);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), ""); // no model is read
    EXPECT_TRUE(outlined.outlined);
    EXPECT_EQ(outlined.meshes.size(), 0U);
    EXPECT_EQ(outlined.hash, whole.hash);
    EXPECT_EQ(outlined.files, whole.files);
}

TEST(JsonModelReads, LeaveMemoryToEachOther) {
    constexpr std::uint64_t kMega = 1'000'000;
    const auto atOnce = [](const std::vector<std::uint64_t>& sizes) { return filesAtOnce(sizes, 320 * kMega); };
    EXPECT_EQ(atOnce({kMega, kMega, kMega, kMega, kMega}), kFilesAtOnce);
    EXPECT_EQ(atOnce({kMega, kMega}), 2U);
    EXPECT_EQ(atOnce({7 * kMega, 3 * kMega, 1}), 2U);
    EXPECT_EQ(atOnce({7 * kMega, 4 * kMega, 1}), 1U);
    EXPECT_EQ(atOnce({kMega, 1000 * kMega, 1}), 1U);
    EXPECT_EQ(atOnce({1000 * kMega, 1}), 1U); // one is always read
}

} // namespace
} // namespace aureole
