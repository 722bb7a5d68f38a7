// What is wrong with a scene file as a whole, and with the files it names: all problems at once, none of them a crash.

#include "json_test_util.h"

#include "core/error.h"
#include "image/exr/exr.h"

namespace aureole {
namespace {

namespace fs = std::filesystem;

class JsonErrors : public SceneJsonTest {};

TEST_F(JsonErrors, TheMinimalSceneItselfIsRight) {
    EXPECT_EQ(join(problems(minimalScene())), "");
}

TEST_F(JsonErrors, OfTooManyProblemsTheFirstAreReported) {
    const auto withUnknown = [&](int count) {
        std::string text = R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0])";
        for (int i = 0; i < count; ++i) {
            text += fmt::format(",\n\"unknown{}\": 0", i);
        }
        return problems(text + "} } }");
    };
    EXPECT_EQ(withUnknown(1000).size(), 1000U);
    const auto found = withUnknown(1001);
    ASSERT_EQ(found.size(), 1001U);
    EXPECT_EQ(found[0].message, "found more than 1000 problems: the rest is not looked at");
    EXPECT_EQ(found[1].pointer, "/cameras/main/unknown0");
}

/// As many comparisons as the product would take minutes, and hours for a file as large as may be.
TEST_F(JsonErrors, ThousandsOfAssetsAndInstancesAreNone) {
    std::string assets;
    std::string instances;
    for (int i = 0; i < 30'000; ++i) {
        const char* const comma = i == 0 ? "" : ",";
        assets += fmt::format(R"({}"a{}": {{ "quad": {{}} }})", comma, i);
        instances += fmt::format(R"({}"i{}": {{ "asset": "a{}" }})", comma, i, i);
    }
    EXPECT_EQ(join(problems(R"({ "version": 1, "assets": {)" + assets + R"(}, "instances": {)" + instances +
                            R"(}, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } } })")),
              "");
}

/// As above, of names of materials: none is looked for among all of them.
TEST_F(JsonErrors, ThousandsOfMaterialsAndInstancesAreNone) {
    std::string materials;
    std::string instances;
    constexpr int kMany = 40'000;
    for (int i = 0; i < kMany; ++i) {
        const char* const comma = i == 0 ? "" : ",";
        materials += fmt::format(R"({}"m{:05}": {{ "albedo": 0.5 }})", comma, i);
        instances += fmt::format(R"({}"i{:05}": {{ "asset": "q", "material": "m{:05}" }})", comma, i, kMany - 1 - i);
    }
    const Scene scene = load(R"({ "version": 1, "materials": {)" + materials +
                             R"(}, "assets": { "q": { "quad": {} } }, "instances": {)" + instances +
                             R"(}, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } } })");
    ASSERT_EQ(scene.meshInstances.size(), std::size_t{kMany});
    for (std::uint32_t i = 0; i < kMany; ++i) {
        ASSERT_EQ(scene.meshInstances[i].material, kMany - 1 - i);
    }
}

TEST_F(JsonErrors, AllProblemsAreReportedInTheOrderOfTheFile) {
    const auto found = problems("{ \"version\": 1,\n"
                                "\"voxels\": { \"resolution\": 3 },\n"
                                "\"instances\": { \"a\": { \"asset\": \"none\", \"colour\": 1 } },\n"
                                "\"assets\": { \"ball\": { \"sphere\": { \"radius\": \"big\" } } },\n"
                                "\"cameras\": 5 }");
    std::vector<std::string> pointers;
    for (const SceneProblem& problem : found) {
        pointers.push_back(problem.pointer);
    }
    EXPECT_EQ(pointers, (std::vector<std::string>{"/voxels/resolution", "/instances/a/asset", "/instances/a/colour",
                                                  "/assets/ball/sphere/radius", "/cameras"}));
    try {
        loadScene(sceneFile, {});
        ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 4);
        EXPECT_NE(message.find(sceneFile.string() + ":3: /instances/a/asset: found 'none'"), std::string::npos)
            << message;
    }
}

TEST_F(JsonErrors, ManyProblemsAreCutShort) {
    std::string materials;
    for (int i = 0; i < 200; ++i) {
        materials += "\"m" + std::to_string(i) + R"(": { "albedo": 2 }, )";
    }
    std::string text = minimalScene();
    text.insert(text.find("\"wall\": {"), materials);
    EXPECT_EQ(problems(text).size(), 200U);
    try {
        loadScene(sceneFile, {});
        ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("and 160 more"), std::string::npos) << error.what();
    }
}

TEST_F(JsonErrors, FilesThatCannotBeRead) {
    const auto absent = problemsOf(folder / "none.json", {});
    ASSERT_EQ(absent.size(), 1U);
    EXPECT_EQ(describeProblem("none.json", absent[0]), "none.json: no such file");
    fs::create_directories(folder / "folder.json");
    EXPECT_EQ(problemsOf(folder / "folder.json", {}).size(), 1U);
    const auto unknown = problemsOf(write("scene.jsn", "{}"), {});
    ASSERT_EQ(unknown.size(), 1U);
    EXPECT_NE(unknown[0].message.find("'.jsn'"), std::string::npos);
    EXPECT_NE(unknown[0].message.find("expected .json or a model"), std::string::npos) << unknown[0].message;
    EXPECT_EQ(problemsOf(write("noextension", "{}"), {}).size(), 1U);
}

TEST_F(JsonErrors, SymbolicLinksDoNotLeadOut) {
    const fs::path outside = folder.string() + "_outside.png";
    std::ofstream(outside) << tinyPng();
    fs::create_symlink(outside, folder / "link.png");
    std::string text = minimalScene();
    text.replace(text.find("\"albedo\": 0.5"), 13, R"("albedoTexture": { "file": "link.png" })");
    const auto found = problems(text);
    fs::remove(outside);
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/materials/wall/albedoTexture/file");
    EXPECT_NE(found[0].message.find("leaves"), std::string::npos) << found[0].message;
}

TEST_F(JsonErrors, BlacksOfLossySkiesAreBlack) {
    const auto sky = [&](float least) {
        Image image = makeImage(2, 1, {"R", "G", "B"});
        for (Channel& channel : image.channels) {
            channel.values = {100.0F, least};
        }
        writeExr(folder / "sky.exr", image);
        std::string text = minimalScene();
        text.insert(text.find("\"materials\""), R"("environment": { "type": "image", "file": "sky.exr" }, )");
        return write("scene.json", text);
    };
    EXPECT_EQ(loadScene(sky(-0.09F), {}).environment.image.find("G")->values, (std::vector<float>{100.0F, 0.0F}));
    EXPECT_NE(join(problemsOf(sky(-0.11F), {})).find("negative"), std::string::npos);
}

TEST_F(JsonErrors, DamagedAssetsNameTheirPlace) {
    write("bad.png", "no picture");
    write("bad.exr", "no picture");
    std::string text = minimalScene();
    text.replace(text.find("\"albedo\": 0.5"), 13, R"("albedoTexture": { "file": "bad.png" })");
    text.insert(text.find("\"materials\""), R"("environment": { "type": "image", "file": "bad.exr" }, )");
    const auto found = problems(text);
    ASSERT_EQ(found.size(), 2U) << join(found);
    EXPECT_NE(join(found).find("/environment/file"), std::string::npos);
    EXPECT_NE(join(found).find("bad.exr"), std::string::npos);
    EXPECT_NE(join(found).find("/materials/wall/albedoTexture/file"), std::string::npos);
    EXPECT_NE(join(found).find("bad.png"), std::string::npos);
}

TEST_F(JsonErrors, NoTextCrashesTheReader) {
    // Every prefix of a scene, and every scene with one byte changed, loads or is refused.
    const std::string text = minimalScene();
    for (std::size_t length = 0; length < text.size(); ++length) {
        EXPECT_FALSE(problems(text.substr(0, length)).empty());
    }
    const std::string replacements = "{}[]\":,0-e\\x";
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string changed = text;
        changed[i] = replacements[i % replacements.size()];
        EXPECT_NO_THROW(problems(changed)) << changed;
    }
}

} // namespace
} // namespace aureole
