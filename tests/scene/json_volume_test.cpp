// Assets that are smoke or clouds.

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "image/colour/black_body.h"
#include "import_files.h"
#include "json_test_util.h"
#include "scene/scene_memory.h"
#include "volume_files.h"

namespace aureole {
namespace {

double ramp(const glm::dvec3& at) {
    return at.x + 1.0;
}

class JsonVolume : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("smoke.nvdb", test::makeNvdb({{0, 0, 0}}, ramp, true));
        write("ball.nvdb", test::makeNvdb({{0, 0, 0}}, [](const glm::dvec3& at) { return at.x - 3.5; }));
    }

    static SceneOverride volume(const std::string& text) { return {"/assets/ball", "{ \"volume\": " + text + " }"}; }
    static SceneOverride plain() { return {"/instances/ball", R"({ "asset": "ball", "translate": [0, 2, 0] })"}; }
};

TEST_F(JsonVolume, IsPlacedAsItSays) {
    const Scene scene = load(minimalScene(), {volume(R"({ "file": "smoke.nvdb", "grid": "ball", "density": [2, 4, 8],
                                                          "albedo": [1, 0.5, 0.25], "anisotropy": -0.4 })"),
                                              plain()});
    ASSERT_EQ(scene.volumes.size(), 1U);
    const Volume& smoke = scene.volumes[0];
    EXPECT_EQ(smoke.name, "ball");
    EXPECT_EQ(smoke.tree.most(), 8.0F);
    EXPECT_EQ(smoke.scattering, glm::vec3(2.0F));
    EXPECT_EQ(smoke.absorption, glm::vec3(0.0F, 2.0F, 6.0F));
    EXPECT_EQ(smoke.anisotropy, -0.4F);
    ASSERT_EQ(scene.volumeInstances.size(), 1U);
    EXPECT_EQ(scene.volumeInstances[0].worldFromVolume, glm::translate(glm::dmat4(1.0), glm::dvec3(0.0, 2.0, 0.0)));
    EXPECT_TRUE(std::any_of(scene.files.begin(), scene.files.end(),
                            [](const auto& file) { return file.filename() == "smoke.nvdb"; }));
    const Scene usual = load(minimalScene(), {volume(R"({ "file": "smoke.nvdb" })"), plain()});
    EXPECT_EQ(usual.volumes.at(0).scattering, glm::vec3(1.0F));
    EXPECT_EQ(usual.volumes.at(0).absorption, glm::vec3(0.0F));
}

/// A checkpoint of other densities is of another picture.
TEST_F(JsonVolume, ChangesTheHash) {
    const auto hashOf = [&](const std::string& text) { return load(minimalScene(), {volume(text), plain()}).hash; };
    const std::string before = hashOf(R"({ "file": "smoke.nvdb" })");
    EXPECT_NE(hashOf(R"({ "file": "smoke.nvdb", "density": 2 })"), before);
    EXPECT_EQ(hashOf(R"({ "file": "smoke.nvdb" })"), before);
    write("smoke.nvdb", test::makeNvdb(
                            {{0, 0, 0}}, [](const glm::dvec3& at) { return ramp(at) + at.z; }, true));
    EXPECT_NE(hashOf(R"({ "file": "smoke.nvdb" })"), before);
}

TEST_F(JsonVolume, WrongOnesAreNamed) {
    write("nan.nvdb", test::makeNvdb(
                          {{0, 0, 0}}, [](const glm::dvec3&) { return std::nan(""); }, true));
    write("short.nvdb", test::makeNvdb({{0, 0, 0}}, ramp, true).substr(0, 700));
    const auto says = [&](const SceneOverride& asset, const SceneOverride& instance,
                          const std::vector<std::string>& parts) {
        const std::string message = test::messageOf([&] { load(minimalScene(), {asset, instance}); });
        EXPECT_TRUE(test::containsAll(message, parts)) << message;
    };
    says(volume(R"({ "file": "ball.nvdb" })"), plain(), {"/assets/ball/volume/file", "found surfaces", "'file'"});
    says(volume(R"({ "file": "smoke.nvdb", "grid": "bal" })"), plain(),
         {"/assets/ball/volume/grid", "no grid 'bal'", "'ball' (fog volume of float)"});
    says({"/assets/ball", R"({ "file": "ball.nvdb", "grid": "bal" })"}, plain(),
         {"/assets/ball/grid", "no grid 'bal'", "'ball' (level set of float)"});
    says(volume(R"({ "file": "nan.nvdb", "grid": "ball" })"), plain(),
         {"/assets/ball/volume/grid", "nan.nvdb: grid 'ball'", "found the value nan"});
    says(volume(R"({ "file": "nan.nvdb" })"), plain(), {"/assets/ball/volume/file", "found the value nan"});
    says(volume(R"({ "file": "none.nvdb", "grid": "ball" })"), plain(), {"/assets/ball/volume/file", "none.nvdb"});
    says(volume(R"({ "file": "short.nvdb", "grid": "ball" })"), plain(), {"/assets/ball/volume/file", "short.nvdb"});
    says(volume(R"({ "grid": "ball" })"), plain(), {"/assets/ball/volume", "'file'"});
    says(volume(R"({ "file": "smoke.nvdb", "density": 0 })"), plain(), {"/assets/ball/volume/density", "above 0"});
    says(volume(R"({ "file": "smoke.nvdb", "albedo": 1.5 })"), plain(), {"/assets/ball/volume/albedo", "1.5"});
    says(volume(R"({ "file": "smoke.nvdb", "anisotropy": 1 })"), plain(), {"/assets/ball/volume/anisotropy", "0.99"});
    says({"/assets/ball", R"({ "file": "smoke.nvdb" })"}, plain(),
         {"/assets/ball/file", "found fog, the grid 'ball'", "'volume'"});
    says({"/assets/ball", R"({ "volume": { "file": "smoke.nvdb" }, "voxels": { "resolution": 64 } })"}, plain(),
         {"/assets/ball", "'voxels'"});
    says(volume(R"({ "file": "smoke.nvdb" })"), {"/instances/ball", R"({ "asset": "ball", "material": "wall" })"},
         {"/instances/ball", "materials for a volume"});
    says(volume(R"({ "file": "smoke.nvdb", "density": [1, 0, 1], "emission": [0, 1, 0] })"), plain(),
         {"/assets/ball/volume/emission", "whose density is 0"});
    says(volume(R"({ "file": "smoke.nvdb", "density": 1e7 })"), plain(),
         {"/instances/ball", "mean free paths across", "'density' is too large"});
    says(volume(R"({ "file": "smoke.nvdb" })"), {"/instances/ball", R"({ "asset": "ball", "scale": [1e-25, 1, 1] })"},
         {"/instances/ball", "no width"});
}

TEST_F(JsonVolume, GlowsByItsTemperatures) {
    const Scene scene = load(minimalScene(), {volume(R"({ "file": "smoke.nvdb", "emission": [1, 2, 3],
        "temperature": { "grid": "ball", "scale": 250, "offset": 40 } })"),
                                              plain()});
    const Volume& smoke = scene.volumes.at(0);
    ASSERT_TRUE(smoke.heat);
    EXPECT_EQ(smoke.emission, glm::vec3(1.0F, 2.0F, 3.0F));
    EXPECT_EQ(smoke.heat->tree.most(), 8.0F);
    ASSERT_EQ(smoke.heat->colours.size(), VOLUME_COLOURS);
    EXPECT_EQ(smoke.heat->colours.back(), glm::vec3(blackBodyRec709(2040.0)));
    EXPECT_EQ(smoke.heat->colours.front(), glm::vec3(blackBodyRec709(40.0)));
    Volume cold = smoke;
    cold.heat.reset();
    EXPECT_EQ(bytesOf(smoke) - bytesOf(cold), bytesOf(cold) - sizeof(Volume) + VOLUME_COLOURS * sizeof(glm::vec3));
    const Scene usual =
        load(minimalScene(), {volume(R"({ "file": "smoke.nvdb", "temperature": { "grid": "ball" } })"), plain()});
    EXPECT_EQ(usual.volumes.at(0).emission, glm::vec3(1.0F));
    EXPECT_EQ(usual.volumes.at(0).heat->colours.back(), glm::vec3(blackBodyRec709(8.0)));
    EXPECT_NE(usual.hash, scene.hash);
}

TEST_F(JsonVolume, WrongTemperaturesAreNamed) {
    write("cold.nvdb", test::makeNvdb(
                           {{0, 0, 0}}, [](const glm::dvec3&) { return -3.0; }, true));
    write("nan.nvdb", test::makeNvdb(
                          {{0, 0, 0}}, [](const glm::dvec3&) { return std::nan(""); }, true));
    const auto says = [&](const std::string& temperature, const std::vector<std::string>& parts,
                          const std::string& file = "smoke.nvdb") {
        const std::string asset = R"({ "file": ")" + file + R"(", "grid": "ball", "temperature": )" + temperature + "}";
        const std::string message = test::messageOf([&] { load(minimalScene(), {volume(asset), plain()}); });
        EXPECT_TRUE(test::containsAll(message, parts)) << message;
    };
    const std::string place = "/assets/ball/volume/temperature";
    says("{}", {place + ":", "smoke.nvdb", "no grid 'temperature'", "'ball' (fog volume of float)"});
    says(R"({ "grid": "heat" })", {place + "/grid", "smoke.nvdb", "no grid 'heat'"});
    says(R"({ "grid": "" })", {place + "/grid", "the name of a grid"});
    says(R"({ "scale": 0 })", {place + "/scale", "found 0"});
    says(R"({ "scale": -1000 })", {place + "/scale", "found -1000"});
    says(R"({ "offset": -273.15 })", {place + "/offset", "found -273.15", "0"});
    says(R"({ "kelvin": 1000 })", {place, "'kelvin'"});
    says("1000", {place, "1000"});
    says(R"({ "grid": "ball", "scale": 6000 })", {"smoke.nvdb: grid 'ball'", "48000 K", "scale 6000", "40000 K"});
    says(R"({ "grid": "ball" })", {"cold.nvdb: grid 'ball'", "no value above 0"}, "cold.nvdb");
    says(R"({ "grid": "ball" })", {"nan.nvdb: grid 'ball'", "found the value nan", "finite"}, "nan.nvdb");
    const std::string message = test::messageOf([&] {
        load(minimalScene(),
             {volume(R"({ "file": "smoke.nvdb", "density": [1, 0, 1], "temperature": {"grid": "ball"} })"), plain()});
    });
    EXPECT_TRUE(test::containsAll(message, {"/assets/ball/volume", "whose density is 0"})) << message;
}

/// A file of fog by itself is a scene of fog alone, whose grid can be asked for.
TEST_F(JsonVolume, ModelsOfFogAreScenes) {
    const Scene scene = loadScene(folder / "smoke.nvdb", {{"/assets/model/volume/grid", "\"ball\""}});
    for (const char* none : {"bal", "\"bal\""}) { // of a text that is no JSON as well
        const std::string message = test::messageOf([&] {
            loadScene(folder / "smoke.nvdb", {{"/assets/model/volume/grid", none}});
        });
        EXPECT_EQ(message.find((folder / "smoke.nvdb").string() + ": found no grid 'bal'"), 0U) << message;
    }
    EXPECT_EQ(scene.volumeInstances.size(), 1U);
    EXPECT_TRUE(scene.meshInstances.empty());
    EXPECT_TRUE(scene.environment.sun);
    EXPECT_GT(scene.volumes.at(0).scattering.x, 0.0F);
    for (const double value : {0.0, -1.0, 1e-30}) {
        write("thin.nvdb", test::makeNvdb(
                               {{0, 0, 0}}, [&](const glm::dvec3&) { return value; }, true));
        const std::string message = test::messageOf([&] { loadScene(folder / "thin.nvdb", {}); });
        EXPECT_TRUE(test::containsAll(
            message, {"thin.nvdb: grid 'ball': ", value > 0.0 ? "values of 1e-30 in the mean" : "no value above 0"}))
            << message;
    }
    write("point.nvdb", test::makeNvdb(
                            {{0, 0, 0}}, [](const glm::dvec3& at) { return at == glm::dvec3(3.0) ? 1.0 : 0.0; }, true));
    EXPECT_EQ(loadScene(folder / "point.nvdb", {}).volumes.at(0).scattering.x, 40.0F); // over 1 m
}

} // namespace
} // namespace aureole
